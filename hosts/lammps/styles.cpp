/* SPDX-License-Identifier: MIT */
/* styles.cpp - `pair_style pcm` and `fix wall/pcm`, and the fix that carries the history of contacts between atoms.
 * LAMMPS's classes end here: the rest of the adapter gets arrays. Errors stop all ranks together, with the message on
 * the first. */
#include "host.h"

#include <atom.h>
#include <comm.h>
#include <error.h>
#include <fix.h>
#include <force.h>
#include <group.h>
#include <input.h>
#include <lammps.h>
#include <memory.h>
#include <modify.h>
#include <neigh_list.h>
#include <neighbor.h>
#include <pair.h>
#include <update.h>

#include <algorithm>
#include <climits>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

using namespace LAMMPS_NS;

namespace
{

const char *const history_id = "PCM_HISTORY";

/* Where some rank has an error all stop, with the text of the first such rank. */
void stop_together(LAMMPS *lmp, bool good, const char *why)
{
    const int me = lmp->comm->me;
    int       mine = good ? INT_MAX : me, first;
    MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, lmp->world);
    if (first == INT_MAX)
        return;
    char text[2048] = "";
    if (first == me)
        snprintf(text, sizeof text, "%s", why);
    MPI_Bcast(text, sizeof text, MPI_CHAR, first, lmp->world);
    std::string reason = text;
    while (!reason.empty() && reason.back() == '\n')
        reason.pop_back();
    lmp->error->all(FLERR, (lmp->comm->nprocs > 1 ? "PCM: rank " + std::to_string(first) + ": " : "PCM: ") + reason);
}

/* ---- The fix: contacts' history goes with the atoms ------------------------------------------------------------ */

class FixPCMHistory : public Fix
{
  public:
    FixPCMHistory(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg), contacts(&pairs)
    {
        restart_peratom = restart_global = 1;
        create_attribute = 1;
        maxexchange_dynamic = 1;
        comm_border = 1;
        nevery = 1;
        grow_arrays(atom->nmax);
        atom->add_callback(Atom::GROW);
        atom->add_callback(Atom::RESTART);
        atom->add_callback(Atom::BORDER);
    }
    ~FixPCMHistory() override
    {
        atom->delete_callback(id, Atom::GROW);
        atom->delete_callback(id, Atom::RESTART);
        atom->delete_callback(id, Atom::BORDER);
        pcm_lammps_contacts_close(&pairs);
        pcm_lammps_history_close(&history);
    }

    int setmask() override
    {
        return FixConst::PRE_EXCHANGE | FixConst::POST_NEIGHBOR | FixConst::POST_RUN | FixConst::END_OF_STEP;
    }
    void setup_pre_exchange() override { keep(); }
    void pre_exchange() override { keep(); }
    void post_run() override { keep(); }
    void setup_post_neighbor() override { rebuilt = true; }
    void post_neighbor() override { rebuilt = true; }

    void grow_arrays(int n) override { need(pcm_lammps_history_grow(&history, (size_t)n)); }
    void copy_arrays(int from, int to, int) override
    {
        history.count[to] = history.count[from];
        history.first[to] = history.first[from];
        history.committed[to] = history.committed[from];
    }
    void set_arrays(int i) override
    {
        history.count[i] = 0;
        history.committed[i] = 0;
    }
    int pack_border(int n, int *list, double *buffer) override
    {
        for (int i = 0; i < n; i++)
            buffer[i] = history.committed[list[i]];
        return n;
    }
    int unpack_border(int n, int first, double *buffer) override
    {
        for (int i = 0; i < n; i++)
            history.committed[first + i] = buffer[i] != 0;
        return n;
    }
    int pack_exchange(int i, double *buffer) override
    {
        return (int)pcm_lammps_history_pack(&history, (size_t)i, buffer);
    }
    int unpack_exchange(int i, double *buffer) override
    {
        size_t read = 0;
        need(pcm_lammps_history_unpack(&history, (size_t)i, buffer, &read));
        return (int)read;
    }

    /* LAMMPS writes what fixes have of their own before what they have per atom. */
    void write_restart(FILE *file) override
    {
        keep();
        if (comm->me != 0)
            return;
        std::string text = std::to_string(history.width) + " " + kept_besides() + "\n";
        for (size_t i = 0; i < history.n_laws; i++)
            text += std::string(history.identity[i]) + '\n';
        const int size = (int)text.size() + 1;
        fwrite(&size, sizeof size, 1, file);
        fwrite(text.c_str(), 1, text.size() + 1, file);
    }
    void restart(char *text) override
    {
        restored = true;
        history.width = (uint32_t)strtoul(text, &text, 10);
        besides = strtok(text, "\n");
        for (char *line = strtok(NULL, "\n"); line; line = strtok(NULL, "\n"))
            need(pcm_lammps_history_name_law(&history, line));
    }
    int pack_restart(int i, double *buffer) override
    {
        const int size = size_restart(i);
        buffer[0] = size;
        pcm_lammps_history_pack(&history, (size_t)i, buffer + 1);
        return size;
    }
    void unpack_restart(int i, int nth) override
    {
        const double *numbers = atom->extra[i];
        for (int k = 0; k < nth; k++)
            numbers += (int)numbers[0];
        size_t read = 0;
        need(pcm_lammps_history_unpack(&history, (size_t)i, numbers + 1, &read));
    }
    int    size_restart(int i) override { return 1 + (int)pcm_lammps_history_size(&history, (size_t)i); }
    int    maxsize_restart() override { return 1 + largest(); }
    double memory_usage() override { return (double)pcm_lammps_contacts_bytes(contacts); }

    /* LAMMPS's arrays as they are now. */
    pcm_lammps_atoms view() const
    {
        pcm_lammps_atoms a = {};
        a.n_local = atom->nlocal;
        a.n_all = atom->nlocal + atom->nghost;
        a.tag = atom->tag;
        a.type = atom->type;
        a.mask = atom->mask;
        a.frozen = frozen;
        a.radius = atom->radius;
        a.mass = masses->empty() ? atom->rmass : masses->data();
        if (atom->nmax > 0) {
            a.x = atom->x[0];
            a.v = atom->v[0];
            a.omega = atom->omega[0];
            a.force = atom->f[0];
            a.torque = atom->torque[0];
        }
        return a;
    }

    /* Nothing is remembered any more. */
    void forget()
    {
        for (size_t i = 0; i < history.n_atoms; i++)
            history.count[i] = 0;
        history.used = 0;
        contacts->count = 0;
        contacts->kept = true;
    }

    /* The ledger of this rank: contacts, J stored now; and where it is asked for, since the beginning, the work done on
     * the atoms and what was dissipated. */
    enum { CONTACTS, STORED, WORK, DISSIPATED, SUMS };

    void begin_ledger(const pcm_lammps_atoms &atoms)
    {
        const size_t n = ledger ? 3 * (size_t)atoms.n_local : 0;
        pushed.assign(atoms.force, atoms.force + n);
        pushed.insert(pushed.end(), atoms.torque, atoms.torque + n);
    }
    void end_ledger(const pcm_lammps_atoms &atoms, const pcm_lammps_step &step)
    {
        const size_t n = pushed.size() / 2;
        sums[CONTACTS] = step.touching;
        sums[STORED] = step.stored;
        for (size_t i = 0; i < n; i++) {
            pushed[i] = atoms.force[i] - pushed[i];
            pushed[n + i] = atoms.torque[i] - pushed[n + i];
        }
        if (ledger && step.advance)
            sums[DISSIPATED] += 0.5 * step.dt * (dissipation + step.dissipation);
        dissipation = step.dissipation;
        if (!step.advance) /* velocities are those of a whole step, as at its end */
            power = power_now();
    }
    void end_of_step() override
    {
        if (!ledger)
            return;
        const double now = power_now();
        sums[WORK] += 0.5 * update->dt * (power + now);
        power = now;
    }

    bool   ledger = false;
    double sums[SUMS] = {};

    /* Where some atoms are of rigid bodies: the masses that resist contacts, of all atoms and copies. */
    std::vector<double> bodies, *masses = &bodies;

    pcm_lammps_history  history = {};
    pcm_lammps_contacts pairs = {}, *contacts;
    int                 frozen = 0;
    bool                rebuilt = true, restored = false;
    std::string         besides; /* what a restart file says besides the history */

    /* A line for restart files: of the contacts between atoms, the walls that have a history too. */
    virtual std::string kept_besides() const
    {
        std::string walls;
        for (int i = 0; i < modify->nfix; i++)
            if (strcmp(modify->fix[i]->style, "wall/pcm") == 0)
                walls += std::string(" ") + modify->fix[i]->id;
        return walls;
    }

  private:
    std::vector<double> pushed;                     /* by the contacts, upon the atoms: forces, then torques */
    double              power = 0, dissipation = 0; /* of the last step, for the trapezoidal rule */

    double power_now() const
    {
        double       sum = 0;
        const size_t n = pushed.size() / 2;
        for (size_t i = 0; i < n; i++)
            sum += pushed[i] * atom->v[0][i] + pushed[n + i] * atom->omega[0][i];
        return sum;
    }
    void need(bool done)
    {
        if (!done)
            error->one(FLERR, std::string("PCM: no memory is left for the history of contacts"));
    }
    int largest() const
    {
        size_t most = 0;
        for (int i = 0; i < atom->nlocal; i++)
            most = std::max(most, pcm_lammps_history_size(&history, (size_t)i));
        return (int)most;
    }
    void keep()
    {
        if (!contacts->kept) {
            const pcm_lammps_atoms now = view();
            if (!pcm_lammps_contacts_keep(contacts, &now))
                error->one(FLERR, std::string("PCM: ") + contacts->laws->error);
        }
        maxexchange = largest();
    }
};

/* ---- The fix for walls ----------------------------------------------------------------------------------------- */

class FixWallPCM : public FixPCMHistory
{
  public:
    FixWallPCM(LAMMPS *lmp, int narg, char **arg) : FixPCMHistory(lmp, narg, arg), name(narg > 3 ? arg[3] : "")
    {
        char why[1024];
        contacts = &wall.contacts;
        contacts->kept = true;
        contacts->history = wall.found.history = &history;
        stop_together(
            lmp, pcm_lammps_wall_read(&wall, narg > 4 ? narg - 4 : 0, narg > 4 ? arg + 4 : arg, why, sizeof why), why);
        wall.start = now();
        vector_flag = 1;
        size_vector = 6 + SUMS;
        global_freq = 1;
    }
    ~FixWallPCM() override { pcm_lammps_wall_close(&wall); }

    int  setmask() override { return FixPCMHistory::setmask() | FixConst::POST_FORCE; }
    void init() override
    {
        if (!force->pair_match("pcm", 1))
            error->all(FLERR, std::string("PCM: fix wall/pcm takes its laws from pair_style pcm, which is not there"));
    }
    void setup(int) override { post_force(0); }
    void post_force(int) override
    {
        const pcm_lammps_atoms atoms = view();
        pcm_lammps_step        step = {};
        bool                   good = !rebuilt || pcm_lammps_wall_build(&wall, &atoms);
        rebuilt = false;
        step.time = now();
        step.advance = !update->setupflag;
        step.dt = step.advance ? update->dt : 0;
        step.reports = ledger;
        begin_ledger(atoms);
        good = good && pcm_lammps_wall_step(&wall, &atoms, groupbit, &step);
        end_ledger(atoms, step);
        if (!good)
            error->one(FLERR, std::string("PCM: fix ") + id + ": " + contacts->laws->error);
    }
    /* The force on the wall and its torque about the pivot, and the ledger. */
    double compute_vector(int i) override
    {
        double mine = i < 3 ? wall.force[i] : i < 6 ? wall.torque[i - 3] : sums[i - 6], all;
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, world);
        return all;
    }
    std::string kept_besides() const override
    {
        char text[64];
        snprintf(text, sizeof text, "%.17g %d", wall.start, (int)wall.used);
        return text;
    }
    void restart(char *text) override
    {
        FixPCMHistory::restart(text);
        char *end = NULL;
        wall.start = strtod(besides.c_str(), &end);
        wall.used = strtol(end, NULL, 10) != 0;
    }

    std::string     name; /* of its object, with its surface */
    pcm_lammps_wall wall = {};

  private:
    double now() const { return update->atime + (double)(update->ntimestep - update->atimestep) * update->dt; }
};

/* ---- The pair style -------------------------------------------------------------------------------------------- */

class PairPCM : public Pair
{
  public:
    explicit PairPCM(LAMMPS *lmp) : Pair(lmp)
    {
        single_enable = 1;
        restartinfo = 0;
        no_virial_fdotr_compute = 1;
        finitecutflag = 1;
        comm_forward = 1;
        nextra = FixPCMHistory::SUMS;
    }
    ~PairPCM() override
    {
        if (modify->nfix > 0 && modify->find_fix(history_id) >= 0)
            modify->delete_fix(history_id);
        pcm_lammps_laws_close(laws);
        delete[] svector;
        if (allocated) {
            memory->destroy(setflag);
            memory->destroy(cutsq);
        }
    }

    void   settings(int narg, char **arg) override;
    void   coeff(int narg, char **arg) override;
    void   init_style() override;
    double init_one(int i, int j) override;
    void   compute(int eflag, int vflag) override;
    double single(int i, int j, int, int, double rsq, double, double, double &fforce) override;
    int    pack_forward_comm(int n, int *list, double *buffer, int, int *) override
    {
        for (int i = 0; i < n; i++)
            buffer[i] = (*fix->masses)[(size_t)list[i]];
        return n;
    }
    void unpack_forward_comm(int n, int first, double *buffer) override
    {
        std::copy(buffer, buffer + n, fix->masses->begin() + first);
    }

    void tally(const pcm_lammps_contact &c)
    {
        ev_tally_xyz(c.base, c.follower, atom->nlocal, 0, c.energy, 0, -c.force[0], -c.force[1], -c.force[2],
                     -c.away[0], -c.away[1], -c.away[2]);
    }

  private:
    /* What p1, p2 ... of `compute pair/local` are, before the states. */
    enum { FORCE = 0, NORMAL = 3, MOMENT = 4, DEPTH = 7, MODE = 8, POWER = 9, LOCAL = 10 };

    void            stop_together(bool good) { ::stop_together(lmp, good, laws ? laws->error : "no memory is left"); }
    void            stop(const std::string &text) { error->all(FLERR, "PCM: " + text); }
    void            allocate();
    void            find_radii();
    void            find_laws();
    bool            find_wall_laws(FixWallPCM *fix_wall);
    void            check_walls();
    void            check_surroundings();
    void            check_ranks();
    void            explain();
    void            weigh();
    pcm_lammps_step begin_step() const;

    pcm_lammps_laws    *laws = NULL;
    FixPCMHistory      *fix = NULL;
    std::vector<double> largest; /* radius per atom type */
    std::string         file;
    bool                ledger = false, explained = false;
};

void PairPCM::settings(int narg, char **arg)
{
    if (narg < 1 || narg % 2 == 0)
        stop("write pair_style pcm FILE.pcm [kinematics point|lammps] [history keep|new] [ledger yes|no]");
    pcm_lammps_kinematics kinematics = PCM_LAMMPS_POINT;
    bool                  anew = false;
    ledger = false;
    for (int i = 1; i < narg; i += 2) {
        const std::string key = arg[i], value = arg[i + 1];
        if (key == "kinematics" && (value == "point" || value == "lammps"))
            kinematics = value == "point" ? PCM_LAMMPS_POINT : PCM_LAMMPS_NATIVE;
        else if (key == "history" && (value == "keep" || value == "new"))
            anew = value == "new";
        else if (key == "ledger" && (value == "yes" || value == "no"))
            ledger = value == "yes";
        else
            stop("pair_style pcm has no option `" + key + " " + value +
                 "`: it has kinematics point|lammps, history keep|new, ledger yes|no");
    }
    if (!atom->sphere_flag)
        stop("pair_style pcm needs atom_style sphere, for radius, mass and spin");
    if (modify->find_fix(history_id) >= 0)
        modify->delete_fix(history_id);
    pcm_lammps_laws_close(laws);
    laws = pcm_lammps_laws_open(arg[0], atom->ntypes, kinematics);
    stop_together(laws && laws->config);
    file = arg[0];
    fix = static_cast<FixPCMHistory *>(modify->add_fix(std::string(history_id) + " all PCM_HISTORY"));
    fix->contacts->laws = laws;
    fix->contacts->history = &fix->history;
    fix->contacts->kept = true;
    fix->ledger = ledger;
    pvector = fix->sums;
    const bool from_restart = modify->nfix_restart_global > 0 || modify->nfix_restart_peratom > 0;
    if (anew) {
        fix->forget();
        fix->besides.clear();
    } else if (from_restart && !fix->restored)
        stop("the restart file has no history of PCM's contacts: continue from one that pair_style pcm wrote, or write "
             "`history new` behind the file to have all contacts begin anew");
}

void PairPCM::allocate()
{
    allocated = 1;
    const int n = atom->ntypes;
    memory->create(setflag, n + 1, n + 1, "pair:setflag");
    memory->create(cutsq, n + 1, n + 1, "pair:cutsq");
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++)
            setflag[i][j] = 0;
}

void PairPCM::coeff(int narg, char **arg)
{
    const int n = atom->ntypes;
    if (!allocated)
        allocate();
    if (narg != n + 2 || strcmp(arg[0], "*") != 0 || strcmp(arg[1], "*") != 0)
        stop("write pair_coeff * * with one name per atom type, here " + std::to_string(n) +
             ": Object or Object:Surface, NULL for a type that another style serves");
    for (int type = 1; type <= n; type++)
        if (strcmp(arg[type + 1], "NULL") != 0)
            stop_together(pcm_lammps_laws_name(laws, type, arg[type + 1]));
        else if (force->pair == this)
            stop("atom type " + std::to_string(type) +
                 " has no name: NULL is for types that another style of pair_style hybrid serves");
    for (int i = 1; i <= n; i++)
        for (int j = i; j <= n; j++)
            setflag[i][j] = laws->object[i] && laws->object[j];
}

void PairPCM::check_surroundings()
{
    if (force->newton_pair)
        stop("a contact between two ranks is evaluated on both: write `newton off` before the box is made");
    if (!comm->ghost_velocity)
        stop("contacts need the velocities of other ranks' atoms: write `comm_modify vel yes`");
    if (strcmp(update->unit_style, "si") != 0 && strcmp(update->unit_style, "lj") != 0)
        stop(std::string(".pcm files are in SI units: write `units si`, not `units ") + update->unit_style +
             "` (`units lj` takes their numbers as they are)");
    if (update->whichflag == 2)
        stop("`minimize` has no time in which contacts could remember: use `run`, with fix viscous or fix nve/limit");
    if (!atom->tag_enable)
        stop("contacts are known by the IDs of their atoms: write `atom_modify id yes`");
    if (modify->find_fix(history_id) < 0)
        stop(std::string("fix ") + history_id + " is gone, and with it what contacts remember: leave it in place");
}

/* All ranks must follow the same laws, or a contact between two of them would have two forces. */
void PairPCM::check_ranks()
{
    uint64_t print = pcm_lammps_laws_fingerprint(laws);
    for (int k = 0; k < modify->nfix; k++)
        if (strcmp(modify->fix[k]->style, "wall/pcm") == 0)
            print = pcm_lammps_wall_print(&static_cast<FixWallPCM *>(modify->fix[k])->wall, print);
    unsigned long mine = print, least, most;
    MPI_Allreduce(&mine, &least, 1, MPI_UNSIGNED_LONG, MPI_MIN, world);
    MPI_Allreduce(&mine, &most, 1, MPI_UNSIGNED_LONG, MPI_MAX, world);
    if (least != most)
        stop(file +
             ", a file that it includes, a plugin or a wall's STL file is not the same on all ranks: give all the "
             "same files");
}

/* The largest radius per type, of atoms and of those that fix pour or fix deposit will make. */
void PairPCM::find_radii()
{
    std::vector<double> mine((size_t)atom->ntypes + 1);
    for (int i = 0; i < atom->nlocal; i++)
        mine[(size_t)atom->type[i]] = std::max(mine[(size_t)atom->type[i]], atom->radius[i]);
    for (int k = 0; k < modify->nfix; k++) {
        const bool makes = strcmp(modify->fix[k]->style, "pour") == 0 || strcmp(modify->fix[k]->style, "deposit") == 0;
        for (int type = 1; makes && type <= atom->ntypes; type++) {
            int         of_type = type;
            const void *radius = modify->fix[k]->extract("radius", of_type);
            if (radius)
                mine[(size_t)type] = std::max(mine[(size_t)type], *static_cast<const double *>(radius));
        }
    }
    largest = mine;
    MPI_Allreduce(mine.data(), largest.data(), atom->ntypes + 1, MPI_DOUBLE, MPI_MAX, world);
}

bool PairPCM::find_wall_laws(FixWallPCM *fix_wall)
{
    pcm_lammps_wall *wall = &fix_wall->wall;
    wall->contacts.laws = wall->found.laws = laws;
    fix_wall->ledger = ledger;
    fix_wall->masses = fix->masses;
    wall->number = pcm_lammps_laws_wall(laws, fix_wall->name.c_str());
    bool good = wall->number > 0;
    for (int type = 1; good && type <= atom->ntypes; type++)
        good = !laws->object[type] || pcm_lammps_laws_pair(laws, wall->number, type);
    return good;
}

/* Walls whose contacts a restart file remembers must be there, or their history would be lost in silence. */
void PairPCM::check_walls()
{
    std::string left = fix->besides;
    fix->besides.clear();
    for (char *id = strtok(&left[0], " "); id; id = strtok(NULL, " ")) {
        const int k = modify->find_fix(id);
        if (k < 0 || strcmp(modify->fix[k]->style, "wall/pcm") != 0)
            stop(std::string("the restart file has the history of fix ") + id +
                 " wall/pcm, which is not there: give it back, or write `history new` behind the file in pair_style "
                 "pcm");
    }
}

void PairPCM::find_laws()
{
    bool good = true;
    for (int i = 1; good && i <= atom->ntypes; i++)
        for (int j = i; good && j <= atom->ntypes; j++)
            good = !setflag[i][j] || pcm_lammps_laws_pair(laws, i, j);
    for (int k = 0; good && k < modify->nfix; k++)
        if (strcmp(modify->fix[k]->style, "wall/pcm") == 0)
            good = find_wall_laws(static_cast<FixWallPCM *>(modify->fix[k]));
    stop_together(good);
    stop_together(pcm_lammps_history_adopt(&fix->history, laws, laws->width));
    for (int k = 0; k < modify->nfix; k++)
        if (strcmp(modify->fix[k]->style, "wall/pcm") == 0)
            stop_together(pcm_lammps_history_adopt(&static_cast<FixWallPCM *>(modify->fix[k])->history, laws,
                                                   laws->width + 3)); /* the normal */
    check_walls();
    delete[] svector;
    single_extra = LOCAL + (int)laws->max_state;
    svector = new double[(size_t)single_extra]();
}

/* Says once which law acts between which types. */
void PairPCM::explain()
{
    if (explained || comm->me != 0)
        return;
    std::vector<char> lines(pcm_lammps_laws_explain(laws, NULL, 0) + 1);
    pcm_lammps_laws_explain(laws, lines.data(), lines.size());
    const std::string text = "PCM: the contacts of " + file + "\n" + lines.data();
    if (screen)
        fputs(text.c_str(), screen);
    if (logfile)
        fputs(text.c_str(), logfile);
    explained = true;
}

void PairPCM::init_style()
{
    check_surroundings();
    find_laws();
    check_ranks();
    find_radii();
    explain();
    neighbor->request(this, instance_me);
    fix->frozen = 0;
    for (int k = 0; k < modify->nfix; k++)
        if (strcmp(modify->fix[k]->style, "freeze") == 0)
            fix->frozen |= group->bitmask[modify->fix[k]->igroup];
}

double PairPCM::init_one(int i, int j)
{
    if (!setflag[std::min(i, j)][std::max(i, j)])
        stop("atom types " + std::to_string(i) + " and " + std::to_string(j) +
             " have no names: write pair_coeff * * with one name per atom type");
    return largest[(size_t)i] + largest[(size_t)j] + pcm_lammps_law_of(laws, i, j)->separation;
}

pcm_lammps_step PairPCM::begin_step() const
{
    pcm_lammps_step step = {};
    step.time = update->atime + (double)(update->ntimestep - update->atimestep) * update->dt;
    return step;
}

/* An atom of a rigid body resists with the mass of the body. */
void PairPCM::weigh()
{
    std::vector<double> &masses = *fix->masses;
    masses.clear();
    for (int k = 0; k < modify->nfix; k++) {
        int           dimension;
        const int    *body = NULL;
        const double *mass = NULL;
        if (modify->fix[k]->rigid_flag) {
            body = static_cast<const int *>(modify->fix[k]->extract("body", dimension));
            mass = static_cast<const double *>(modify->fix[k]->extract("masstotal", dimension));
        }
        if (!body || !mass)
            continue;
        if (masses.empty()) {
            masses.assign(atom->rmass, atom->rmass + atom->nlocal);
            masses.resize((size_t)(atom->nlocal + atom->nghost) + 1);
        }
        for (int i = 0; i < atom->nlocal; i++)
            if (body[i] >= 0)
                masses[(size_t)i] = mass[body[i]];
    }
    if (!masses.empty()) /* a fix is on all ranks or on none */
        comm->forward_comm_pair(this);
}

/* A run's setup evaluates where the last step left off: nothing may advance, and no time passes. */
void PairPCM::compute(int eflag, int vflag)
{
    ev_init(eflag, vflag);
    if (neighbor->ago == 0)
        weigh();
    const pcm_lammps_atoms atoms = fix->view();
    if (fix->rebuilt) {
        const pcm_lammps_list pairs = {list->inum, list->ilist, list->numneigh, list->firstneigh};
        if (!pcm_lammps_contacts_build(fix->contacts, &atoms, &pairs, neighbor->skin))
            error->one(FLERR, std::string("PCM: ") + laws->error);
        fix->rebuilt = false;
    }
    pcm_lammps_step step = begin_step();
    step.advance = !update->setupflag;
    step.dt = step.advance ? update->dt : 0;
    step.reports = ledger || eflag_either;
    step.user = this;
    if (evflag)
        step.see = [](void *self, const pcm_lammps_contact *contact) { static_cast<PairPCM *>(self)->tally(*contact); };
    fix->begin_ledger(atoms);
    if (!pcm_lammps_step_all(fix->contacts, &atoms, &step))
        error->one(FLERR, std::string("PCM: ") + laws->error);
    fix->end_ledger(atoms, step);
}

/* What compute pair/local asks for: a look that changes nothing. */
double PairPCM::single(int i, int j, int, int, double rsq, double, double, double &fforce)
{
    const pcm_lammps_atoms atoms = fix->view();
    pcm_lammps_step        step = begin_step();
    pcm_lammps_contact     contact = {};
    step.reports = true;
    const bool touches = pcm_lammps_look(fix->contacts, &atoms, &step, i, j, &contact);
    for (int k = 0; k < 3; k++) {
        svector[FORCE + k] = touches ? contact.force[k] : 0;
        svector[MOMENT + k] = touches ? contact.moment[k] : 0;
    }
    svector[NORMAL] = touches ? contact.normal_force : 0;
    svector[DEPTH] = touches ? contact.depth : 0;
    svector[MODE] = touches ? (double)contact.mode : 0;
    svector[POWER] = touches ? contact.dissipation : 0;
    for (int k = LOCAL; k < single_extra; k++)
        svector[k] = touches && k - LOCAL < (int)contact.n_state ? contact.state[k - LOCAL] : 0;
    fforce = touches ? contact.normal_force / std::sqrt(rsq) : 0;
    return touches ? contact.energy : 0;
}

Pair *make_pair(LAMMPS *lmp) { return new PairPCM(lmp); }
Fix  *make_wall(LAMMPS *lmp, int narg, char **arg) { return new FixWallPCM(lmp, narg, arg); }
Fix  *make_history(LAMMPS *lmp, int narg, char **arg) { return new FixPCMHistory(lmp, narg, arg); }

} // namespace

/* ---- What C calls ---------------------------------------------------------------------------------------------- */

extern "C" PCM_EXPORT int pcm_lammps_register(void *handle)
{
    LAMMPS *lmp = static_cast<LAMMPS *>(handle);
    (*lmp->force->pair_map)["pcm"] = make_pair;
    (*lmp->modify->fix_map)["PCM_HISTORY"] = make_history;
    (*lmp->modify->fix_map)["wall/pcm"] = make_wall;
    return 0;
}

extern "C" PCM_EXPORT void pcm_lammps_run_input(void *handle) { static_cast<LAMMPS *>(handle)->input->file(); }

/* SPDX-License-Identifier: MIT */
/* styles.cpp - `pair_style pcm`, and the registration of all styles with LAMMPS. LAMMPS's classes are used only here
 * and in fixes.h: the rest of the adapter gets arrays. An error stops all ranks together, with the message of the first
 * rank that has one. */
#include "fixes.h"
#include "release.h"

#include <domain.h>
#include <input.h>
#include <memory.h>
#include <neigh_list.h>
#include <neighbor.h>
#include <pair.h>

using namespace LAMMPS_NS;
using namespace pcm_lammps;

namespace
{

/* ---- The pair style ---------------------------------------------------------------------------------------------- */

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
        close_laws();
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
        int size = 0;
        for (int i = 0; i < n; i++)
            for (const double *sent : shared)
                buffer[size++] = sent[list[i]];
        return size;
    }
    void unpack_forward_comm(int n, int first, double *buffer) override
    {
        for (int i = first; i < first + n; i++)
            for (double *sent : shared)
                sent[i] = *buffer++;
    }

    void tally(const pcm_lammps_contact &c)
    {
        ev_tally_xyz(c.base, c.follower, atom->nlocal, 0, c.energy, 0, -c.force[0], -c.force[1], -c.force[2],
                     -c.away[0], -c.away[1], -c.away[2]);
    }

  private:
    /* The meaning of p1, p2 ... of `compute pair/local` before the states. */
    enum { FORCE = 0, NORMAL = 3, MOMENT = 4, DEPTH = 7, MODE = 8, POWER = 9, LOCAL = 10 };

    void stop_together(bool good) { pcm_lammps::stop_together(lmp, good, laws ? laws->error : "no memory is left"); }
    void stop(const std::string &text) { error->all(FLERR, "PCM: " + text); }
    void allocate();
    void close_laws();
    void find_history();
    void make_room();
    void warn() const;
    bool box_is_narrow() const;
    const pcm_lammps_law *reaches() const;
    void                  check_reach() const;
    void                  warn_of_lists() const;
    void                  find_radii();
    void                  check_radii() const;
    void                  find_laws();
    bool                  find_wall_laws(FixWallPCM *fix_wall);
    void                  check_walls();
    void                  find_amounts();
    void                  check_amounts();
    void                  check_surroundings();
    void                  check_order();
    void                  check_ranks();
    void                  explain();
    void                  weigh();
    void                  share(const std::vector<double *> &arrays);
    pcm_lammps_step       begin_step() const;
    bool                  stability_is_wanted(bool lists) const;

    pcm_lammps_laws         *laws = NULL;
    FixPCMHistory           *fix = NULL;
    std::vector<double>      largest; /* radius per atom type */
    std::vector<double *>    shared;  /* the atoms' data that ranks exchange */
    std::string              file;
    std::vector<std::string> bonding; /* contact types that the next step bonds */
    bool                     ledger = false, explained = false;
    bool                     varies = false; /* radii may change during the run */
    bool                     anew = false;   /* drops the history of walls that a restart file has */
};

void PairPCM::settings(int narg, char **arg)
{
    if (narg < 1 || narg % 2 == 0)
        stop("write pair_style pcm FILE.pcm [kinematics point|lammps|lammps-granular] [history keep|new] [ledger "
             "yes|no] [bond TYPE]");
    if (!domain->box_exist)
        stop("write pair_style pcm behind the command that makes the box, such as read_data, read_restart or "
             "create_box: "
             "the atoms get what contacts remember");
    pcm_lammps_kinematics kinematics = PCM_LAMMPS_POINT;
    ledger = anew = explained = false;
    bonding.clear();
    for (int i = 1; i < narg; i += 2) {
        const std::string key = arg[i], value = arg[i + 1];
        if (key == "kinematics" && (value == "point" || value == "lammps" || value == "lammps-granular"))
            kinematics = value == "point"    ? PCM_LAMMPS_POINT
                         : value == "lammps" ? PCM_LAMMPS_NATIVE
                                             : PCM_LAMMPS_GRANULAR;
        else if (key == "history" && (value == "keep" || value == "new"))
            anew = value == "new";
        else if (key == "ledger" && (value == "yes" || value == "no"))
            ledger = value == "yes";
        else if (key == "bond")
            bonding.push_back(value);
        else
            stop("pair_style pcm has no option `" + key + " " + value +
                 "`: it has kinematics point|lammps|lammps-granular, history keep|new, ledger yes|no, bond TYPE");
    }
    if (!atom->radius_flag || !atom->rmass_flag || !atom->omega_flag || !atom->torque_flag)
        stop("pair_style pcm needs atom_style sphere, for radius, mass and spin");
    close_laws();
    laws = pcm_lammps_laws_open(arg[0], atom->ntypes, kinematics);
    stop_together(laws && laws->config);
    file = arg[0];
    find_history();
    make_room();
    warn();
    const bool from_restart = modify->nfix_restart_global > 0 || modify->nfix_restart_peratom > 0;
    if (anew) {
        fix->forget();
        fix->besides.clear();
    } else if (from_restart && !fix->restored)
        stop("the restart file has no history of PCM's contacts: continue from one that pair_style pcm wrote, or write "
             "`history new` behind the file to have all contacts begin anew");
}

/* Closes the laws. The fixes stay, with the atoms' history: later laws find it by their names. */
void PairPCM::close_laws()
{
    if (!laws)
        return;
    for (int k = 0; k < modify->nfix; k++)
        if (strcmp(modify->fix[k]->style, "PCM_HISTORY") == 0 || strcmp(modify->fix[k]->style, "wall/pcm") == 0)
            static_cast<FixPCMHistory *>(modify->fix[k])->leave();
    if (modify->find_fix(amounts_id) >= 0)
        modify->delete_fix(amounts_id);
    pcm_lammps_laws_close(laws);
    laws = NULL;
}

/* Finds the fix that earlier laws made, or makes a new one. */
void PairPCM::find_history()
{
    const int k = modify->find_fix(history_id);
    if (k < 0 || strcmp(modify->fix[k]->style, "PCM_HISTORY") != 0)
        fix = static_cast<FixPCMHistory *>(modify->add_fix(std::string(history_id) + " all PCM_HISTORY"));
    else
        fix = static_cast<FixPCMHistory *>(modify->fix[k]);
    if (fix->contacts->laws)
        stop("pair_style hybrid has pcm once: write the rules of all its types into one .pcm file");
    fix->contacts->laws = laws;
    fix->ledger = ledger;
    pvector = fix->sums;
}

/* Makes room for the values that compute pair/local reads. As a part of a hybrid style this style offers energy and
 * force alone: if there were more, LAMMPS of 2021 would copy beyond the end of the array. */
void PairPCM::make_room()
{
    uint32_t most = 0;
    for (size_t i = 0; i < pcm_config_type_count(laws->config); i++)
        most = std::max(most, pcm_type_get_info(pcm_config_type_at(laws->config, i))->n_state);
    delete[] svector;
    svector = new double[LOCAL + most]();
    single_extra = force->pair == this ? LOCAL + (int)most : 0;
}

void PairPCM::warn() const
{
    std::string text = laws->warning;
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    if (comm->me == 0 && !text.empty())
        error->warning(FLERR, "PCM: " + text);
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
    find_amounts();
    for (int i = 1; i <= n; i++)
        for (int j = i; j <= n; j++)
            setflag[i][j] = laws->object[i] && laws->object[j];
}

/* Gives the atoms the amounts of the laws. */
void PairPCM::find_amounts()
{
    const size_t n = pcm_config_amount_count(laws->config);
    if (n == 0 || fix->amounts)
        return;
    fix->amounts = static_cast<FixPCMAmounts *>(modify->add_fix(std::string(amounts_id) + " all PCM_AMOUNTS"));
    for (size_t k = 0; k < n; k++)
        fix->amounts->add(*pcm_config_amount_at(laws->config, k));
    comm_forward = std::max(1, (int)n);
}

/* Checks that fixes of amounts name amounts of the laws. */
void PairPCM::check_amounts()
{
    for (int k = 0; k < modify->nfix; k++) {
        uint32_t amount = 0;
        if (strcmp(modify->fix[k]->style, "amount/pcm") == 0)
            stop_together(
                pcm_lammps_find_amount(laws, static_cast<FixAmountPCM *>(modify->fix[k])->name.c_str(), &amount));
    }
    const int place = modify->find_fix(amounts_id);
    if (fix->amounts && (place < 0 || modify->fix[place] != fix->amounts))
        stop(std::string("fix ") + amounts_id + " is gone, and with it what flows between atoms: leave it in place");
    if (fix->amounts)
        fix->amounts->find();
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
    if (strncmp(update->integrate_style, "respa", 5) == 0)
        stop("contacts and walls take one step at a time: write `run_style verlet`, not `run_style respa`");
    const int k = modify->find_fix(history_id);
    if (k < 0 || modify->fix[k] != fix || fix->contacts->laws != laws)
        stop(std::string("fix ") + history_id + " is gone, and with it what contacts remember: leave it in place");
    check_order();
}

/* Checks the order of fixes: one before the history's fix could move atoms away from their contacts' history. */
void PairPCM::check_order()
{
    for (int k = 0; modify->fix[k] != fix; k++)
        if (modify->fmask[k] & FixConst::PRE_EXCHANGE && strcmp(modify->fix[k]->style, "wall/pcm") != 0)
            stop(std::string("fix ") + modify->fix[k]->id + " " + modify->fix[k]->style +
                 " could move atoms away from what their contacts remember: write it behind pair_style pcm");
}

/* Checks that all ranks have the same laws: otherwise a contact between two ranks would have two different forces. */
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

/* Finds the largest radius per type, including atoms that fix pour or fix deposit will make. */
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

/* Checks that no radius exceeds the largest one of its type at the start of the run, for which neighbours are
 * listed. */
void PairPCM::check_radii() const
{
    int grown = 0;
    for (int i = 0; i < atom->nlocal; i++)
        if (atom->radius[i] > largest[(size_t)atom->type[i]] * (1 + 1e-9))
            grown = atom->tag[i];
    const std::string why = "atom " + std::to_string(grown) +
                            " has grown beyond the largest radius that its type had when the run began, for which "
                            "neighbours are listed: let radii grow between runs, with `set` or `run N every M`";
    pcm_lammps::stop_together(lmp, grown == 0, why.c_str());
}

bool PairPCM::find_wall_laws(FixWallPCM *fix_wall)
{
    pcm_lammps_wall *wall = &fix_wall->wall;
    if (anew && !wall->contacts.laws)
        fix_wall->forget();
    wall->contacts.laws = wall->found.laws = laws;
    fix_wall->ledger = ledger;
    fix_wall->masses = fix->masses;
    fix_wall->amounts = fix->amounts;
    fix_wall->stability = fix->stability;
    wall->number = pcm_lammps_laws_wall(laws, fix_wall->name.c_str());
    bool good = wall->number > 0 && pcm_lammps_wall_amounts(wall);
    for (int type = 1; good && type <= atom->ntypes; type++)
        good = !laws->object[type] || pcm_lammps_laws_pair(laws, wall->number, type);
    return good;
}

/* Checks that the walls exist whose contacts are in a restart file: otherwise their history would be lost silently. */
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
    for (size_t i = 0; i < laws->n_laws; i++)
        laws->law[i].counts = laws->law[i].model->inputs & PCM_FRESH && !laws->law[i].told;
    for (const std::string &type : bonding)
        stop_together(pcm_lammps_laws_bond(laws, type.c_str()));
    bonding.clear();
    stop_together(pcm_lammps_history_adopt(&fix->history, laws, laws->width));
    for (int k = 0; k < modify->nfix; k++)
        if (strcmp(modify->fix[k]->style, "wall/pcm") == 0)
            stop_together(pcm_lammps_history_adopt(&static_cast<FixWallPCM *>(modify->fix[k])->history, laws,
                                                   laws->width + 3)); /* the normal */
    check_walls();
}

/* Prints once which law acts between which types. */
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
    check_amounts();
    check_ranks();
    find_radii();
    varies = false;
    for (int k = 0; k < modify->nfix; k++)
        varies = varies || strncmp(modify->fix[k]->style, "adapt", 5) == 0;
    const bool by_radius = !varies && !reaches();
    check_reach();
    if (!by_radius)
        warn_of_lists();
    explain();
    Built::request(neighbor, this, instance_me, by_radius);
}

/* A law that acts beyond contact, or lingers there; NULL: none does. LAMMPS lists neighbours by their own radii only up
 * to the sum of these and the skin: such a law, like radii that vary, needs lists by the largest radii of the types. */
const pcm_lammps_law *PairPCM::reaches() const
{
    for (int i = 1; i <= atom->ntypes; i++)
        for (int j = i; j <= atom->ntypes; j++)
            if (setflag[i][j] &&
                (pcm_lammps_law_of(laws, i, j)->separation > 0 || pcm_lammps_law_of(laws, i, j)->lingers))
                return pcm_lammps_law_of(laws, i, j);
    return NULL;
}

/* Stops where a law reaches farther than the box is long, as by a bond of a huge strength: LAMMPS would list all atoms
 * as neighbours of all, or stop without a name. */
void PairPCM::check_reach() const
{
    const double box = std::max(domain->prd[0], std::max(domain->prd[1], domain->prd[2]));
    for (int i = 1; i <= atom->ntypes; i++)
        for (int j = i; j <= atom->ntypes; j++)
            if (setflag[i][j] && pcm_lammps_law_of(laws, i, j)->separation > box) {
                char                  text[512];
                const pcm_lammps_law *law = pcm_lammps_law_of(laws, i, j);
                snprintf(text, sizeof text,
                         "PCM: contact type %.100s (%.100s) reaches %.3g m beyond contact, and the box is %.3g m long: "
                         "give it "
                         "a Separation, or values that let go sooner, such as a lower strength or a higher stiffness",
                         pcm_type_get_info(law->type)->name, law->model->name, law->separation, box);
                error->all(FLERR, std::string(text));
            }
}

/* Warns once where the list of neighbours goes by the largest radii of the types and may overflow, which LAMMPS would
 * end without a name: where the smallest atoms of a type, packed as densely as spheres can be, are more than it holds.
 */
void PairPCM::warn_of_lists() const
{
    std::vector<double> mine((size_t)atom->ntypes + 1, INFINITY), least = mine;
    for (int i = 0; i < atom->nlocal; i++)
        mine[(size_t)atom->type[i]] = std::min(mine[(size_t)atom->type[i]], atom->radius[i]);
    MPI_Allreduce(mine.data(), least.data(), atom->ntypes + 1, MPI_DOUBLE, MPI_MIN, world);
    const double dense = 3.141592653589793 / sqrt(18.0);
    double       most = 0;
    int          crowded = 0;
    for (int i = 1; i <= atom->ntypes; i++)
        for (int j = 1; j <= atom->ntypes; j++) {
            if (!setflag[std::min(i, j)][std::max(i, j)])
                continue;
            const double beyond = pcm_lammps_law_of(laws, i, j)->separation + neighbor->skin;
            const double listed = largest[(size_t)i] + largest[(size_t)j] + beyond;
            const double room = dense * pow(1 + listed / least[(size_t)j], 3);
            if (room > most) {
                most = room;
                crowded = j;
            }
        }
    if (explained || comm->me != 0 || !(most > neighbor->oneatom))
        return;
    const pcm_lammps_law *law = reaches();
    char                  text[512];
    snprintf(
        text, sizeof text,
        "PCM: neighbours are listed by the largest radius of their type, as %.100s %s: up to %.3g atoms of type %d "
        "have room in a list, and neigh_modify one is %d. Where they are more LAMMPS stops with an overflow: raise "
        "one and page, or give small atoms a type of their own",
        law ? pcm_type_get_info(law->type)->name : "fix adapt", law ? "acts beyond contact" : "changes radii", most,
        crowded, neighbor->oneatom);
    error->warning(FLERR, std::string(text));
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

/* Sets the masses for contacts: an atom of a rigid body has the mass of the body, and a frozen atom never moves. */
void PairPCM::weigh()
{
    std::vector<double> &masses = *fix->masses;
    int                  frozen = 0;
    masses.clear();
    for (int k = 0; k < modify->nfix; k++) {
        int           dimension;
        const int    *body = NULL;
        const double *mass = NULL;
        const bool    freezes = strcmp(modify->fix[k]->style, "freeze") == 0;
        if (modify->fix[k]->rigid_flag) {
            body = static_cast<const int *>(modify->fix[k]->extract("body", dimension));
            mass = static_cast<const double *>(modify->fix[k]->extract("masstotal", dimension));
        }
        frozen |= freezes ? group->bitmask[modify->fix[k]->igroup] : 0;
        if (!freezes && (!body || !mass))
            continue;
        if (masses.empty()) {
            masses.assign(atom->rmass, atom->rmass + atom->nlocal);
            masses.resize((size_t)(atom->nlocal + atom->nghost) + 1);
        }
        for (int i = 0; body && mass && i < atom->nlocal; i++)
            if (body[i] >= 0)
                masses[(size_t)i] = mass[body[i]];
    }
    for (int i = 0; frozen != 0 && i < atom->nlocal; i++)
        if (atom->mask[i] & frozen)
            masses[(size_t)i] = 0;
    if (!masses.empty()) /* a fix exists on all ranks or on none */
        share({masses.data()});
}

void PairPCM::share(const std::vector<double *> &arrays)
{
    shared = arrays;
    Built::send(comm, this);
}

/* Whether an atom may touch two images of another atom, or of itself, across two sides of a periodic box. */
bool PairPCM::box_is_narrow() const
{
    const double least = (domain->triclinic ? 3 : 2) * neighbor->cutneighmax; /* 3: for the tilt */
    bool         narrow = false;
    for (int k = 0; k < domain->dimension; k++)
        narrow = narrow || (domain->periodicity[k] && domain->prd[k] < least);
    return narrow;
}

/* Whether the advice or a compute needs the largest stable step of this step. */
bool PairPCM::stability_is_wanted(bool lists) const
{
    bool wanted = !update->setupflag && fix->is_due(lists);
    for (int k = 0; k < modify->ncompute; k++)
        wanted = wanted || (strcmp(modify->compute[k]->style, "pcm/step") == 0 &&
                            modify->compute[k]->matchstep(update->ntimestep));
    return wanted;
}

/* A run's setup evaluates the state after the last step: nothing may advance, and no time passes. */
void PairPCM::compute(int eflag, int vflag)
{
    ev_init(eflag, vflag);
    if (neighbor->ago == 0)
        weigh();
    if (fix->amounts) {
        fix->amounts->begin();
        share(fix->amounts->values);
    }
    const pcm_lammps_atoms atoms = fix->view();
    if (varies)
        check_radii();
    const bool lists = fix->rebuilt;
    if (lists) {
        const pcm_lammps_list pairs = {list->inum, list->ilist, list->numneigh, list->firstneigh};
        if (!pcm_lammps_contacts_build(fix->contacts, &atoms, &pairs, varies ? neighbor->cutneighmax : neighbor->skin))
            error->one(FLERR, std::string("PCM: ") + laws->error);
        fix->contacts->narrow = box_is_narrow();
        fix->contacts->divides = !varies;
        fix->rebuilt = false;
    }
    pcm_lammps_step step = begin_step();
    step.advance = !update->setupflag;
    step.dt = step.advance ? update->dt : 0;
    step.reports = ledger || eflag_either;
    step.user = this;
    if (evflag)
        step.see = [](void *self, const pcm_lammps_contact *contact) { static_cast<PairPCM *>(self)->tally(*contact); };
    if (stability_is_wanted(lists))
        fix->begin_stability(atoms);
    step.stability = fix->stability->atom ? fix->stability : NULL;
    fix->begin_ledger(atoms);
    if (!pcm_lammps_step_all(fix->contacts, &atoms, &step))
        error->one(FLERR, std::string("PCM: ") + laws->error);
    fix->end_ledger(atoms, step);
}

/* The values for compute pair/local: evaluates a pair without changing anything. */
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

/* The styles: of a pair without arguments, of fixes and of computes. */
struct Style {
    const char *kind, *name;
    Pair *(*pair)(LAMMPS *);
    Fix *(*fix)(LAMMPS *, int, char **);
    Compute *(*compute)(LAMMPS *, int, char **);
};
template <typename F> Fix *make_fix(LAMMPS *lmp, int narg, char **arg) { return new F(lmp, narg, arg); }
Pair                      *make_pair(LAMMPS *lmp) { return new PairPCM(lmp); }
Compute *make_compute(LAMMPS *lmp, int narg, char **arg) { return new ComputePCMStep(lmp, narg, arg); }

const Style styles[] = {
    {"pair", "pcm", make_pair, NULL, NULL},
    {"fix", "PCM_HISTORY", NULL, make_fix<FixPCMHistory>, NULL},
    {"fix", "PCM_AMOUNTS", NULL, make_fix<FixPCMAmounts>, NULL},
    {"fix", "amount/pcm", NULL, make_fix<FixAmountPCM>, NULL},
    {"fix", "wall/pcm", NULL, make_fix<FixWallPCM>, NULL},
    {"compute", "pcm/step", NULL, NULL, make_compute},
};

void check_release(LAMMPS *lmp)
{
    const std::string wrong = wrong_release(lmp);
    if (!wrong.empty())
        lmp->error->all(FLERR, "PCM: " + wrong);
}

} // namespace

/* ---- Entry points for C ------------------------------------------------------------------------------------------ */

extern "C" PCM_EXPORT int pcm_lammps_register(void *handle)
{
    LAMMPS *lmp = static_cast<LAMMPS *>(handle);
    check_release(lmp);
    for (const Style &style : styles)
        if (style.pair)
            (*lmp->force->pair_map)[style.name] = style.pair;
        else if (style.fix)
            (*lmp->modify->fix_map)[style.name] = style.fix;
        else
            (*lmp->modify->compute_map)[style.name] = style.compute;
    return 0;
}

/* Runs the script; false: an error has ended it. Older releases end the program themselves. */
extern "C" PCM_EXPORT bool pcm_lammps_run_input(void *handle)
{
    try {
        (void)pcm_lammps_register(handle);
        static_cast<LAMMPS *>(handle)->input->file();
        return true;
    } catch (const std::exception &) { /* LAMMPS has printed what it says */
        return false;
    }
}

/* What LAMMPS's command `plugin load` calls, and the description of a style that it expects: LAMMPS installs no header
 * of them. */
namespace
{
struct Description {
    const char *version, *style, *name, *info, *author;
    void       *create;
    void       *library;
};
using Add = void (*)(Description *, void *);
} // namespace

extern "C" PCM_EXPORT void lammpsplugin_init(void *handle, void *library, void *add)
{
    LAMMPS *lmp = static_cast<LAMMPS *>(handle);
    check_release(lmp);
    for (const Style &style : styles) {
        void       *create = style.pair  ? reinterpret_cast<void *>(style.pair)
                             : style.fix ? reinterpret_cast<void *>(style.fix)
                                         : reinterpret_cast<void *>(style.compute);
        Description is = {lmp->version,         style.kind, style.name, "contact laws of PCM",
                          "the authors of PCM", create,     library};
        reinterpret_cast<Add>(add)(&is, handle);
    }
}

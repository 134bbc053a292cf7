/* SPDX-License-Identifier: MIT */
/* fixes.h - the fixes of the adapter: the one that stores the history of contacts with the atoms, `fix wall/pcm`, and
 * those for amounts such as temperatures. Only styles.cpp includes it. */
#ifndef PCM_LAMMPS_FIXES_H
#define PCM_LAMMPS_FIXES_H

#include "host.h"

#include <pcm/amount.h>

#include <atom.h>
#include <comm.h>
#include <compute.h>
#include <error.h>
#include <fix.h>
#include <force.h>
#include <group.h>
#include <lammps.h>
#include <modify.h>
#include <neighbor.h>
#include <update.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

namespace pcm_lammps
{

using namespace LAMMPS_NS;

/* What of the largest stable step a run should take. */
const double SAFE = 0.25;

const char *const history_id = "PCM_HISTORY", *const amounts_id = "PCM_AMOUNTS";

/* If any rank has an error, all stop with the message of the first such rank. */
inline void stop_together(LAMMPS *lmp, bool good, const char *why)
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

/* ---- The fixes of amounts ---------------------------------------------------------------------------------------- */

/* `fix ID GROUP amount/pcm NAME per atom|kg C ...`: the capacity, which is the flow into an atom that raises the amount
 * by one unit, for all atoms of the group or per atom type. FixPCMAmounts reads it. */
class FixAmountPCM : public Fix
{
  public:
    FixAmountPCM(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
    {
        const std::string per = narg > 5 ? arg[5] : "";
        const int         n = narg - 6;
        bool              good = narg > 6 && strcmp(arg[4], "per") == 0 && (per == "atom" || per == "kg");
        good = good && (n == 1 || n == atom->ntypes);
        for (int i = 0; good && i < n; i++) {
            double capacity = 0;
            good = pcm_number_read(arg[6 + i], strlen(arg[6 + i]), &capacity) == strlen(arg[6 + i]) && capacity > 0;
            capacities.push_back(capacity);
        }
        if (!good)
            error->all(FLERR,
                       std::string("PCM: write fix ID GROUP amount/pcm NAME per atom|kg C, with C above 0 for all "
                                   "atoms or one per atom type"));
        name = arg[3];
        of_mass = per == "kg";
    }
    int setmask() override { return 0; }

    double capacity(int i) const
    {
        const double c = capacities[capacities.size() == 1 ? 0 : (size_t)atom->type[i] - 1];
        return of_mass ? c * atom->rmass[i] : c;
    }

    std::string name;
    int         group_bit() const { return groupbit; }

  private:
    bool                of_mass = false;
    std::vector<double> capacities;
};

/* Amounts and the flows into them are `d_NAME` and `d_NAME_flow` of fix property/atom, which sends them to other ranks
 * and writes them to restart files. This fix sets the amounts of new atoms and integrates the flows. */
class FixPCMAmounts : public Fix
{
  public:
    struct Amount {
        std::string                 name;
        double                      initial, capacity;
        int                         value, flow; /* indices among the atoms' custom properties */
        std::vector<FixAmountPCM *> given;       /* the script's capacities, the last one first */
    };

    FixPCMAmounts(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg)
    {
        create_attribute = 1;
        nevery = 1;
        atom->add_callback(Atom::GROW);
    }
    ~FixPCMAmounts() override { atom->delete_callback(id, Atom::GROW); }
    int  setmask() override { return FixConst::END_OF_STEP; }
    void grow_arrays(int) override {}
    void copy_arrays(int, int, int) override {}
    int  pack_exchange(int, double *) override { return 0; }
    int  unpack_exchange(int, double *) override { return 0; }
    void set_arrays(int i) override
    {
        for (const Amount &amount : amounts)
            atom->dvector[amount.value][i] = amount.initial;
    }

    /* Adds the custom properties for an amount if the script has none of that name. */
    void add(const pcm_amount &law)
    {
        Amount     amount = {law.name, law.initial, law.capacity, -1, -1, {}};
        const bool made = need(amount.name, amount.value), kept = made && modify->fix[modify->nfix - 1]->restart_reset;
        need(amount.name + "_flow", amount.flow);
        for (int i = 0; made && !kept && i < atom->nlocal; i++)
            atom->dvector[amount.value][i] = amount.initial;
        amounts.push_back(amount);
    }
    /* Before a run: indices and fixes may have changed. */
    void find()
    {
        for (Amount &amount : amounts) {
            if (!is_there(amount.name, amount.value) || !is_there(amount.name + "_flow", amount.flow))
                error->all(FLERR, "PCM: the atoms have no d_" + amount.name + " or d_" + amount.name +
                                      "_flow any more: leave their fixes in place");
            amount.given.clear();
            for (int k = modify->nfix - 1; k >= 0; k--)
                if (strcmp(modify->fix[k]->style, "amount/pcm") == 0 &&
                    static_cast<FixAmountPCM *>(modify->fix[k])->name == amount.name)
                    amount.given.push_back(static_cast<FixAmountPCM *>(modify->fix[k]));
        }
    }
    /* Updates the pointers to amounts and flows. */
    void look()
    {
        values.clear();
        flows.clear();
        for (const Amount &amount : amounts) {
            values.push_back(atom->dvector[amount.value]);
            flows.push_back(atom->dvector[amount.flow]);
        }
    }
    void begin()
    {
        look();
        for (double *flow : flows)
            std::fill(flow, flow + atom->nlocal, 0.0);
    }
    void end_of_step() override
    {
        for (const Amount &amount : amounts)
            for (int i = 0; i < atom->nlocal; i++) {
                const double capacity = capacity_of(amount, i);
                if (capacity > 0)
                    atom->dvector[amount.value][i] += update->dt * atom->dvector[amount.flow][i] / capacity;
            }
    }

    std::vector<Amount>   amounts; /* in the order of the .pcm file */
    std::vector<double *> values, flows;

  private:
    bool is_there(const std::string &name, int &place) const
    {
        int real = 0, columns = 0;
        place = atom->find_custom(name.c_str(), real, columns);
        return place >= 0 && real == 1 && columns == 0;
    }
    /* Makes a property if needed; returns whether it had to be made. */
    bool need(const std::string &name, int &place)
    {
        if (is_there(name, place))
            return false;
        if (place >= 0)
            error->all(FLERR, "PCM: the amount " + name + " needs a number of the atoms: give i_" + name + " or d2_" +
                                  name + " of fix property/atom another name");
        modify->add_fix("PCM_" + name + " all property/atom d_" + name);
        is_there(name, place);
        return true;
    }
    double capacity_of(const Amount &amount, int i) const
    {
        for (const FixAmountPCM *fix : amount.given)
            if (atom->mask[i] & fix->group_bit())
                return fix->capacity(i);
        return amount.capacity;
    }
};

/* ---- The fix that moves contacts' history with the atoms --------------------------------------------------------- */

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
        pairs.history = &history;
        pairs.kept = true;
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
        free(own_stability.atom);
    }

    int setmask() override
    {
        return FixConst::PRE_EXCHANGE | FixConst::POST_NEIGHBOR | FixConst::POST_RUN | FixConst::END_OF_STEP;
    }
    void setup_pre_exchange() override
    {
        if (!contacts->laws) /* another pair style runs: earlier contacts are dropped */
            forget();
        pre_exchange();
    }
    /* Writes the history back, for walls too, before later fixes make, remove or move atoms. */
    void pre_exchange() override
    {
        check_flight();
        keep();
        for (int k = 0; k < modify->nfix; k++)
            if (strcmp(modify->fix[k]->style, "wall/pcm") == 0)
                static_cast<FixPCMHistory *>(modify->fix[k])->keep();
    }
    void post_run() override { keep(); }
    void setup_post_neighbor() override { rebuilt = true; }
    void post_neighbor() override { rebuilt = true; }

    void grow_arrays(int n) override { need(pcm_lammps_history_grow(&history, (size_t)n)); }
    void copy_arrays(int from, int to, int) override
    {
        history.count[to] = history.count[from];
        history.first[to] = history.first[from];
        history.known[to] = history.known[from];
        history.committed[to] = history.committed[from];
    }
    void set_arrays(int i) override
    {
        history.count[i] = 0;
        history.known[i] = 0;
        history.committed[i] = 0;
    }
    int pack_border(int n, int *list, double *buffer) override
    {
        for (int i = 0; i < n; i++)
            buffer[i] = pcm_lammps_history_standing(&history, (size_t)list[i]);
        return n;
    }
    int unpack_border(int n, int first, double *buffer) override
    {
        for (int i = 0; i < n; i++)
            pcm_lammps_history_stand(&history, (size_t)(first + i), buffer[i]);
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

    /* LAMMPS writes a fix's global data before its data per atom. */
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
        if (history.known[i] == 0) /* an earlier version wrote it */
            history.known[i] = atom->tag[i];
    }
    int size_restart(int i) override { return 1 + (int)pcm_lammps_history_size(&history, (size_t)i); }
    /* The maximum over all ranks: the value of the first rank becomes the room per atom when the file is read. */
    int maxsize_restart() override
    {
        int mine = 1 + largest(), most;
        MPI_Allreduce(&mine, &most, 1, MPI_INT, MPI_MAX, world);
        return most;
    }
    double memory_usage() override { return (double)pcm_lammps_contacts_bytes(contacts); }

    /* Stops before LAMMPS loses an atom that flies past all that it could touch. */
    void check_flight()
    {
        const double reach = neighbor->cutneighmax;
        for (int i = 0; contacts->laws && !update->setupflag && i < atom->nlocal; i++) {
            const double *v = atom->v[i], step = update->dt * sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
            if (!(step <= reach) && contacts->laws->object[atom->type[i]]) /* else another style serves it */
                error->one(FLERR, flight(i, step, reach));
        }
    }
    std::string flight(int i, double step, double reach) const
    {
        const pcm_lammps_laws *laws = contacts->laws;
        const pcm_lammps_law  *law = pcm_lammps_law_of(laws, atom->type[i], atom->type[i]);
        for (size_t k = 0; k < contacts->count; k++)
            if (contacts->pairing[k].base == i || contacts->pairing[k].follower == i)
                law = &laws->law[contacts->pairing[k].law];
        char text[512];
        snprintf(text, sizeof text,
                 "PCM: at step %lld atom %d of type %d moves %.3g m, and neighbours are listed up to %.3g m: contact "
                 "type %.100s flings it, as the timestep of %.3g s is too long for it, or atoms overlap too much",
                 (long long)update->ntimestep, atom->tag[i], atom->type[i], step, reach,
                 pcm_type_get_info(law->type)->name, update->dt);
        return text;
    }

    /* LAMMPS's present arrays. */
    pcm_lammps_atoms view() const
    {
        pcm_lammps_atoms a = {};
        a.n_local = atom->nlocal;
        a.n_all = atom->nlocal + atom->nghost;
        a.tag = atom->tag;
        a.type = atom->type;
        a.mask = atom->mask;
        a.radius = atom->radius;
        a.mass = masses->empty() ? atom->rmass : masses->data();
        if (atom->nmax > 0) {
            a.x = atom->x[0];
            a.v = atom->v[0];
            a.omega = atom->omega[0];
            a.force = atom->f[0];
            a.torque = atom->torque[0];
        }
        if (amounts) {
            amounts->look();
            a.amount = amounts->values.data();
            a.flow = amounts->flows.data();
        }
        return a;
    }

    /* Drops the laws; the atoms keep their history for later laws. */
    virtual void leave()
    {
        pcm_lammps_contacts_close(&pairs);
        contacts->laws = NULL;
        contacts->kept = true;
        amounts = NULL;
        ledger = opened = false;
        pushed.clear();
        stability = &own_stability;
        steps.clear();
        told.clear();
        found_at = -1;
        advised = 0;
        most = looked = 0;
    }
    /* Drops all history. */
    void forget()
    {
        for (size_t i = 0; i < history.n_atoms; i++)
            history.count[i] = 0;
        history.used = 0;
        contacts->count = 0;
        contacts->kept = true;
    }

    /* The ledger of this rank: the number of contacts and the energy stored now (J); if requested, also the work done
     * on the atoms, the energy dissipated since the beginning, and the residue: what was stored when it began and what
     * moving walls have put in, less work, stored and dissipated. */
    enum { CONTACTS, STORED, WORK, DISSIPATED, RESIDUE, SUMS };

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
        if (step.advance)
            return;
        power = power_now(); /* velocities are those at the end of a whole step */
        drive = drive_now();
        if (ledger && !opened) /* earlier laws leave what they have found as it is */
            brought = sums[RESIDUE] + sums[WORK] + sums[DISSIPATED] + sums[STORED];
        opened = ledger;
    }
    void end_of_step() override
    {
        if (contacts == &pairs) {
            tell_bonds();
            advise();
        }
        if (!ledger)
            return;
        const double now = power_now(), drives = drive_now();
        sums[WORK] += 0.5 * update->dt * (power + now);
        brought += 0.5 * update->dt * (drive + drives);
        sums[RESIDUE] = brought - sums[WORK] - sums[STORED] - sums[DISSIPATED];
        power = now;
        drive = drives;
    }

    bool   ledger = false;
    double sums[SUMS] = {};

    /* ---- The largest stable step ---- */

    /* Whether the step that begins is to look for it, for the advice. That costs as much as some steps: so it is the
     * first step, the first with a longer dt, later ones whose number is a power of two, and those with a new neighbour
     * list where contacts have doubled. */
    bool is_due(bool lists)
    {
        advised++;
        const bool power = (advised & (advised - 1)) == 0 && (advised == 1 || advised >= 256);
        due = power || update->dt > looked || (lists && count_all() > 2 * most);
        return due;
    }
    void begin_stability(const pcm_lammps_atoms &atoms)
    {
        free(stability->atom);
        need(pcm_lammps_stability_begin(stability, (size_t)atoms.n_local, update->dt));
    }
    /* The largest step at which all contacts of the present step are stable, s, and for each law where it is. Known if
     * this step has found it. */
    bool find_stability()
    {
        if (stability->atom) {
            std::vector<size_t> place(contacts->laws->n_laws);
            steps.assign(contacts->laws->n_laws, Stable());
            std::vector<double> least(contacts->laws->n_laws);
            pcm_lammps_stability_end(stability, least.data(), place.data(), least.size());
            for (size_t i = 0; i < least.size(); i++)
                if (least[i] < INFINITY)
                    steps[i] = {least[i], atom->tag[place[i]], 2 * atom->radius[place[i]]};
            for (Stable &step : steps)
                step = least_of(step);
            found_at = update->ntimestep;
        }
        return found_at == update->ntimestep;
    }
    struct Stable {
        double step = INFINITY;
        int    tag = 0;
        double diameter = 0;
    };
    std::vector<Stable> steps; /* by law, over all ranks */

    pcm_lammps_stability own_stability = {}, *stability = &own_stability;

    /* If some atoms are in rigid bodies or frozen: the masses to use for contacts, of all atoms and copies. */
    std::vector<double> resisting, *masses = &resisting;
    FixPCMAmounts      *amounts = NULL; /* NULL: the laws have no amounts */

    pcm_lammps_history  history = {};
    pcm_lammps_contacts pairs = {}, *contacts;
    bool                rebuilt = true, restored = false;
    std::string         besides; /* data of a restart file other than the history */

    /* A line for restart files: the walls that have a history, in addition to that of contacts between atoms. */
    virtual std::string kept_besides() const
    {
        std::string walls;
        for (int i = 0; i < modify->nfix; i++)
            if (strcmp(modify->fix[i]->style, "wall/pcm") == 0)
                walls += std::string(" ") + modify->fix[i]->id;
        return walls;
    }

  protected:
    /* W, what a moving wall puts into its contacts. */
    virtual double drive_now() const { return 0; }
    void           keep()
    {
        if (!contacts->kept) {
            const pcm_lammps_atoms now = view();
            const bool             good = pcm_lammps_contacts_keep(contacts, &now);
            if (contacts->narrow)
                stop_together(lmp, good, contacts->laws->error);
            else if (!good)
                error->one(FLERR, std::string("PCM: ") + contacts->laws->error);
        }
        maxexchange = largest();
    }

  private:
    std::vector<double> pushed;                                /* by contacts on the atoms: forces, then torques */
    double              power = 0, drive = 0, dissipation = 0; /* of the last step, for the trapezoidal rule */
    double              brought = 0; /* J, stored when the ledger began, and what moving walls have put in since */
    bool                opened = false;

    bigint              found_at = -1, advised = 0; /* advised: the steps so far under these laws */
    bool                due = false;
    double              most = 0, looked = 0; /* contacts and time step of the last look */
    std::vector<double> told;                 /* by law: the largest step that the last warning named */

    /* The contacts after the last step, those of walls too, of all ranks. */
    double count_all() const
    {
        double mine = sums[CONTACTS], all;
        for (int k = 0; k < modify->nfix; k++)
            if (strcmp(modify->fix[k]->style, "wall/pcm") == 0)
                mine += static_cast<FixPCMHistory *>(modify->fix[k])->sums[CONTACTS];
        MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, world);
        return all;
    }

    /* Of all ranks, the one with the least step. */
    Stable least_of(Stable mine) const
    {
        struct {
            double step;
            int    rank;
        } own = {mine.step, comm->me}, first;
        MPI_Allreduce(&own, &first, 1, MPI_DOUBLE_INT, MPI_MINLOC, world);
        MPI_Bcast(&mine, sizeof mine, MPI_BYTE, first.rank, world);
        return mine;
    }
    /* Warns of a step that is too large, once for each law, and again where a lighter or stiffer atom needs one of less
     * than half. */
    void advise()
    {
        if (!due || !find_stability())
            return;
        due = false;
        most = count_all();
        looked = update->dt;
        told.resize(steps.size(), INFINITY);
        for (size_t i = 0; i < steps.size(); i++) {
            const double safe = SAFE * steps[i].step;
            if (!(update->dt > safe) || !(safe < 0.5 * told[i]))
                continue;
            told[i] = safe;
            char text[512];
            snprintf(
                text, sizeof text,
                "PCM: the timestep of %.3g s is too large for contact type %.100s: atom %d of diameter %.3g m needs "
                "one of at most %.3g s by the stiffness, damping and mass of its contacts, which are unstable above "
                "%.3g s. Shorten it or soften the contact type",
                update->dt, pcm_type_get_info(contacts->laws->law[i].type)->name, steps[i].tag, steps[i].diameter, safe,
                steps[i].step);
            if (comm->me == 0)
                error->warning(FLERR, std::string(text));
        }
    }

    /* After the first step of a run: which contact types have no bond, though they could. */
    void tell_bonds()
    {
        for (size_t i = 0; i < contacts->laws->n_laws; i++) {
            pcm_lammps_law &law = contacts->laws->law[i];
            if (!law.counts)
                continue;
            const double mine[] = {law.bonded, law.bare};
            double       all[2];
            MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, world);
            const std::string name = std::string("PCM: contact type ") + pcm_type_get_info(law.type)->name;
            if (comm->me == 0 && law.bonds && all[0] + all[1] == 0)
                error->warning(FLERR, name + " bonds nothing: no two of its bodies touch");
            if (comm->me == 0 && !law.bonds && all[0] == 0 && all[1] > 0)
                error->warning(FLERR, name + " bonds nothing: its bodies were not new as they met. `bond TYPE` behind "
                                             "the file in pair_style pcm bonds what touches now");
            law.told = law.told || all[0] + all[1] > 0;
            law.bonds = law.counts = false;
            law.bonded = law.bare = 0;
        }
    }
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
};

/* ---- The compute of the largest stable step -----------------------------------------------------------------------
 */

/* `compute ID GROUP pcm/step`: s, of all contacts and ranks; 0 where nothing touches. */
class ComputePCMStep : public Compute
{
  public:
    ComputePCMStep(LAMMPS *lmp, int narg, char **arg) : Compute(lmp, narg, arg)
    {
        if (narg != 3)
            error->all(FLERR, std::string("PCM: write compute ID all pcm/step"));
        scalar_flag = timeflag = 1;
        extscalar = 0;
    }
    void   init() override { (void)find(); }
    double compute_scalar() override
    {
        FixPCMHistory *fix = find();
        invoked_scalar = update->ntimestep;
        if (!fix->find_stability())
            error->all(FLERR,
                       std::string("PCM: compute ") + id +
                           " pcm/step was not asked for before this step: read it in a step of thermo, or of the "
                           "fix that reads it");
        scalar = INFINITY;
        for (const FixPCMHistory::Stable &of : fix->steps)
            scalar = std::min(scalar, of.step);
        scalar = scalar < INFINITY ? scalar : 0;
        return scalar;
    }

  private:
    FixPCMHistory *find() const
    {
        const int k = modify->find_fix(history_id);
        if (k < 0 || !force->pair_match("pcm", 1))
            error->all(FLERR, std::string("PCM: compute pcm/step needs pair_style pcm"));
        return static_cast<FixPCMHistory *>(modify->fix[k]);
    }
};

/* ---- The fix for walls ------------------------------------------------------------------------------------------- */

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
        extvector = 0;
        size_vector = 6 + SUMS + wall.n_given;
        global_freq = 1;
    }
    ~FixWallPCM() override { pcm_lammps_wall_close(&wall); }

    int  setmask() override { return FixPCMHistory::setmask() | FixConst::POST_FORCE; }
    void pre_exchange() override { keep(); }
    void leave() override
    {
        pcm_lammps_contacts_close(&wall.contacts);
        pcm_lammps_contacts_close(&wall.found);
        wall.found.laws = NULL;
        FixPCMHistory::leave();
    }
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
        step.stability = stability->atom ? stability : NULL;
        begin_ledger(atoms);
        good = good && pcm_lammps_wall_step(&wall, &atoms, groupbit, &step);
        end_ledger(atoms, step);
        if (!good)
            error->one(FLERR, std::string("PCM: fix ") + id + ": " + contacts->laws->error);
    }
    /* The force on the wall and its torque about the pivot, the ledger, and the flows into the wall's amounts. */
    double compute_vector(int i) override
    {
        double mine = i < 3          ? wall.force[i]
                      : i < 6        ? wall.torque[i - 3]
                      : i < 6 + SUMS ? sums[i - 6]
                                     : wall.flow[wall.given[i - 6 - SUMS].amount],
               all;
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

    std::string     name; /* of its object, with the surface */
    pcm_lammps_wall wall = {};

  protected:
    double drive_now() const override { return wall.drive; }

  private:
    double now() const { return update->atime + (double)(update->ntimestep - update->atimestep) * update->dt; }
};

} // namespace pcm_lammps

#endif

/* SPDX-License-Identifier: MIT */
/* pair_pcm_kokkos.cpp - `pair_style pcm/kk` for LAMMPS's KOKKOS package: a law that `pcm export` has written, between
 * all spheres, on the device that Kokkos is built for. The file is a plugin for LAMMPS's command `plugin load`. */
#include "contact.h"

#include "atom_kokkos.h"
#include "atom_masks.h"
#include "comm.h"
#include "error.h"
#include "fix.h"
#include "force.h"
#include "kokkos.h"
#include "lammpsplugin.h"
#include "memory.h"
#include "modify.h"
#include "neigh_list_kokkos.h"
#include "neigh_request.h"
#include "neighbor.h"
#include "pair.h"
#include "update.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

using namespace LAMMPS_NS;
using namespace pcm_kokkos;

namespace
{

using Device = LMPDeviceType;
using List = NeighListKokkos<Device>;

/* ---- History ----------------------------------------------------------------------------------------------------- */

/* The history of contacts: from one list of neighbours to the next in columns of the list, on the device; meanwhile
 * with the atoms, on the host, where it goes to other ranks. */
class FixHistory : public Fix
{
  public:
    FixHistory(LAMMPS *lmp, int narg, char **arg) : Fix(lmp, narg, arg), records((size_t)atom->nmax)
    {
        create_attribute = 1;
        maxexchange_dynamic = 1;
        datamask_read = TAG_MASK;
        datamask_modify = 0;
        atom->add_callback(Atom::GROW);
    }
    ~FixHistory() override { atom->delete_callback(id, Atom::GROW); }
    int  setmask() override { return FixConst::PRE_EXCHANGE | FixConst::POST_NEIGHBOR | FixConst::POST_RUN; }
    void setup_post_neighbor() override { post_neighbor(); }
    void post_run() override
    {
        const int n = listed;
        pre_exchange(); /* the next run may have another list; after `run N pre no` it goes on with this one */
        listed = n;
    }
    void grow_arrays(int n) override { records.resize((size_t)n); }
    void copy_arrays(int from, int to, int) override { records[(size_t)to] = records[(size_t)from]; }
    void set_arrays(int i) override { records[(size_t)i].clear(); }
    void pre_exchange() override;
    void post_neighbor() override;
    int  pack_exchange(int i, double *buffer) override
    {
        const std::vector<double> &record = records[(size_t)i];
        buffer[0] = (double)record.size();
        std::copy(record.begin(), record.end(), buffer + 1);
        return 1 + (int)record.size();
    }
    int unpack_exchange(int i, double *buffer) override
    {
        records[(size_t)i].assign(buffer + 1, buffer + 1 + (size_t)buffer[0]);
        return 1 + (int)buffer[0];
    }

    Pair               *pair = nullptr;
    bool                both = false; /* the list has a pair once, of two atoms of the rank */
    DAT::tdual_int_2d   lives;        /* by atom and place in its row of the list */
    DAT::tdual_float_2d numbers;      /* likewise, WIDTH for each */

  private:
    enum { RECORD = 1 + WIDTH }; /* the partner's ID, and the numbers */

    /* The list, on the host. */
    struct Rows {
        explicit Rows(const List *list)
            : atom(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list->d_ilist)),
              count(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list->d_numneigh)),
              neighbour(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), list->d_neighbors)), n(list->inum)
        {
        }
        typename ArrayTypes<Device>::t_int_1d::HostMirror       atom, count;
        typename ArrayTypes<Device>::t_neighbors_2d::HostMirror neighbour;
        int                                                     n;
    };
    void keep(int i, int partner, int row, int place)
    {
        std::vector<double> &record = records[(size_t)i];
        record.push_back(partner);
        for (int k = 0; k < WIDTH; k++)
            record.push_back(numbers.h_view(row, WIDTH * place + k));
        maxexchange = std::max(maxexchange, 1 + (int)record.size());
    }

    std::vector<std::vector<double>> records;    /* by atom */
    int                              listed = 0; /* atoms of the rank when the list was made; 0: the records count */
};

/* Moves the history to the atoms, before they move to other ranks and the list ends. */
void FixHistory::pre_exchange()
{
    if (listed == 0)
        return;
    lives.sync_host();
    numbers.sync_host();
    const Rows rows(static_cast<const List *>(pair->list));
    for (int i = 0; i < listed; i++)
        records[(size_t)i].clear();
    for (int k = 0; k < rows.n; k++) {
        const int i = rows.atom(k);
        for (int place = 0; place < rows.count(i); place++) {
            const int j = rows.neighbour(i, place) & NEIGHMASK;
            if (!lives.h_view(i, place))
                continue;
            keep(i, atom->tag[j], i, place);
            if (both && j < listed)
                keep(j, atom->tag[i], i, place);
        }
    }
    listed = 0;
}

/* Moves it into the columns of a new list. A full list has a pair of the rank's atoms twice: both take what the first
 * of them keeps. */
void FixHistory::post_neighbor()
{
    const List *list = static_cast<const List *>(pair->list);
    const Rows  rows(list);
    if ((int)lives.extent(0) < atom->nlocal || (int)lives.extent(1) < list->maxneighs) {
        lives = DAT::tdual_int_2d("pcm:lives", atom->nmax, list->maxneighs);
        numbers = DAT::tdual_float_2d("pcm:numbers", atom->nmax, list->maxneighs * WIDTH);
    }
    for (int k = 0; k < rows.n; k++) {
        const int i = rows.atom(k);
        for (int place = 0; place < rows.count(i); place++) {
            const int                  j = rows.neighbour(i, place) & NEIGHMASK;
            const std::vector<double> &record = records[(size_t)std::min(i, j)];
            size_t                     at = 0;
            while (at < record.size() && record[at] != atom->tag[std::max(i, j)])
                at += RECORD;
            lives.h_view(i, place) = at < record.size();
            for (int n = 0; n < WIDTH && at < record.size(); n++)
                numbers.h_view(i, WIDTH * place + n) = record[at + 1 + (size_t)n];
        }
    }
    lives.modify_host();
    numbers.modify_host();
    listed = atom->nlocal;
}

/* ---- A step ------------------------------------------------------------------------------------------------------ */

/* The contacts of one row of the list. In a full list a row adds to its own atom alone, in the order of the list, whose
 * sums do not depend on the number of threads; in half a list it adds to the other side too. */
template <int NEIGH, bool REPORTS> struct Row {
    using Types = ArrayTypes<Device>;
    using Sums = Kokkos::View<F_FLOAT *[3], typename DAT::t_f_array::array_layout, typename KKDevice<Device>::value,
                              Kokkos::MemoryTraits<AtomicF<NEIGH>::value>>;
    enum { FULL_LIST = NEIGH == FULL };

    typename Types::t_x_array      x;
    typename Types::t_v_array      v, omega;
    typename Types::t_float_1d     radius, mass;
    typename Types::t_tagint_1d    tag;
    Sums                           force, torque;
    typename Types::t_neighbors_2d neighbour;
    typename Types::t_int_1d       row, count;
    typename Types::t_int_2d       lives;
    typename Types::t_float_2d     numbers;
    double                         time, dt;
    int                            n_local;
    bool                           advance;

    KOKKOS_INLINE_FUNCTION Side side(int i) const
    {
        return {{x(i, 0), x(i, 1), x(i, 2)},
                {v(i, 0), v(i, 1), v(i, 2)},
                {omega(i, 0), omega(i, 1), omega(i, 2)},
                radius(i),
                mass(i)};
    }
    KOKKOS_INLINE_FUNCTION void add(int i, const Vec &f, const Vec &t) const
    {
        force(i, 0) += f.x, force(i, 1) += f.y, force(i, 2) += f.z;
        torque(i, 0) += t.x, torque(i, 1) += t.y, torque(i, 2) += t.z;
    }
    KOKKOS_INLINE_FUNCTION void report(const Wrench &w, const Vec &away, double share, EV_FLOAT &all) const
    {
        all.evdwl += share * w.energy;
        const double v[] = {away.x * w.force.x, away.y * w.force.y, away.z * w.force.z,
                            away.x * w.force.y, away.x * w.force.z, away.y * w.force.z};
        for (int k = 0; k < 6; k++)
            all.v[k] += share * v[k];
    }
    /* Evaluates and stores a contact; adds to what acts on atom i, and to atom j. */
    KOKKOS_INLINE_FUNCTION void act(int i, int j, int place, const Side &own, Vec &f, Vec &t, EV_FLOAT &all) const
    {
        const Side  other = side(j);
        const bool  is_base = tag(i) < tag(j), adds = !FULL_LIST && j < n_local;
        const Side &base = is_base ? own : other, &follower = is_base ? other : own;
        Held        held;
        for (int n = 0; n < WIDTH; n++)
            held.number[n] = numbers(i, WIDTH * place + n);
        const Wrench w = evaluate<REPORTS>(base, follower, time, dt, !lives(i, place), held);
        for (int n = 0; advance && n < WIDTH; n++)
            numbers(i, WIDTH * place + n) = held.number[n];
        f = sum(f, scaled(is_base ? -1 : 1, w.force));
        t = sum(t, is_base ? w.on_base : w.on_follower);
        if (adds)
            add(j, scaled(is_base ? 1 : -1, w.force), is_base ? w.on_follower : w.on_base);
        if (REPORTS)
            report(w, less(follower.at, base.at), adds ? 1 : 0.5, all);
    }
    KOKKOS_INLINE_FUNCTION void operator()(const int &k, EV_FLOAT &all) const
    {
        const int  i = row(k);
        const Side own = side(i);
        Vec        f = {0, 0, 0}, t = {0, 0, 0};
        for (int place = 0; place < count(i); place++) {
            const int  j = neighbour(i, place) & NEIGHMASK;
            const Vec  away = {x(j, 0) - own.at.x, x(j, 1) - own.at.y, x(j, 2) - own.at.z};
            const bool touches = touch(away, own.radius + radius(j), lives(i, place));
            if (touches)
                act(i, j, place, own, f, t, all);
            if (advance)
                lives(i, place) = touches;
        }
        add(i, f, t);
        all.ecoul += 0 * (f.x + f.y + f.z + t.x + t.y + t.z); /* NaN: something is not finite */
    }
};

/* ---- The pair style ---------------------------------------------------------------------------------------------- */

class PairPCMKokkos : public Pair
{
  public:
    explicit PairPCMKokkos(LAMMPS *lmp) : Pair(lmp)
    {
        kokkosable = 1;
        single_enable = restartinfo = 0;
        no_virial_fdotr_compute = finitecutflag = 1;
        execution_space = ExecutionSpaceFromDevice<Device>::space;
        datamask_read = X_MASK | V_MASK | OMEGA_MASK | RADIUS_MASK | RMASS_MASK | TAG_MASK | F_MASK | TORQUE_MASK;
        datamask_modify = F_MASK | TORQUE_MASK;
    }
    ~PairPCMKokkos() override
    {
        if (history && modify->find_fix(ID) >= 0)
            modify->delete_fix(ID);
        if (allocated) {
            memory->destroy(setflag);
            memory->destroy(cutsq);
        }
    }

    void   settings(int narg, char **) override;
    void   coeff(int narg, char **arg) override;
    void   init_style() override;
    double init_one(int, int) override { return 2 * largest; }
    void   compute(int eflag, int vflag) override;

  private:
    static constexpr const char *ID = "PCM_KOKKOS";

    void                                        check_surroundings();
    template <int NEIGH, bool REPORTS> EV_FLOAT step();
    template <int NEIGH> EV_FLOAT               step()
    {
        return eflag_either || vflag_either ? step<NEIGH, true>() : step<NEIGH, false>();
    }
    void stop(const char *text) { error->all(FLERR, std::string("PCM: ") + text); }

    FixHistory *history = nullptr;
    double      largest = 0; /* radius */
};

void PairPCMKokkos::settings(int narg, char **)
{
    if (narg != 0)
        stop("pair_style pcm/kk takes no words: its law is compiled in");
    if (!lmp->kokkos || !lmp->kokkos->kokkos_exists)
        stop("pair_style pcm/kk needs -k on: run `lmp -k on -sf kk`");
    if (!history)
        history = static_cast<FixHistory *>(modify->add_fix(std::string(ID) + " all PCM_HISTORY/KK"));
    history->pair = this;
}

void PairPCMKokkos::coeff(int narg, char **arg)
{
    const int n = atom->ntypes;
    if (narg != 2 || strcmp(arg[0], "*") != 0 || strcmp(arg[1], "*") != 0)
        stop("write pair_coeff * *: one contact type acts between all atoms");
    if (!allocated) {
        memory->create(setflag, n + 1, n + 1, "pair:setflag");
        memory->create(cutsq, n + 1, n + 1, "pair:cutsq");
        allocated = 1;
    }
    for (int i = 0; i <= n; i++)
        for (int j = 0; j <= n; j++)
            setflag[i][j] = i > 0 && j >= i;
}

void PairPCMKokkos::check_surroundings()
{
    if (PCM_LAW(_SEPARATION) > 0 || PCM_LAW(_ONSET) > 0)
        stop("this law acts beyond contact: pair_style pcm has such laws, pcm/kk has not");
    if (!atom->radius_flag || !atom->rmass_flag || !atom->omega_flag || !atom->torque_flag)
        stop("pair_style pcm/kk needs atom_style sphere/kk, for radius, mass and spin");
    if (force->newton_pair)
        stop("a contact between two ranks is evaluated on both: write `newton off` before the box is made");
    if (!comm->ghost_velocity)
        stop("contacts need the velocities of other ranks' atoms: write `comm_modify vel yes`");
    if (force->pair != this)
        stop("pair_style pcm/kk cannot be a part of pair_style hybrid");
    for (int k = 0; k < modify->nfix; k++)
        for (const char *other : {"freeze", "rigid", "pour", "deposit", "adapt"})
            if (strncmp(modify->fix[k]->style, other, strlen(other)) == 0)
                error->all(FLERR, std::string("PCM: pair_style pcm/kk does not know what fix ") +
                                      modify->fix[k]->style + " does to masses and radii: pair_style pcm does");
}

void PairPCMKokkos::init_style()
{
    check_surroundings();
    double mine = 0;
    for (int i = 0; i < atom->nlocal; i++)
        mine = std::max(mine, atom->radius[i]);
    MPI_Allreduce(&mine, &largest, 1, MPI_DOUBLE, MPI_MAX, world);
    history->both = lmp->kokkos->neighflag != FULL;
    const int     k = neighbor->request(this, instance_me);
    NeighRequest *request = neighbor->requests[k];
    request->kokkos_device = 1;
    request->half = history->both;
    request->full = !history->both;
    request->size = history->both;
}

template <int NEIGH, bool REPORTS> EV_FLOAT PairPCMKokkos::step()
{
    AtomKokkos         *atoms = static_cast<AtomKokkos *>(atom);
    const List         *rows = static_cast<const List *>(list);
    Row<NEIGH, REPORTS> row;
    EV_FLOAT            all;
    row.x = atoms->k_x.view<Device>();
    row.v = atoms->k_v.view<Device>();
    row.omega = atoms->k_omega.view<Device>();
    row.radius = atoms->k_radius.view<Device>();
    row.mass = atoms->k_rmass.view<Device>();
    row.tag = atoms->k_tag.view<Device>();
    row.force = atoms->k_f.view<Device>();
    row.torque = atoms->k_torque.view<Device>();
    row.neighbour = rows->d_neighbors;
    row.row = rows->d_ilist;
    row.count = rows->d_numneigh;
    row.lives = history->lives.view<Device>();
    row.numbers = history->numbers.view<Device>();
    row.advance = !update->setupflag;
    row.dt = row.advance ? update->dt : 0;
    row.time = update->atime + (double)(update->ntimestep - update->atimestep) * update->dt;
    row.n_local = atom->nlocal;
    Kokkos::parallel_reduce(Kokkos::RangePolicy<Device>(0, rows->inum), row, all);
    return all;
}

/* A run's setup evaluates the state after the last step: nothing may advance, and no time passes. */
void PairPCMKokkos::compute(int eflag, int vflag)
{
    ev_init(eflag, vflag, 0);
    if (eflag_atom || vflag_atom)
        stop("pair_style pcm/kk has no energy and stress of each atom: pair_style pcm has");
    static_cast<AtomKokkos *>(atom)->sync(execution_space, datamask_read);
    history->lives.sync<Device>();
    history->numbers.sync<Device>();
    const int      kind = lmp->kokkos->neighflag;
    const EV_FLOAT all = kind == FULL ? step<FULL>() : kind == HALFTHREAD ? step<HALFTHREAD>() : step<HALF>();
    history->lives.modify<Device>();
    history->numbers.modify<Device>();
    static_cast<AtomKokkos *>(atom)->modified(execution_space, datamask_modify);
    if (!(all.ecoul == 0))
        error->one(FLERR, "PCM: a force or torque is not finite: the time step may be too large");
    eng_vdwl += all.evdwl;
    for (int k = 0; k < 6; k++)
        virial[k] += vflag_global ? all.v[k] : 0;
}

/* ---- The plugin -------------------------------------------------------------------------------------------------- */

void *make_pair(void *lmp) { return new PairPCMKokkos(static_cast<LAMMPS *>(lmp)); }
void *make_history(void *lmp, int narg, char **arg) { return new FixHistory(static_cast<LAMMPS *>(lmp), narg, arg); }

} // namespace

extern "C" void lammpsplugin_init(void *lmp, void *handle, void *add)
{
    lammpsplugin_t plugin = {};
    plugin.version = static_cast<LAMMPS *>(lmp)->version;
    plugin.author = "the authors of PCM";
    plugin.info = "a contact law of PCM for Kokkos";
    plugin.handle = handle;
    plugin.style = "pair";
    plugin.name = "pcm/kk";
    plugin.creator.v1 = make_pair;
    reinterpret_cast<lammpsplugin_regfunc>(add)(&plugin, lmp);
    plugin.style = "fix";
    plugin.name = "PCM_HISTORY/KK";
    plugin.creator.v2 = make_history;
    reinterpret_cast<lammpsplugin_regfunc>(add)(&plugin, lmp);
}

/* SPDX-License-Identifier: MIT */
/* release.h - the releases of MuJoCo, 2.2.0 to 4.0.1: everything that differs between them for this host.
 *
 * MuJoCo has no ABI: almost every release changes the layout of mjModel and mjData. The host is therefore compiled
 * for one release and rejects the library of another one (pcm_release_fits). It also rejects a release later than the
 * last one that it was tested with; CONTRIBUTING.md says how to add one. */
#ifndef PCM_MUJOCO_RELEASE_H
#define PCM_MUJOCO_RELEASE_H

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A release as one number, 2002002 for 2.2.2. MuJoCo's own has one digit for each part up to 3.4. */
#define PCM_RELEASE_NUMBER(version)                                                                                    \
    ((version) < 1000 ? (version) / 100 * 1000000 + (version) / 10 % 10 * 1000 + (version) % 10 : (version))
#define PCM_RELEASE PCM_RELEASE_NUMBER(mjVERSION_HEADER)

/* The last release that the tests ran with, as a number and as text. */
#define PCM_RELEASE_LAST      4000001
#define PCM_RELEASE_LAST_TEXT "4.0.1"

#if PCM_RELEASE < 2002000
#error "PCM needs MuJoCo 2.2.0 or later"
#elif PCM_RELEASE > PCM_RELEASE_LAST
#warning "this MuJoCo is later than the last one that PCM was tested with (PCM_RELEASE_LAST): nothing will attach to it"
#endif

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

/* The arguments of mju_error and mju_warning for a finished text: from 2.3 on they take a format. */
#ifdef mjPRINTFLIKE
#define PCM_RELEASE_MESSAGE(text) "%s", (text)
#else
#define PCM_RELEASE_MESSAGE(text) (text)
#endif

/* ---- Collision functions ----------------------------------------------------------------------------------------- */

/* The struct that a collision function writes for each point. */
#if PCM_RELEASE >= 3009000
typedef mjPreContact        pcm_found;
static inline mjtNum       *pcm_found_axis(pcm_found *found) { return found->normal; }
static inline const mjtNum *pcm_found_normal(const pcm_found *found) { return found->normal; }
static inline const mjtNum *pcm_found_tangent(const pcm_found *found) { return found->tangent; }
#else
typedef mjContact           pcm_found;
static inline mjtNum       *pcm_found_axis(pcm_found *found) { return found->frame; }
static inline const mjtNum *pcm_found_normal(const pcm_found *found) { return found->frame; }
static inline const mjtNum *pcm_found_tangent(const pcm_found *found) { return found->frame + 3; }
#endif

#if PCM_RELEASE >= 3007000
typedef mjData pcm_collision_data;
#else
typedef const mjData        pcm_collision_data;
#endif

/* Whether the general convex algorithm finds several points of a pair. */
static inline bool pcm_release_multiccd(const mjModel *model)
{
#if PCM_RELEASE >= 3008000
    return !(model->opt.disableflags & mjDSBL_MULTICCD);
#else
    return model->opt.enableflags & mjENBL_MULTICCD;
#endif
}

/* The pose of a mesh's file axes in the axes that MuJoCo gives the mesh; false: this release does not store it. */
static inline bool pcm_release_mesh_place(const mjModel *model, int mesh, double at[3], double turn[4])
{
#if PCM_RELEASE >= 3000000
    mju_copy3(at, model->mesh_pos + 3 * mesh);
    mju_copy4(turn, model->mesh_quat + 4 * mesh);
    return true;
#else
    (void)model, (void)mesh, (void)at, (void)turn;
    return false;
#endif
}

/* The distance from the point to the site's shape along a ray, in m; below 0: the ray misses it. */
static inline double pcm_release_ray(const mjModel *model, const mjData *data, int site, const double point[3],
                                     const double along[3])
{
    const double *at = data->site_xpos + 3 * site, *axes = data->site_xmat + 9 * site;
    const double *size = model->site_size + 3 * site;
#if PCM_RELEASE >= 3005000
    return mju_rayGeom(at, axes, size, point, along, model->site_type[site], NULL);
#else
    return mju_rayGeom(at, axes, size, point, along, model->site_type[site]);
#endif
}

/* Whether the point lies in a site whose shape is a mesh: in its convex hull. */
static inline bool pcm_release_inside_mesh(const mjModel *model, const mjData *data, int site, const double point[3])
{
#if PCM_RELEASE >= 3013000
    return model->site_type[site] == mjGEOM_MESH && mj_insideSite(model, data, site, point);
#else
    (void)model, (void)data, (void)site, (void)point;
    return false;
#endif
}

/* The contacts that a contact sensor selects. */
typedef enum pcm_reduction {
    PCM_REDUCE_NONE,
    PCM_REDUCE_NEAREST,   /* mindist */
    PCM_REDUCE_STRONGEST, /* maxforce */
    PCM_REDUCE_NET,       /* netforce */
} pcm_reduction;

/* Whether the sensor is a contact sensor; the fields that it reports, a bit for each mjtConDataField; and which
 * contacts it selects. */
static inline bool pcm_release_contact_sensor(const mjModel *model, int sensor, int *fields, pcm_reduction *reduction)
{
#if PCM_RELEASE >= 3003004
    const int *parameters = model->sensor_intprm + mjNSENS * sensor;
    *fields = parameters[0];
    *reduction = (pcm_reduction)parameters[1];
    return model->sensor_type[sensor] == mjSENS_CONTACT;
#else
    (void)model, (void)sensor, (void)fields, (void)reduction;
    return false;
#endif
}

/* Whether a contact sensor reports velocities. */
static inline bool pcm_release_measures_motion(const mjModel *model, int sensor)
{
#if PCM_RELEASE >= 3016000
    int           fields;
    pcm_reduction reduction;
    return pcm_release_contact_sensor(model, sensor, &fields, &reduction) &&
           fields & (1 << mjCONDATA_LINVEL | 1 << mjCONDATA_ANGVEL);
#else
    (void)model, (void)sensor;
    return false;
#endif
}

/* Whether the net force of no contacts has axes: of the world. */
#define PCM_RELEASE_NETS_NONE (PCM_RELEASE <= 3015999)

/* The limit for the numbers of a contact sensor; infinite: none. Later releases do not limit them. */
static inline double pcm_release_contact_cutoff(const mjModel *model, int sensor)
{
#if PCM_RELEASE < 3005000
    if (model->sensor_cutoff[sensor] > 0)
        return model->sensor_cutoff[sensor];
#else
    (void)model, (void)sensor;
#endif
    return INFINITY;
}

/* Whether the sensor's value is delayed, filtered or sampled, and not just the present measurement. */
static inline bool pcm_release_late_sensor(const mjModel *model, int sensor)
{
#if PCM_RELEASE >= 3006000
    return model->sensor_history[2 * sensor] > 0 || model->sensor_delay[sensor] > 0 ||
           model->sensor_interval[2 * sensor] > 0;
#else
    (void)model, (void)sensor;
    return false;
#endif
}

/* How many points the function for a pair of geoms may return: from 3.8 on, at most as many as MuJoCo's own
 * function. */
static inline int pcm_release_pair_room(const mjModel *model, int geom_a, int geom_b)
{
#if PCM_RELEASE >= 3008001
    const int touching = mj_maxContact(model, geom_a, geom_b, 0), near = mj_maxContact(model, geom_a, geom_b, 1);
    return touching < near ? touching : near;
#else
    (void)model, (void)geom_a, (void)geom_b;
    return mjMAXCONPAIR;
#endif
}

/* Whether MuJoCo has room for that many contacts and as many of its own. */
static inline bool pcm_release_has_room(const mjModel *model, const mjData *data, int contacts)
{
    if (model->nconmax >= 0 && contacts > model->nconmax / 2)
        return false;
#if PCM_RELEASE >= 3000000
    const double bytes = (double)data->narena;
#elif PCM_RELEASE >= 2003000
    const double bytes = (double)data->nstack * (double)sizeof(mjtNum);
#else
    const double bytes = INFINITY; /* the buffer holds nconmax of them */
    (void)data;
#endif
    return 4.0 * contacts * (double)sizeof(mjContact) <= bytes;
}

/* Whether MuJoCo may search for contacts in several threads at once. */
static inline bool pcm_release_is_threaded(const mjData *data)
{
#if PCM_RELEASE >= 3000000
    return data->threadpool;
#else
    (void)data;
    return false;
#endif
}

/* Releases for which we know how contacts are gathered: until 3.3 one pair after another; from 3.12 on by a pool of
 * threads, if there is one. */
#define PCM_RELEASE_GATHERS_PAIRS (PCM_RELEASE < 3000000 || (PCM_RELEASE >= 3003000 && PCM_RELEASE <= 3003999))
#define PCM_RELEASE_GATHERS_ALL   (PCM_RELEASE >= 3012000)

/* Whether a collision function may itself add contacts. */
static inline bool pcm_release_adds(const mjData *data)
{
    return PCM_RELEASE_GATHERS_PAIRS || (PCM_RELEASE_GATHERS_ALL && !pcm_release_is_threaded(data));
}

/* Whether collision functions write into mjData's own memory during a search for contacts, and elsewhere when a
 * distance is measured. */
#define PCM_RELEASE_LISTS_IN_ARENA ((PCM_RELEASE_GATHERS_PAIRS || PCM_RELEASE_GATHERS_ALL) && PCM_RELEASE >= 3000000)
static inline bool pcm_release_in_arena(const mjData *data, const void *place)
{
#if PCM_RELEASE >= 3000000
    const uintptr_t at = (uintptr_t)place, start = (uintptr_t)data->arena;
    return at >= start && at < start + (size_t)data->narena;
#else
    (void)data, (void)place;
    return true;
#endif
}

/* Whether a sensor measures a distance by a call that differs from a search for contacts only in its margin. */
static inline bool pcm_release_asks_like_contacts(const mjModel *model, int sensor)
{
#if PCM_RELEASE >= 3001006
    const int type = model->sensor_type[sensor];
    return !PCM_RELEASE_LISTS_IN_ARENA &&
           (type == mjSENS_GEOMDIST || type == mjSENS_GEOMNORMAL || type == mjSENS_GEOMFROMTO);
#else
    (void)model, (void)sensor;
    return false;
#endif
}

/* Whether MuJoCo sweeps fast geoms and adds contacts ahead of an impact: of each pair, whatever its collision function
 * returned. */
static inline bool pcm_release_speculates(const mjModel *model)
{
#if PCM_RELEASE >= 4000000
    return model->opt.enableflags & mjENBL_SPECULATIVE;
#else
    (void)model;
    return false;
#endif
}

/* Whether a spring of the model yields, which MuJoCo's integrators alone follow. */
static inline bool pcm_release_yields(const mjModel *model)
{
#if PCM_RELEASE >= 4000000
    return model->nplastic > 0;
#else
    (void)model;
    return false;
#endif
}

/* The gap of two geoms that are not in the model's list of pairs. */
static inline double pcm_release_gap(const mjModel *model, int geom_a, int geom_b)
{
    const double a = model->geom_gap[geom_a], b = model->geom_gap[geom_b];
    return PCM_RELEASE >= 3012000 ? a + b : fmax(a, b);
}

/* Members that mjContact has from 3.0 on: the geoms as an array, and no flexes; solver parameters of friction; friction
 * of a model that overrides parameters. */
static inline void pcm_release_geoms(mjContact *contact)
{
#if PCM_RELEASE >= 3000000
    contact->geom[0] = contact->geom1;
    contact->geom[1] = contact->geom2;
    for (int i = 0; i < 2; i++)
        contact->flex[i] = contact->elem[i] = contact->vert[i] = -1;
#else
    (void)contact;
#endif
}
static inline void pcm_release_friction_ref(const mjModel *model, int pair, mjContact *contact)
{
#if PCM_RELEASE >= 3000000
    for (int i = 0; i < mjNREF; i++)
        contact->solreffriction[i] = model->pair_solreffriction[mjNREF * pair + i];
#else
    (void)model, (void)pair, (void)contact;
#endif
}
static inline void pcm_release_override(const mjModel *model, mjContact *contact)
{
#if PCM_RELEASE >= 3000000
    for (int i = 0; i < 5; i++)
        contact->friction[i] = model->opt.o_friction[i];
    for (int i = 0; i < mjNREF; i++)
        contact->solreffriction[i] = model->opt.o_solref[i];
#else
    (void)model, (void)contact;
#endif
}

/* Whether the contacts of a geom, or of a pair in the model's list, adhere. */
static inline bool pcm_release_adhesion(const mjModel *model, int geom, int pair)
{
#if PCM_RELEASE >= 3012000
    return geom >= 0 ? model->geom_adhesion[geom] != 0 : model->pair_adhesion[pair] != 0;
#else
    (void)model, (void)geom, (void)pair;
    return false;
#endif
}
/* A geom's surface velocity on the geom: linear, angular, in its axes; NULL: this release has none. And whether one of
 * the model's geoms had one when it was compiled, without which MuJoCo ignores them. */
static inline const double *pcm_release_surface_velocity(const mjModel *model, int geom)
{
#if PCM_RELEASE >= 3012000
    return model->geom_surfacevel + 6 * geom;
#else
    (void)model, (void)geom;
    return NULL;
#endif
}
static inline bool pcm_release_surfaces_move(const mjModel *model)
{
#if PCM_RELEASE >= 3012000
    return model->flg_surfacevel;
#else
    (void)model;
    return false;
#endif
}

/* Draws an arrow. */
static inline void pcm_release_arrow(mjvGeom *geom, double width, const double from[3], const double to[3])
{
#if PCM_RELEASE >= 3000000
    mjv_connector(geom, mjGEOM_ARROW, width, from, to);
#else
    mjv_makeConnector(geom, mjGEOM_ARROW, width, from[0], from[1], from[2], to[0], to[1], to[2]);
#endif
}

/* ---- Filters ----------------------------------------------------------------------------------------------------- */

/* The entry of exclude_signature for two bodies, the lower one first. */
static inline int pcm_release_exclude(int low, int high)
{
#if PCM_RELEASE >= 3000000
    return (low << 16) + high;
#else
    return ((low + 1) << 16) + high + 1;
#endif
}

/* Whether pairs in the model's list collide, and whether other pairs do. */
static inline bool pcm_release_explicit(const mjModel *model)
{
#if PCM_RELEASE >= 3000000
    (void)model;
    return true;
#else
    return model->opt.collision != mjCOL_DYNAMIC;
#endif
}
static inline bool pcm_release_dynamic(const mjModel *model)
{
#if PCM_RELEASE >= 3000000
    (void)model;
    return true;
#else
    return model->opt.collision != mjCOL_PAIR;
#endif
}

/* ---- The stack --------------------------------------------------------------------------------------------------- */

/* The top of MuJoCo's stack: an error that leaves MuJoCo by longjmp does not restore it. */
typedef struct pcm_stack_mark {
    size_t top, base;
} pcm_stack_mark;

static inline pcm_stack_mark pcm_release_stack(const mjData *data)
{
#if PCM_RELEASE >= 3000000
    return (pcm_stack_mark){data->pstack, data->pbase};
#else
    return (pcm_stack_mark){(size_t)data->pstack, 0};
#endif
}
static inline void pcm_release_unwind(mjData *data, pcm_stack_mark mark)
{
    data->pstack = (__typeof__(data->pstack))mark.top;
#if PCM_RELEASE >= 3000000
    data->pbase = mark.base;
#endif
}

/* Whether an evaluation is part of a larger computation, such as a stage of RK4 or a finite difference. */
static inline bool pcm_release_nested(const mjData *data) { return data->pstack > 0; }

/* Whether the model has flexes, whose contacts no law serves. */
static inline bool pcm_release_has_flex(const mjModel *model)
{
#if PCM_RELEASE >= 3000000
    return model->nflex > 0;
#else
    (void)model;
    return false;
#endif
}

/* Whether MuJoCo skips passive forces, and with them the callback for passive forces. */
static inline bool pcm_release_skips_passive(const mjModel *model)
{
#if PCM_RELEASE >= 3003005
    const int all = mjDSBL_SPRING | mjDSBL_DAMPER;
#else
    const int all = mjDSBL_PASSIVE;
#endif
    return (model->opt.disableflags & all) == all;
}

/* Whether MuJoCo's Euler method adds the damping of joints to M. */
static inline bool pcm_release_euler_damps(const mjModel *model)
{
#if PCM_RELEASE >= 3003005
    return !(model->opt.disableflags & (mjDSBL_EULERDAMP | mjDSBL_DAMPER));
#elif PCM_RELEASE >= 3000000
    return !(model->opt.disableflags & mjDSBL_EULERDAMP);
#else
    (void)model;
    return true;
#endif
}

/* ---- Sleep ------------------------------------------------------------------------------------------------------- */

/* Releases in which bodies can sleep. */
#define PCM_RELEASE_HAS_SLEEP (PCM_RELEASE >= 3004000)

/* ---- Inertia ----------------------------------------------------------------------------------------------------- */

/* Where M is stored: in qM, row by row from the diagonal up the tree; from about 3.3 on also in M, as compressed rows
 * that end with the diagonal; from about 3.11 on only there. The layout in the releases between is not known. */
#define PCM_RELEASE_HAS_QM   (PCM_RELEASE <= 3010999)
#define PCM_RELEASE_HAS_ROWS (PCM_RELEASE >= 3003007)
#define PCM_RELEASE_KNOWS_INERTIA                                                                                      \
    (PCM_RELEASE <= 3002005 || (PCM_RELEASE >= 3003007 && PCM_RELEASE <= 3010999) || PCM_RELEASE >= 3012000)

/* Adds to the entry of M for a joint and its ancestor `up` joints further up the tree. */
static inline void pcm_release_add_inertia(const mjModel *model, mjData *data, int dof, int up, double value)
{
#if PCM_RELEASE_HAS_QM
    data->qM[model->dof_Madr[dof] + up] += value;
#endif
#if PCM_RELEASE_HAS_ROWS
    if (up < model->M_rownnz[dof])
        data->M[model->M_rowadr[dof] + model->M_rownnz[dof] - 1 - up] += value;
#else
    (void)model;
#endif
}

/* With M = L' D L: the entry of L for a joint and its ancestor `up` joints further up the tree, and 1 / D. */
static inline double pcm_release_factor(const mjModel *model, const mjData *data, int dof, int up)
{
#if PCM_RELEASE_HAS_ROWS
    return up < model->M_rownnz[dof] ? data->qLD[model->M_rowadr[dof] + model->M_rownnz[dof] - 1 - up] : 0;
#else
    return model->dof_simplenum[dof] > 0 ? 0 : data->qLD[model->dof_Madr[dof] + up];
#endif
}
static inline double pcm_release_inverse(const mjData *data, int dof) { return data->qLDiagInv[dof]; }

/* The diagonal entry of a joint. */
static inline double pcm_release_inertia(const mjModel *model, const mjData *data, int dof)
{
#if PCM_RELEASE_HAS_QM
    return data->qM[model->dof_Madr[dof]];
#else
    return data->M[model->M_rowadr[dof] + model->M_rownnz[dof] - 1];
#endif
}

/* M and its factors, as arrays of mjData. Returns the number of arrays. */
enum { PCM_RELEASE_PARTS = 4 };
static inline int pcm_release_inertia_parts(const mjModel *model, const mjData *data, mjtNum *part[PCM_RELEASE_PARTS],
                                            int size[PCM_RELEASE_PARTS])
{
    int n = 0;
#if PCM_RELEASE_HAS_QM
    part[n] = data->qM, size[n++] = (int)model->nM;
#endif
#if PCM_RELEASE_HAS_ROWS
    part[n] = data->M, size[n++] = (int)model->nC;
    part[n] = data->qLD, size[n++] = (int)model->nC;
#elif PCM_RELEASE_KNOWS_INERTIA
    part[n] = data->qLD, size[n++] = model->nM;
    part[n] = data->qLDiagSqrtInv, size[n++] = model->nv;
#endif
    part[n] = data->qLDiagInv, size[n++] = (int)model->nv;
    return n;
}

static inline size_t pcm_release_inertia_size(const mjModel *model, const mjData *data)
{
    mjtNum *part[PCM_RELEASE_PARTS];
    int     size[PCM_RELEASE_PARTS];
    size_t  sum = 0;
    for (int i = pcm_release_inertia_parts(model, data, part, size) - 1; i >= 0; i--)
        sum += (size_t)size[i];
    return sum;
}

/* Saves M and its factors in kept, or restores them from there. */
static inline void pcm_release_keep_inertia(const mjModel *model, const mjData *data, double *kept, bool save)
{
    mjtNum *part[PCM_RELEASE_PARTS];
    int     size[PCM_RELEASE_PARTS];
    for (int i = pcm_release_inertia_parts(model, data, part, size) - 1; i >= 0; i--) {
        mju_copy(save ? kept : part[i], save ? part[i] : kept, size[i]);
        kept += size[i];
    }
}

/* Recomputes the part of the constraints that depends on M, after M was changed between mj_step1 and mj_step2. */
static inline void pcm_release_project(const mjModel *model, mjData *data)
{
    if (data->nefc == 0)
        return;
#if PCM_RELEASE_HAS_ROWS && PCM_RELEASE <= 3009999
    if (data->nisland > 0) /* islands have copies of M */
        mj_island(model, data);
#endif
    mj_projectConstraint(model, data);
}

/* ---- A mark ------------------------------------------------------------------------------------------------------ */

/* 64 bits of mjData for our own use: mj_copyData copies them, a reset clears them, and nothing else reads them. They
 * are stored in two warnings, in a member that has a meaning only after the warning was given. */
static inline bool pcm_release_has_mark(const mjData *data)
{
    return data->warning[mjWARN_BADQPOS].number == 0 && data->warning[mjWARN_BADQVEL].number == 0;
}
static inline uint64_t pcm_release_mark(const mjData *data)
{
    return (uint64_t)(uint32_t)data->warning[mjWARN_BADQPOS].lastinfo << 32 |
           (uint32_t)data->warning[mjWARN_BADQVEL].lastinfo;
}
static inline void pcm_release_set_mark(mjData *data, uint64_t mark)
{
    data->warning[mjWARN_BADQPOS].lastinfo = (int)(uint32_t)(mark >> 32);
    data->warning[mjWARN_BADQVEL].lastinfo = (int)(uint32_t)mark;
}

/* ---- Integrators ------------------------------------------------------------------------------------------------- */

#if PCM_RELEASE >= 2003003
#define PCM_RELEASE_IMPLICITFAST mjINT_IMPLICITFAST
#else
#define PCM_RELEASE_IMPLICITFAST (-1)
#endif
#if PCM_RELEASE >= 3013000
#define PCM_RELEASE_DISCRETE mjINT_DISCRETE
#else
#define PCM_RELEASE_DISCRETE (-1)
#endif

/* The name of the model's integrator if steps cannot be implicit in contacts under it: discrete solves with a matrix of
 * its own in place of M. NULL: they can. */
static inline const char *pcm_release_explicit_integrator(const mjModel *model)
{
    return model->opt.integrator == PCM_RELEASE_DISCRETE ? "discrete" : NULL;
}

/* ---- Checks at compile time -------------------------------------------------------------------------------------- */

#define PCM_RELEASE_TEXT_(number) #number
#define PCM_RELEASE_TEXT(number)  PCM_RELEASE_TEXT_(number)
#define PCM_RELEASE_HOLDS(condition, what)                                                                             \
    _Static_assert(condition, "PCM does not support MuJoCo " PCM_RELEASE_TEXT(mjVERSION_HEADER) ": " what)
#define PCM_RELEASE_IS(value, type) _Generic((value), type : 1, default : 0)

PCM_RELEASE_HOLDS(PCM_RELEASE_IS((mjtNum)0, double), "mjtNum is not double");
PCM_RELEASE_HOLDS(PCM_RELEASE_IS((mjfCollision)0,
                                 int (*)(const mjModel *, pcm_collision_data *, pcm_found *, int, int, mjtNum)),
                  "collision functions have other parameters");
PCM_RELEASE_HOLDS(PCM_RELEASE_IS((mjfGeneric)0, void (*)(const mjModel *, mjData *)),
                  "mjcb_passive has other parameters");
PCM_RELEASE_HOLDS(sizeof(((pcm_found *)0)->pos) == 3 * sizeof(double), "points are not three numbers");
PCM_RELEASE_HOLDS(sizeof(mjCOLLISIONFUNC) == mjNGEOMTYPES * mjNGEOMTYPES * sizeof(mjfCollision),
                  "the table of collision functions has another size");
#if PCM_RELEASE >= 3003004
PCM_RELEASE_HOLDS(mjCONDATA_FOUND == 0 && mjCONDATA_TANGENT == 6 && mjNCONDATA == (PCM_RELEASE >= 3016000 ? 9 : 7),
                  "contact sensors have other fields");
#endif
#if PCM_RELEASE >= 3009000
PCM_RELEASE_HOLDS(sizeof(mjPreContact) == 10 * sizeof(double), "mjPreContact has other members");
#endif

/* Whether the loaded library is of a release that PCM was tested with, and of the one for which this was compiled. */
static inline bool pcm_release_known(void) { return PCM_RELEASE_NUMBER(mj_version()) <= PCM_RELEASE_LAST; }
static inline bool pcm_release_fits(void) { return mj_version() == mjVERSION_HEADER; }

#endif

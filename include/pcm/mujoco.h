/* SPDX-License-Identifier: MIT */
/* mujoco.h - contact laws of a .pcm file in MuJoCo.
 *
 *   mjModel    *model = mj_loadXML("scene.xml", NULL, error, sizeof error);
 *   mjData     *data  = mj_makeData(model);
 *   pcm_mujoco *host  = pcm_mujoco_attach(context, config, model, data, NULL);        only this call is added
 *   while (data->time < 5)
 *       mj_step(model, data);
 *   pcm_status status = pcm_mujoco_status(host);
 *
 * Objects are the geoms that can collide. An object has the geom's name or, if it has none, its body's; the surface is
 * the name of the material. Rules can also match a geom without a name by its place among its body's geoms, its type or
 * its group: "Calf.3", "Calf:sphere", "Calf:group3" (also in patterns that contain the '.' or ':'). It then has that
 * name instead of its body's. A named site is an object too, a point that touches planes, if an ObjectPair rule has its
 * name, or a pattern that fits it and no geom, or if a SurfacePair rule matches its material (DefaultPair does not).
 * Pairs that the rules give to a law are removed from MuJoCo's solver; all other pairs stay in it, even those of the
 * same geoms.
 *
 * Steps and trials. Laws give forces whenever MuJoCo computes passive forces: in mj_step, mj_step1, mj_forward,
 * mj_inverse, mjd_transitionFD. An evaluation is a trial until the data's clock has advanced by opt.timestep. Then it
 * was a step: contact states advance at the next evaluation, or in pcm_mujoco_status. pcm_mujoco_step is mj_step with
 * that commit; both ways give the same bits. A clock that stands still while the positions move by the new velocities
 * counts as a step, too. If the clock shows any other time, the state was set
 * (mj_resetData, a keyframe, a copy), and contacts start as after attaching. RK4 evaluates within steps: those
 * evaluations are trials.
 *
 * Copies. Any number of unattached mjData of the same model may be used, in any threads: each has contacts of its own.
 * A copy by mj_copyData continues from the contacts of its original, whatever is then changed in it, as long as the
 * original is at most one step ahead. (One step ahead is not allowed under RK4 if the original is another copy, or is
 * attached and in another thread.) An mjData that is set to the state of the attached one at its time continues in the
 * same way. If copies of an attached mjData are stepped in other threads, its last 64 steps are kept for copies that
 * start late. Any other mjData starts without
 * contacts. pcm_mujoco_fork passes contacts to a copy explicitly, and a checkpoint passes them to another process. A
 * mark in the mjData identifies the original; it is stored in the members lastinfo of the warnings of bad positions and
 * velocities. Once MuJoCo has given such a warning, only the clock identifies it.
 *
 * Sensors. Forces go into qfrc_passive. pcm_mujoco_step and pcm_mujoco_forward compute force and torque sensors again
 * with them. Only if the model has user sensors, or such sensors with a delay or under RK4, they put forces into
 * xfrc_applied instead: they are added to the user's values there, which are restored afterwards, and an mjcb_control
 * may then add to xfrc_applied but not set it.
 *
 * Integrators. Euler, implicit and implicitfast are first order in the contact states. Under RK4 continuous contact
 * states go through the same four stages as MuJoCo's own, which keeps order 4; history states advance once per step.
 *
 * Releases. 2.2.0 to 4.0.1. MuJoCo has no ABI: a libmujoco of a release other than that of the headers is rejected,
 * with both releases named.
 *
 * Process-wide. MuJoCo's callbacks and its table of collision functions have no user pointer. The first attachment
 * installs ours, and freeing the last one puts the previous ones back, unless another library has built on ours. They
 * call the previous ones for data without an attachment. Install your own mjcb_passive before the first attachment.
 * MuJoCo's errors and warnings inside calls of this header go to the context's sink and never end the process; our
 * handlers for them stay, and pass on all others.
 *
 * Threads. An attachment and its mjData belong to one thread at a time; different ones, of one model or of several, may
 * be used in different threads, and be made and freed there. The first one of a process changes MuJoCo's own tables: no
 * other thread may be in MuJoCo then, in mj_loadXML for instance. Free an attachment when no thread uses unattached
 * data of its model. */
#ifndef PCM_MUJOCO_H
#define PCM_MUJOCO_H

#include <mujoco/mujoco.h>
#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pcm_mujoco pcm_mujoco;

/* An input of a law that only a program can set, such as a force that the user applies: returns the value of that
 * column of the law's host inputs, or NaN to leave it unchanged. Called in each evaluation, trials included, for each
 * touching point of a law with such inputs, with the time in s; for copies of the data, in the threads that use
 * them. */
typedef struct pcm_mujoco_contact_point pcm_mujoco_contact_point;
typedef double pcm_mujoco_input(void *user, double time, const pcm_mujoco_contact_point *point, uint32_t column);

typedef struct pcm_mujoco_def {
    size_t      size;
    const char *log_directory; /* as in pcm_world_def */
    /* "pattern=Surface" texts: objects whose name matches the pattern, which may contain * and ?, have that surface.
     * They override materials; if two patterns match, the later one is used. */
    const char *const *surfaces;
    size_t             n_surfaces;
    bool               ledger; /* as in pcm_world_def */
    /* pcm_mujoco_attach warns of names in the rules that nothing in the scene has, and of laws that read inputs that
     * MuJoCo does not provide; default true */
    bool check_scene;
    bool log_continue; /* as in pcm_world_def */
    /* Contacts of laws between geoms are also listed in mjData.contact, with exclude = 1 and outside MuJoCo's solver,
     * as long as MuJoCo searches for contacts and at most half of its room for them is used; default true */
    bool list_contacts;
    /* libpcm-geometry, if PCM is built with it, finds the contacts of boxes: with exact depths, and with the area and
     * share of the patch for each point. If false, MuJoCo finds them, as it does for boxes whose sizes were changed
     * after attaching; default true */
    bool              own_boxes;
    pcm_mujoco_input *input; /* NULL: nothing sets inputs */
    void             *input_user;
    /* libpcm-geometry also finds the contacts of a mesh (its convex hull) with any geom except ellipsoids, and of a
     * cylinder with a box, a capsule or another cylinder; MuJoCo's general function for convex geoms would find a
     * single point where flat faces meet. The same holds for a height field with any geom except ellipsoids, which
     * MuJoCo splits into prisms; where heights were changed after attaching, MuJoCo finds them. Default true */
    bool own_convex;
    /* Warns once of steps that some contact makes unstable, by occasional calls of pcm_mujoco_stable_step; default
     * true */
    bool advise_step;
    /* s: every start of the attached data, at attaching and after a reset, is eased as by pcm_mujoco_ease; default 0:
     * none is, as of any number that is not above 0 */
    double ease;
    /* Steps are implicit in the contacts of laws, see pcm_mujoco_implicit; default true. Where they cannot be, they are
     * explicit, which a note says */
    bool implicit;
} pcm_mujoco_def;

/* No log directory, surfaces by material, no ledger. */
PCM_EXPORT void              pcm_mujoco_defaults_into(pcm_mujoco_def *def, size_t size);
static inline pcm_mujoco_def pcm_mujoco_defaults(void)
{
    pcm_mujoco_def def;
    pcm_mujoco_defaults_into(&def, sizeof def);
    return def;
}

/* [setup] Reads an MJCF or URDF file; NULL, with a message, if it cannot be read. A URDF file with meshes is rewritten
 * to a temporary file with the places of its meshes. mj_deleteModel frees the model. */
PCM_EXPORT mjModel *pcm_mujoco_load(pcm_context *context, const char *path);

/* The placement of a URDF file's robot in a world, which the file does not give. */
typedef struct pcm_mujoco_robot {
    size_t size;
    bool   floor;  /* adds a plane at z = 0, as an object called "world" */
    bool   free;   /* the root link moves freely; otherwise it is fixed to the world */
    double height; /* m: height of the root link above the world's origin at the start */
    /* NAME=FOLDER: where a package of ROS is whose meshes the file names, package://NAME/...; NULL: they are looked for
     * in folders of these names in and above that of the file, and beside the file */
    const char *const *packages;
    size_t             n_packages;
} pcm_mujoco_robot;

/* [setup] Reads a URDF file like pcm_mujoco_load and puts the robot into a world. */
PCM_EXPORT mjModel *pcm_mujoco_load_robot(pcm_context *context, const char *path, const pcm_mujoco_robot *robot);

/* The mjtIntegrator with that name: "euler", "rk4", "implicit", "implicitfast", "discrete"; -1 if this MuJoCo
 * has none. */
PCM_EXPORT int pcm_mujoco_integrator(const char *name);

/* [setup] Attaches laws to the contacts of a model and its data, by the rules of a config, until pcm_mujoco_free. Model
 * and data remain the caller's and must outlive the attachment. def may be NULL for the defaults. An mjData has at most
 * one attachment at a time. */
PCM_EXPORT pcm_mujoco *pcm_mujoco_attach(pcm_context *context, pcm_config *config, const mjModel *model, mjData *data,
                                         const pcm_mujoco_def *def);
PCM_EXPORT void        pcm_mujoco_free(pcm_mujoco *host);

/* Sets a parameter of a contact type for this attachment, from its next evaluation on: as pcm_world_set, which says
 * what is checked. The last step is committed first, if the clock shows one. Resets keep the number, checkpoints have
 * it, copies take it over with the contacts, or when theirs start again. */
PCM_EXPORT pcm_status pcm_mujoco_set(pcm_mujoco *host, const char *name, double value);

/* Sets how the surfaces of the objects that match, a name or a pattern, move on their geoms from the next evaluation
 * on: as pcm_world_set_surface_velocity, in the axes of the geom, or for a mesh in those of its file. The last step is
 * committed first, if the clock shows one. Resets keep it, checkpoints have it, copies take it over with the contacts.
 * A Material with SurfaceVelocity or SurfaceSpin sets it at attaching; if it does not, geom_surfacevel does, from
 * MuJoCo 3.12 on. A geom_surfacevel that the program changes while attached is taken over at the next evaluation.
 * PCM_BAD_ARGUMENT: no object with a law matches, which is reported, or a number is not finite. */
PCM_EXPORT pcm_status pcm_mujoco_set_surface_velocity(pcm_mujoco *host, const char *object, const pcm_twist *velocity);

/* [hot] The first status other than PCM_OK of evaluations in the user's own calls since the last call of this function.
 * Commits the last step if the clock shows one: lists, logs and statistics are then those after it, and copies may be
 * resumed from it in other threads, under RK4 too. */
PCM_EXPORT pcm_status pcm_mujoco_status(pcm_mujoco *host);

/* Sets whether steps are detected by the clock, as they are by default. If not, contact states advance only in
 * pcm_mujoco_step and pcm_mujoco_commit, and resets are not noticed. */
PCM_EXPORT void pcm_mujoco_follow(pcm_mujoco *host, bool follow);

/* Lets objects that overlap in the data's present state separate slowly, as in a scene that was put together roughly.
 * The present overlap of each pair is subtracted from its depths, less and less until the time is over. This gives
 * energy to bodies, which is not charged to any law (pcm_world_judge). For the attached data only; not part of
 * checkpoints. PCM_BAD_ARGUMENT: seconds is not above 0. */
PCM_EXPORT pcm_status pcm_mujoco_ease(pcm_mujoco *host, double seconds);

/* [setup] Objects whose name matches touch by these points, instead of by their shape. Each point has a contact of its
 * own, whose feature is the point's index, with a plane, a sphere, a capsule, a cylinder, a box, a mesh or a height
 * field if a rule gives the pair a law. With other geoms, and with other clouds, the shape is used. points: count times
 * x, y, z in m, in the geom's own axes, or for a mesh in those of its file; copied. Call it before the first step and
 * before copies. PCM_BAD_ARGUMENT, with a report: no such object has a law; it is a plane, a height field or a site; a
 * number is not finite; MuJoCo before 3.0 does not store the axes of a mesh's file; there are contacts already; or PCM
 * is built without libpcm-geometry. PCM_NO_MEMORY: they touch by their shape. */
PCM_EXPORT pcm_status pcm_mujoco_cloud(pcm_mujoco *host, const char *object, const double *points, size_t count);

/* Resets the world to its state after attaching. Call it after resets that leave the clock unchanged. */
PCM_EXPORT pcm_status pcm_mujoco_reset(pcm_mujoco *host);

/* The contacts of copy, an unattached mjData of the same model, continue from those of the host. Call it in the host's
 * thread; the copy may then be used in any other thread. Until the copy is stepped, mj_copyData from it returns the
 * attached data to these contacts, as often as needed, and another copy of it continues from them too. */
PCM_EXPORT pcm_status pcm_mujoco_fork(pcm_mujoco *host, const mjData *copy);

/* As pcm_world_checkpoint_*, with the host's own data about contact points. A restored host of the same scene and rules
 * continues bit for bit if its data is set to the state at the save. Saving first commits the last step if the clock
 * shows one. */
PCM_EXPORT size_t     pcm_mujoco_checkpoint_size(pcm_mujoco *host);
PCM_EXPORT pcm_status pcm_mujoco_checkpoint_save(pcm_mujoco *host, void *bytes, size_t size); /* of exactly that size */
PCM_EXPORT pcm_status pcm_mujoco_checkpoint_restore(pcm_mujoco *host, const void *bytes, size_t size);

/* Computes cacc, cfrc_int, cfrc_ext (as mj_rnePostConstraint, which it calls), touch and contact sensors again, with
 * the forces of the last evaluation added to MuJoCo's own. For the user's own loop, after mj_step. pcm_mujoco_step
 * does the same for touch and contact sensors. */
PCM_EXPORT pcm_status pcm_mujoco_sense(pcm_mujoco *host);

/* As mj_contactForce for the attached data's contact of that index, whether it is one of MuJoCo's or a law's of the
 * last evaluation: force, then torque, in the contact's frame. PCM_BAD_ARGUMENT: there is no such contact. */
PCM_EXPORT pcm_status pcm_mujoco_contact_force(pcm_mujoco *host, int index, double force[6]);

/* Adds the contacts of laws to a scene to be drawn, after mjv_updateScene: their points with mjVIS_CONTACTPOINT, and
 * with mjVIS_CONTACTFORCE the forces on the followers, in the scale of MuJoCo's own. Stops when the scene is full. */
PCM_EXPORT void pcm_mujoco_draw(pcm_mujoco *host, const mjvOption *option, mjvScene *scene);

/* Makes one step of opt.timestep by mj_step, and commits it. After an error the state is that of mj_step: do not
 * continue. */
PCM_EXPORT pcm_status pcm_mujoco_step(pcm_mujoco *host);

/* The largest stable explicit step. */
typedef struct pcm_mujoco_stability {
    size_t          size;
    double          step;  /* s; infinite if no contact acts */
    const char     *a, *b; /* objects of the contact that limits it most, valid as long as the attachment, and */
    const pcm_type *type;  /* its contact type; NULL: there is none */
} pcm_mujoco_stability;

/* The largest explicit step that is stable with the contacts of laws in the last evaluation: from their stiffness,
 * their damping and the inertia of the bodies, under the model's integrator. A contact that began within the last
 * step counts with the corresponding part of its stiffness. Takes as long as a few evaluations, and extra memory. */
PCM_EXPORT pcm_status pcm_mujoco_stable_step(pcm_mujoco *host, pcm_mujoco_stability *stability);

/* Sets whether steps are linearly implicit in the contacts of laws, as they are by default: pcm_mujoco_step, mj_step
 * and mj_forward then compute with M + h D + h^2 K in place of M, with the contacts' damping D and stiffness K, and the
 * forces in qfrc_passive are those under which MuJoCo arrives at that step by itself. M stays what it is. The step is
 * first order like the explicit one, gives the same result at rest, and is stable at any h; motion faster than h is
 * damped. Explicit steps have the law's force at their start, and must be below pcm_mujoco_stable_step. Under RK4 each
 * stage is implicit in what the step does not resolve, and keeps the order for the rest. Copies that are made later do
 * the same. PCM_BAD_ARGUMENT, with a
 * report: under the integrator `discrete`; in releases of MuJoCo that store M in a way unknown to PCM (3.2.6 to 3.3.6,
 * 3.11). [setup] */
PCM_EXPORT pcm_status pcm_mujoco_implicit(pcm_mujoco *host, bool implicit);

/* A trial evaluation by mj_forward. */
PCM_EXPORT pcm_status pcm_mujoco_forward(pcm_mujoco *host);

/* The world of the attachment: its contacts, statistics and logs. */
PCM_EXPORT pcm_world *pcm_mujoco_world(pcm_mujoco *host);

/* The body to which an object of the host's world belongs; -1: the handle is not valid. */
PCM_EXPORT int pcm_mujoco_body(const pcm_mujoco *host, pcm_object object);

/* The geom that an object of the host's world represents; -1: it is a site, or the handle is not valid. */
PCM_EXPORT int pcm_mujoco_geom(const pcm_mujoco *host, pcm_object object);

/* As pcm_world_rule_stats, also for rules that leave pairs to MuJoCo: for these, contacts made and parted are pairs of
 * geoms that began and ceased to touch, and forces are those at the commits of pcm_mujoco_step and
 * pcm_mujoco_status. */
PCM_EXPORT pcm_status pcm_mujoco_rule_stats(pcm_mujoco *host, size_t rule, pcm_rule_stats *stats);

/* How many pairs of a scene the rules cover. */
typedef struct pcm_mujoco_coverage {
    size_t size;
    size_t pairs;      /* pairs that can collide */
    size_t served;     /* of them, those that the rules give to a law */
    size_t unassigned; /* of them, those without any rule: MuJoCo handles them */
    size_t unmatched;  /* names and patterns in the rules that no object or surface of the scene has */
} pcm_mujoco_coverage;

/* [setup] Calls visit for every pair of a scene that can collide, with both objects as a world defines them: with their
 * labels under the config's rules, and with the surfaces from the scene and def. The arguments are valid during the
 * call. Stops when visit returns false, and then returns PCM_BAD_ARGUMENT. */
typedef bool          pcm_mujoco_visit(void *user, const pcm_object_def *a, const pcm_object_def *b);
PCM_EXPORT pcm_status pcm_mujoco_pairs(pcm_context *context, const pcm_config *config, const mjModel *model,
                                       const pcm_mujoco_def *def, pcm_mujoco_visit *visit, void *user);

/* [setup] Warns of every name in the rules that nothing in the scene has, and of every rule whose law reads an input
 * that pairs of the scene never have (a host input without pcm_world_set_input, a radius where both are flat). Notes
 * which parameters of MuJoCo's contacts the laws ignore: condim, friction, margin, gap, priority, solver parameters.
 * With unassigned_pairs, notes ten pairs without a rule and the number of the others. PCM_BAD_ARGUMENT, with a report:
 * two materials of the scene do not determine a law's parameters. */
PCM_EXPORT pcm_status pcm_mujoco_check(pcm_context *context, pcm_config *config, const mjModel *model,
                                       const pcm_mujoco_def *def, bool unassigned_pairs, pcm_mujoco_coverage *coverage);

/* An object of a scene. Its texts are valid during the call. */
typedef struct pcm_mujoco_object {
    const char *name;                       /* its name in the world and the logs */
    const char *place, *by_type, *by_group; /* other names; "" if the geom has a name of its own, and for sites */
    const char *surface, *body;             /* "" if there is none */
    const char *type;                       /* "sphere", "box" ..., as in MJCF; "site" */
    double      size[3];                    /* m, as in MJCF */
    bool        fixed;
    int         body_id, geom_id;   /* indices in the model; geom -1: it is a site */
    const pcm_object_def *known_as; /* its definition in a world */
    const char *material; /* the name of MuJoCo's material; it is the surface unless def or a custom element gives
                             another one; "": none */
} pcm_mujoco_object;
typedef void pcm_mujoco_object_visit(void *user, const pcm_mujoco_object *object);

/* [setup] Calls visit for every object. config: its rules decide which names are used; NULL: no rules. */
PCM_EXPORT pcm_status pcm_mujoco_each_object(pcm_context *context, pcm_config *config, const mjModel *model,
                                             const pcm_mujoco_def *def, pcm_mujoco_object_visit *visit, void *user);

/* ---- Many at once ------------------------------------------------------------------------------------------------ */

/* Attachments of one model to several mjData, such as the environments of a learner: they share tables and meshes. */
typedef struct pcm_mujoco_many pcm_mujoco_many;

/* [setup] As pcm_mujoco_attach for each mjData. The model is checked, and steps are judged, for the first one alone.
 * threads: those that pcm_mujoco_many_step uses; 0 or 1: the caller's. NULL, with a report: one is not of the model or
 * is attached already, def names a log directory, or there is no memory. */
PCM_EXPORT pcm_mujoco_many *pcm_mujoco_attach_many(pcm_context *context, pcm_config *config, const mjModel *model,
                                                   mjData *const *data, size_t count, uint32_t threads,
                                                   const pcm_mujoco_def *def);
PCM_EXPORT void             pcm_mujoco_many_free(pcm_mujoco_many *many);

/* The number of attachments, and one of them, for all calls but pcm_mujoco_free and pcm_mujoco_cloud; NULL: there is no
 * such one. */
PCM_EXPORT size_t      pcm_mujoco_many_count(const pcm_mujoco_many *many);
PCM_EXPORT pcm_mujoco *pcm_mujoco_many_at(const pcm_mujoco_many *many, size_t index);

/* [hot] Makes that many steps by pcm_mujoco_step in each that `which` selects (NULL: all), in the threads of `many`,
 * with the bits of one after the other. One that fails takes no further step, and the others go on. statuses, which may
 * be NULL, gets the status of each; those not selected get PCM_OK. Returns the first status that is not PCM_OK. */
PCM_EXPORT pcm_status pcm_mujoco_many_step(pcm_mujoco_many *many, const bool *which, size_t steps,
                                           pcm_status *statuses);

/* pcm_mujoco_reset of each that `which` selects (NULL: all). */
PCM_EXPORT pcm_status pcm_mujoco_many_reset(pcm_mujoco_many *many, const bool *which);

/* pcm_mujoco_set of each that `which` selects (NULL: all), with a number for each, selected or not. At an error the
 * ones before it keep the new number; *failed, which may be NULL, gets the index. */
PCM_EXPORT pcm_status pcm_mujoco_many_set(pcm_mujoco_many *many, const bool *which, const char *name,
                                          const double *values, size_t *failed);

/* ---- For solvers ------------------------------------------------------------------------------------------------- */

/* A contact point of a served pair, or a point where the pair nearly touches. */
struct pcm_mujoco_contact_point {
    size_t          size;
    uint32_t        pair; /* 0 to pcm_mujoco_pair_count - 1; the order does not depend on that of the model */
    uint32_t        feature;
    const char     *a, *b; /* names of the objects */
    const pcm_type *type;
    double          depth;   /* m, > 0 overlapping, < 0 the gap */
    bool            known;   /* the point existed at the last commit, with */
    bool            touched; /* this value of its own, and */
    pcm_contact     contact; /* the contact that it had, which may have ended; the zero handle: none */
};

/* A solver that integrates motion and continuous contact states instead of mj_step. Every evaluation calls it. */
typedef struct pcm_mujoco_solver {
    size_t size;
    void  *user;
    double reach; /* m; points with gaps up to this are reported, or up to their type's separation if that is larger */
    double dt;    /* s, for pcm_world_update */
    /* Decides whether the point is reported to the world as touching; may be NULL: all are. It may change the depth. */
    bool (*touches)(void *user, pcm_mujoco_contact_point *point);
    /* Called when all touching points are reported and the world is not yet updated: call pcm_world_try_state here. */
    pcm_status (*before)(void *user);
    pcm_status (*after)(void *user); /* called when the world is updated: read rates here; may be NULL */
} pcm_mujoco_solver;

/* The solver is used from the next evaluation on; NULL: mj_step integrates again. The struct is copied. */
PCM_EXPORT pcm_status pcm_mujoco_use_solver(pcm_mujoco *host, const pcm_mujoco_solver *solver);

/* Commits the contacts and states of the last evaluation. pcm_mujoco_step does so itself. */
PCM_EXPORT pcm_status pcm_mujoco_commit(pcm_mujoco *host);

/* The number of pairs of geoms with a law, and the contact type of a pair; NULL: there is no such pair. */
PCM_EXPORT size_t          pcm_mujoco_pair_count(const pcm_mujoco *host);
PCM_EXPORT const pcm_type *pcm_mujoco_pair_type(const pcm_mujoco *host, size_t pair);

/* The names of a pair's objects, the base's first, valid as long as the attachment. False: there is no such pair. */
PCM_EXPORT bool pcm_mujoco_pair_names(const pcm_mujoco *host, size_t pair, const char **a, const char **b);

/* The geoms of a pair, the base's first, -1 for a site; and the radii of its objects, m, 0 where they are flat. False:
 * there is no such pair. */
PCM_EXPORT bool pcm_mujoco_pair_geoms(const pcm_mujoco *host, size_t pair, int geoms[2], double radii[2]);

/* [hot] Measures every pair of geoms with a law, and every site with one, at the last evaluation: pair i in sensing[i].
 * Each entry has sensing_size = sizeof *sensing bytes, and there is room for capacity of them. As in pcm_space_sense:
 * the deepest contact with the forces of all contacts, including those across a gap; without contact, the signed
 * separation at any distance. The separation is infinite if a shape is an ellipsoid, a height field or a signed
 * distance field, and if PCM is built without libpcm-geometry; a mesh is its convex hull, as in MuJoCo.
 * PCM_BAD_ARGUMENT: there are more pairs than capacity. */
PCM_EXPORT pcm_status pcm_mujoco_sense_pairs(pcm_mujoco *host, pcm_sensing *sensing, size_t sensing_size,
                                             size_t capacity);

/* The number of points by which an object of the pair touches (pcm_mujoco_cloud); 0: both touch by their shapes. */
PCM_EXPORT size_t pcm_mujoco_pair_points(const pcm_mujoco *host, size_t pair);

/* [hot] As pcm_mujoco_sense_pairs, for each point of such a pair, in order. PCM_BAD_ARGUMENT: there are more points
 * than capacity. */
PCM_EXPORT pcm_status pcm_mujoco_sense_points(pcm_mujoco *host, size_t pair, pcm_sensing *sensing, size_t sensing_size,
                                              size_t capacity);

/* The attached model and data. */
PCM_EXPORT const mjModel *pcm_mujoco_model(const pcm_mujoco *host);
PCM_EXPORT mjData        *pcm_mujoco_data(const pcm_mujoco *host);

#ifdef __cplusplus
}
#endif
#endif

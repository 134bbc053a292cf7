/* SPDX-License-Identifier: MIT */
/* mujoco.h - contact laws of a .pcm file in MuJoCo.
 *
 *   mjModel    *model = mj_loadXML("scene.xml", NULL, error, sizeof error);
 *   mjData     *data  = mj_makeData(model);
 *   pcm_mujoco *host  = pcm_mujoco_attach(context, config, model, data, NULL);        all that is added
 *   while (data->time < 5)
 *       mj_step(model, data);
 *   pcm_status status = pcm_mujoco_status(host);
 *
 * Objects are the geoms that can collide, by the geom's name or, where it has none, its body's; the surface is the name
 * of the material. A geom without a name may also be spoken of by its place among its body's geoms, its type or its
 * group, "Calf.3", "Calf:sphere", "Calf:group3" (also in patterns that hold the '.' or ':'): it then has that name in
 * place of its body's. A named site is an object too, a point that meets planes, where an ObjectPair or SurfacePair
 * rule matches it (DefaultPair does not). The division is per pair: those that the rules give to a law of ours are
 * taken out of MuJoCo's solver, all others, on the same geoms, stay in it.
 *
 * Steps and trials. Forces act whenever MuJoCo computes passive forces: in mj_step, mj_step1, mj_forward, mj_inverse,
 * mjd_transitionFD. Each is a trial until the data's clock has moved on by opt.timestep: then it was a step, and
 * contact states advance, at the next evaluation or at pcm_mujoco_status. pcm_mujoco_step is mj_step and that at once;
 * both ways give the same bits. Where the clock shows any other time than before the state was set (mj_resetData, a
 * keyframe, a copy): contacts begin anew, as after attaching. RK4 evaluates within steps: those
 * are trials.
 *
 * Copies. Any number of mjData of the model may be used beside the attached one, in any threads: each has contacts of
 * its own. What mj_copyData makes goes on from the contacts of what it is a copy of, whatever is then changed in it, as
 * long as that is at most a step ahead: an attached one, in another thread not under RK4, or another copy, not under
 * RK4. So does one that is set to the state of the attached one at its time. Of an attached one whose copies go on in
 * other threads the last 64 steps are kept for those that start late. Any other begins anew. pcm_mujoco_fork says it in
 * so many words, and a checkpoint takes contacts to another process. What is a copy of what stands as a mark in the
 * mjData, where warnings of bad positions and velocities keep what they were about; while one was given, the clock
 * alone tells.
 *
 * Sensors. Forces go into qfrc_passive. Where the model has force or torque sensors (or the user's), pcm_mujoco_step
 * and pcm_mujoco_forward put them into xfrc_applied instead, so that these feel them, and what the user keeps there is
 * added to and comes back; an mjcb_control may then add to xfrc_applied but not set it.
 *
 * Integrators. Euler, implicit and implicitfast are first order in the contact states. Under RK4 continuous contact
 * states go through the same four stages as MuJoCo's own, which keeps order 4; history states advance once per step.
 *
 * Releases. 2.2.0 to 3.12.0. MuJoCo has no ABI: a libmujoco of another release than the headers is rejected by name.
 *
 * Process-wide. MuJoCo's callbacks and its table of collision functions have no user pointer: the first attachment
 * puts ours in front of those it finds, for good, and they pass on what belongs to no attachment. Install your own
 * mjcb_passive before that. MuJoCo's errors and warnings inside calls of this header go to the context's sink and never
 * end the process.
 *
 * Threads. An attachment and its mjData belong to one thread at a time; different ones, of one model or of several, may
 * be used in different threads, and come and go there. Attachments are freed when no thread uses data of their model
 * that is not attached itself. */
#ifndef PCM_MUJOCO_H
#define PCM_MUJOCO_H

#include <mujoco/mujoco.h>
#include <pcm/pcm.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pcm_mujoco pcm_mujoco;

/* An input of a law that only a program can set, such as a force that the user gives: the value of that column of the
 * law's host inputs, or NaN, which leaves it as it is. Asked at each evaluation, trials among them, for each touch of a
 * law with such inputs, at that time in s; of copies of the data in the threads that use them. */
typedef struct pcm_mujoco_contact_point pcm_mujoco_contact_point;
typedef double pcm_mujoco_input(void *user, double time, const pcm_mujoco_contact_point *place, uint32_t column);

typedef struct pcm_mujoco_def {
    size_t      size;
    const char *log_directory; /* as in pcm_world_def */
    /* "pattern=Surface" texts: objects whose name matches the pattern, which may hold * and ?, have that surface. They
     * beat materials, later ones beat earlier ones. */
    const char *const *surfaces;
    size_t             n_surfaces;
    bool               ledger; /* as in pcm_world_def */
    /* pcm_mujoco_attach warns of names in the rules that nothing in the scene has, and of laws that read what MuJoCo
     * never gives; true */
    bool check_scene;
    bool log_continue; /* as in pcm_world_def */
    /* Contacts of laws between geoms stand in mjData.contact, too, with exclude = 1 and no part in MuJoCo's solver, as
     * far as MuJoCo looks for contacts and half of its room for them lasts; true */
    bool list_contacts;
    /* Pairs of boxes are looked at by libpcm-geometry, where PCM is built with it: their depths are true, and each
     * point tells its area and share of the patch; false: by MuJoCo, as boxes whose sizes were changed after
     * attaching; true */
    bool              own_boxes;
    pcm_mujoco_input *input; /* NULL: nothing sets inputs */
    void             *input_user;
    /* So are pairs of a mesh, as its convex hull, with any geom but ellipsoids, and pairs of a cylinder with a box, a
     * capsule or another: what MuJoCo's general function for convex geoms handles, by a single point where flat lies on
     * flat. And pairs of a height field with any geom but ellipsoids, which MuJoCo handles prism by prism; where
     * heights change after attaching, they are left to it. true */
    bool own_convex;
    /* Steps that some contact makes unstable are warned of, once, as pcm_mujoco_stable_step finds at now and then; true
     */
    bool advise_step;
} pcm_mujoco_def;

/* No log directory, surfaces by material, no ledger. */
PCM_EXPORT void              pcm_mujoco_defaults_into(pcm_mujoco_def *def, size_t size);
static inline pcm_mujoco_def pcm_mujoco_defaults(void)
{
    pcm_mujoco_def def;
    pcm_mujoco_defaults_into(&def, sizeof def);
    return def;
}

/* [setup] Reads an MJCF or URDF file; NULL and a message when it cannot be read. mj_deleteModel frees it. */
PCM_EXPORT mjModel *pcm_mujoco_load(pcm_context *context, const char *path);

/* What a URDF file does not say of the robot's world. */
typedef struct pcm_mujoco_robot {
    size_t size;
    bool   floor;  /* a plane at z = 0, which is an object called "world" */
    bool   free;   /* the root link moves freely; else it is fixed to the world */
    double height; /* m: of the root link over the world's origin at the start */
} pcm_mujoco_robot;

/* [setup] As pcm_mujoco_load, of a URDF file, with that. Needs to make a file beside the other for a moment. */
PCM_EXPORT mjModel *pcm_mujoco_load_robot(pcm_context *context, const char *path, const pcm_mujoco_robot *robot);

/* The mjtIntegrator of that name: "euler", "rk4", "implicit", "implicitfast"; -1 where this MuJoCo has none. */
PCM_EXPORT int pcm_mujoco_integrator(const char *name);

/* [setup] Gives the contacts of a model and its data to the rules of a config, until it is freed. Model and data stay
 * the caller's and must outlive the attachment. def NULL: the defaults. An mjData has one attachment at a time. */
PCM_EXPORT pcm_mujoco *pcm_mujoco_attach(pcm_context *context, pcm_config *config, const mjModel *model, mjData *data,
                                         const pcm_mujoco_def *def);
PCM_EXPORT void        pcm_mujoco_free(pcm_mujoco *host);

/* [hot] The first status other than PCM_OK of evaluations in the user's own calls since this was last asked, and then
 * forgotten. Commits the step that the clock tells of: lists, logs and statistics are then those after it, and copies
 * may go on from there in other threads under RK4, too. */
PCM_EXPORT pcm_status pcm_mujoco_status(pcm_mujoco *host);

/* Whether the clock is followed, as it is from the start on; false: contact states advance in pcm_mujoco_step and
 * pcm_mujoco_commit alone, and resets go unheard. */
PCM_EXPORT void pcm_mujoco_follow(pcm_mujoco *host, bool follow);

/* Objects that overlap in the data's state now, as those of a scene that was put together roughly do, are not shot
 * apart: what each pair overlaps by is taken off its depths, less and less, until the time is over. Bodies are given
 * energy meanwhile, of which no law is accused (pcm_world_judge). In the attached data alone; no part of checkpoints.
 * PCM_BAD_ARGUMENT: seconds is not above 0. */
PCM_EXPORT pcm_status pcm_mujoco_ease(pcm_mujoco *host, double seconds);

/* [setup] Objects of that name or pattern touch by points of theirs, in place of their shape: each has a contact of its
 * own, whose feature is its number, against a plane, a sphere, a capsule, a cylinder, a box, a mesh or a height field
 * with whose geom a rule gives the object a law. Against what else there is, other clouds among it, the shape stays.
 * points: count times x, y, z in m, in the geom's own axes, a mesh's in those of its file; copied. Before the first
 * step and before copies. PCM_BAD_ARGUMENT, and reported: no such object has a law, it is a plane, a height field or a
 * site, a number is not finite, MuJoCo before 3.0 does not say where a mesh's axes are, contacts are there already, or
 * PCM is built without libpcm-geometry. PCM_NO_MEMORY: they touch by their shape. */
PCM_EXPORT pcm_status pcm_mujoco_cloud(pcm_mujoco *host, const char *object, const double *points, size_t count);

/* Contacts begin anew: the world is that of the attachment's birth. For resets that leave the clock where it was. */
PCM_EXPORT pcm_status pcm_mujoco_reset(pcm_mujoco *host);

/* The contacts of copy, an mjData of the same model that is not attached, go on from where the host's stand. In the
 * thread that has the host; the copy may then go to any other. As long as nobody steps the copy, mj_copyData from it
 * brings the attached data back to them, as often as wanted; so does another copy of it go on from them. */
PCM_EXPORT pcm_status pcm_mujoco_fork(pcm_mujoco *host, const mjData *copy);

/* As pcm_world_checkpoint_*, with what the host knows of the places where objects touch: a host of the same scene and
 * rules that is restored, and whose data is given the state that the saved one's had, goes on bit for bit. Commits the
 * step that the clock tells of before it saves. */
PCM_EXPORT size_t     pcm_mujoco_checkpoint_size(pcm_mujoco *host);
PCM_EXPORT pcm_status pcm_mujoco_checkpoint_save(pcm_mujoco *host, void *bytes, size_t size); /* exactly that size */
PCM_EXPORT pcm_status pcm_mujoco_checkpoint_restore(pcm_mujoco *host, const void *bytes, size_t size);

/* Computes cacc, cfrc_int, cfrc_ext (as mj_rnePostConstraint, which it calls), touch and contact sensors anew, with
 * the forces of the last evaluation among MuJoCo's own: for a user's own loop, after mj_step. pcm_mujoco_step gives
 * touch and contact sensors so. */
PCM_EXPORT pcm_status pcm_mujoco_sense(pcm_mujoco *host);

/* As mj_contactForce of the attached data's contact of that index, whether it is MuJoCo's own or, of the last
 * evaluation, a law's: force, then torque, in the contact's frame. PCM_BAD_ARGUMENT: there is no such contact. */
PCM_EXPORT pcm_status pcm_mujoco_contact_force(pcm_mujoco *host, int index, double force[6]);

/* Adds the contacts of laws to a scene to be drawn, after mjv_updateScene: a point of each with mjVIS_CONTACTPOINT, and
 * with mjVIS_CONTACTFORCE the force on the follower, as long as MuJoCo draws its own. What the scene has no room for is
 * left out. */
PCM_EXPORT void pcm_mujoco_draw(pcm_mujoco *host, const mjvOption *option, mjvScene *scene);

/* One step of opt.timestep by mj_step, then the commit. After an error the state is that of mj_step: try no further. */
PCM_EXPORT pcm_status pcm_mujoco_step(pcm_mujoco *host);

/* What the step must be below. */
typedef struct pcm_mujoco_stability {
    size_t          size;
    double          step;  /* s; infinite: no contact acts */
    const char     *a, *b; /* objects of the contact that limits it most, which live as long as the attachment, and */
    const pcm_type *type;  /* its contact type; NULL: there is none */
} pcm_mujoco_stability;

/* The largest explicit step that is stable with the contacts of laws as the last evaluation saw them: by their
 * stiffness, their damping and the inertia of the bodies, under the model's integrator. A contact that touches since
 * a part of the step has that part of its stiffness. Takes as long as some evaluations, and memory beyond the peak of
 * contacts. */
PCM_EXPORT pcm_status pcm_mujoco_stable_step(pcm_mujoco *host, pcm_mujoco_stability *stability);

/* Whether pcm_mujoco_step is linearly implicit in the contacts of laws, for steps that stiff and strongly damped
 * contacts would make unstable: M + h D + h^2 K of their damping and stiffness takes the place of M during the step.
 * First order like the explicit step, at rest the same, and stable at any h; motion within h is damped. No part of it:
 * mj_step, mj_forward, copies. PCM_BAD_ARGUMENT and reported: under RK4; in releases of MuJoCo whose M is laid out in
 * ways that PCM does not know (3.2.6 to 3.3.6, 3.11). false, the default: explicit. [setup] */
PCM_EXPORT pcm_status pcm_mujoco_implicit(pcm_mujoco *host, bool implicit);

/* A trial evaluation by mj_forward. */
PCM_EXPORT pcm_status pcm_mujoco_forward(pcm_mujoco *host);

/* The world that answers: its contacts, statistics and logs. */
PCM_EXPORT pcm_world *pcm_mujoco_world(pcm_mujoco *host);

/* The body that an object of the host's world belongs to; -1 where the handle names none of its objects. */
PCM_EXPORT int pcm_mujoco_body(const pcm_mujoco *host, pcm_object object);

/* The geom that an object of the host's world is; -1 where it is a site, or the handle names none of its objects. */
PCM_EXPORT int pcm_mujoco_geom(const pcm_mujoco *host, pcm_object object);

/* As pcm_world_rule_stats, and the like of the rules that leave pairs to MuJoCo: there the contacts made and ended are
 * pairs of geoms that began and ceased to touch, and forces are those at the commits of pcm_mujoco_step and
 * pcm_mujoco_status. */
PCM_EXPORT pcm_status pcm_mujoco_rule_stats(pcm_mujoco *host, size_t rule, pcm_rule_stats *stats);

/* What the rules say of a scene. */
typedef struct pcm_mujoco_coverage {
    size_t size;
    size_t pairs;      /* pairs that can collide */
    size_t served;     /* of them, those that the rules give to a law of ours */
    size_t unassigned; /* of them, those without any rule: they stay with MuJoCo */
    size_t unmatched;  /* names and patterns in the rules that no object or surface of the scene has */
} pcm_mujoco_coverage;

/* [setup] Calls visit for every pair of a scene that can collide, with both objects as worlds are told of them: by the
 * labels that they have under the config's rules, with the surfaces that the scene and def give them. What the
 * arguments point at lives during the call. Stops where visit returns false: PCM_BAD_ARGUMENT. */
typedef bool          pcm_mujoco_visit(void *user, const pcm_object_def *a, const pcm_object_def *b);
PCM_EXPORT pcm_status pcm_mujoco_pairs(pcm_context *context, const pcm_config *config, const mjModel *model,
                                       const pcm_mujoco_def *def, pcm_mujoco_visit *visit, void *user);

/* [setup] Warns of every name in the rules that nothing in the scene has, of every rule whose law reads what pairs of
 * the scene never have (an input that only pcm_world_set_input gives, a radius where both are flat), notes what laws do
 * not take over of condim, friction, margin, gap, priority and solver parameters, and, with unassigned_pairs, notes ten
 * pairs without a rule and how many more there are. PCM_BAD_ARGUMENT, and reported: materials that meet in the scene
 * give a law no parameters.
 */
PCM_EXPORT pcm_status pcm_mujoco_check(pcm_context *context, pcm_config *config, const mjModel *model,
                                       const pcm_mujoco_def *def, bool unassigned_pairs, pcm_mujoco_coverage *coverage);

/* An object of a scene. Texts live during the call. */
typedef struct pcm_mujoco_object {
    const char *name;                       /* as the world and its logs know it */
    const char *place, *by_type, *by_group; /* other names; "" where the geom has a name of its own, and for sites */
    const char *surface, *body;             /* "" where there is none */
    const char *type;                       /* "sphere", "box" ..., as in MJCF; "site" */
    double      size[3];                    /* m, as in MJCF */
    bool        fixed;
    int         body_id, geom_id;   /* of the model; geom -1: a site */
    const pcm_object_def *known_as; /* by a world */
    const char *material; /* MuJoCo's; the surface's name unless def or a custom element gives another; "" = none */
} pcm_mujoco_object;
typedef void pcm_mujoco_object_visit(void *user, const pcm_mujoco_object *object);

/* [setup] Calls visit for every object. config: the names that its rules give; NULL: as if there were none. */
PCM_EXPORT pcm_status pcm_mujoco_each_object(pcm_context *context, pcm_config *config, const mjModel *model,
                                             const pcm_mujoco_def *def, pcm_mujoco_object_visit *visit, void *user);

/* ---- For solvers ----------------------------------------------------------------------------------------------- */

/* A place where a served pair touches, or may come to touch. */
struct pcm_mujoco_contact_point {
    size_t          size;
    uint32_t        pair; /* 0 to pcm_mujoco_pair_count - 1, in an order that does not depend on the model's */
    uint32_t        feature;
    const char     *a, *b; /* names of the objects */
    const pcm_type *type;
    double          depth;   /* m, > 0 overlapping, < 0 the gap */
    bool            known;   /* the place was there at the last commit, with */
    bool            touched; /* this value of its own, and */
    pcm_contact     contact; /* the contact that it had, which may be over; the zero handle: it had none */
};

/* What integrates motion and continuous contact states in place of mj_step. Each evaluation asks it. */
typedef struct pcm_mujoco_solver {
    size_t size;
    void  *user;
    double reach; /* m; places with gaps up to this are looked for, or up to their type's separation if that is more */
    double dt;    /* s, of pcm_world_update */
    /* Whether the place touches, as far as the world is informed; may be NULL: all do. The depth may be changed. */
    bool (*touches)(void *user, pcm_mujoco_contact_point *place);
    /* All touches are reported, the world not yet updated: the moment for pcm_world_try_state. */
    pcm_status (*before)(void *user);
    pcm_status (*after)(void *user); /* the world is updated: the moment to read rates; may be NULL */
} pcm_mujoco_solver;

/* From the next evaluation on; NULL: mj_step integrates again. The struct is copied. */
PCM_EXPORT pcm_status pcm_mujoco_use_solver(pcm_mujoco *host, const pcm_mujoco_solver *solver);

/* Makes contacts and states of the last evaluation the committed ones. pcm_mujoco_step does so itself. */
PCM_EXPORT pcm_status pcm_mujoco_commit(pcm_mujoco *host);

/* How many pairs of geoms have a law, and the contact type of one; NULL: there is no such pair. */
PCM_EXPORT size_t          pcm_mujoco_pair_count(const pcm_mujoco *host);
PCM_EXPORT const pcm_type *pcm_mujoco_pair_type(const pcm_mujoco *host, size_t pair);

/* The names of its objects, the base's first, which live as long as the attachment. False: there is no such pair. */
PCM_EXPORT bool pcm_mujoco_pair_names(const pcm_mujoco *host, size_t pair, const char **a, const char **b);

/* [hot] Measures every pair of geoms with a law, and every site with one, at the last evaluation: pair i in sensing[i],
 * each entry of sensing_size = sizeof *sensing bytes, room for capacity of them. As pcm_space_sense: the deepest
 * contact with the forces of all, those across a gap among them; apart, the signed separation at any distance. This is
 * infinite where a shape is an ellipsoid, a height field or a signed distance field, and where PCM is built without
 * libpcm-geometry; a mesh is its convex hull, as in MuJoCo. PCM_BAD_ARGUMENT: there are more pairs than that. */
PCM_EXPORT pcm_status pcm_mujoco_sense_pairs(pcm_mujoco *host, pcm_sensing *sensing, size_t sensing_size,
                                             size_t capacity);

/* By how many points an object of the pair touches (pcm_mujoco_cloud); 0: both touch by their shape. */
PCM_EXPORT size_t pcm_mujoco_pair_points(const pcm_mujoco *host, size_t pair);

/* [hot] As pcm_mujoco_sense_pairs, of such a pair point by point, in their order. PCM_BAD_ARGUMENT: there are more
 * points than that. */
PCM_EXPORT pcm_status pcm_mujoco_sense_points(pcm_mujoco *host, size_t pair, pcm_sensing *sensing, size_t sensing_size,
                                              size_t capacity);

/* What was attached. */
PCM_EXPORT const mjModel *pcm_mujoco_model(const pcm_mujoco *host);
PCM_EXPORT mjData        *pcm_mujoco_data(const pcm_mujoco *host);

#ifdef __cplusplus
}
#endif
#endif

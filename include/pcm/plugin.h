/* SPDX-License-Identifier: MIT */
/* plugin.h - the binary interface between a PCM host and a contact law.
 *
 * A plugin is one shared object, <ModelType>.so, that exports one constant: pcm_entry. Everything the law says of
 * itself is static data behind that constant, so that a host lists models, parameters and states without running any
 * code of the plugin. A plugin owns no memory: every block it sees belongs to the host, which may copy, move or save
 * it.
 *
 * Call classes, named at every function:
 *   [setup] any thread, one call at a time per parameter block; may allocate.
 *   [hot]   any thread, concurrent on disjoint batches. No allocation, lock, I/O, errno or floating-point-environment
 *           change. What lane i receives is a function of lane i's inputs, params, time and dt alone, bit for bit: not
 *           of count, of the lane's position or of its neighbours.
 *
 * So that a law can also be compiled for one lane (PCM_ONE_LANE, below), its [hot] verbs keep to this:
 *   - Every loop over lanes is PCM_EACH, and in it columns are indexed by that lane alone.
 *   - Of mathematical functions, only those of kit.h.
 *   - Static data is const.
 *   - Parameters are read by value; a list is read through its values and count.
 *
 * The contact frame: origin at the contact point, z = n from the base A towards the follower B, x and y in the tangent
 * plane. Motion is that of B relative to A; forces and moments are those on B, A gets the opposite.
 *
 * Growth: fields are appended, never reordered or removed. Every table carries its element size; the host copies the
 * smaller of the two sizes and zero-fills, so zero always means "as before", and rejects a table with non-zero bytes
 * past what it knows. */
#ifndef PCM_PLUGIN_H
#define PCM_PLUGIN_H

#include <pcm/kit.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PCM_MAGIC     0x314D4350u /* the bytes "PCM1" */
#define PCM_ABI_MAJOR 2u          /* host and plugin must agree */
#define PCM_ABI_MINOR 1u          /* the least that the plugin needs of the host */

/* A table of constants: how many entries, and how large the plugin's compiler made each. */
typedef struct pcm_table {
    const void *entries;
    uint32_t    count;
    uint32_t    size; /* bytes of one entry */
} pcm_table;

#define PCM_TABLE(array)                                                                                               \
    {                                                                                                                  \
        (array), (uint32_t)(sizeof(array) / sizeof *(array)), (uint32_t)sizeof *(array)                                \
    }

/* ---- Parameters ------------------------------------------------------------------------------------------------ */

/* What a parameter is in the .pcm file, and the type of its field in the law's parameter struct. */
enum {
    PCM_KIND_REAL,    /* a number with a unit: double, in SI units                                      */
    PCM_KIND_INTEGER, /* a whole number: int64_t                                                        */
    PCM_KIND_SWITCH,  /* true or false: int64_t, 1 or 0                                                 */
    PCM_KIND_CHOICE,  /* one of a list of words: int64_t, the word's index                              */
    PCM_KIND_TEXT,    /* a quoted string: const char *, NUL-terminated, lives as long as the parameters */
    PCM_KIND_LIST,    /* (a, b, c) [unit] or "file.csv".column: pcm_list, in SI units                   */
    PCM_KINDS         /* how many kinds this header knows                                               */
};

typedef struct pcm_list {
    const double *values; /* lives as long as the parameters */
    size_t        count;
} pcm_list;

enum {
    PCM_REQUIRED = 1u, /* has no default: a contact type that does not write it is an error */
    PCM_OPEN_MIN = 2u, /* the value must be above min, not at it                           */
    PCM_OPEN_MAX = 4u, /* the value must be below max, not at it                           */
    PCM_CONE = 8u      /* a friction coefficient of the law's cone: of several, the largest */
};

/* In a parameter's line: it must be above that number. */
#define PCM_ABOVE(least) .min = (least), .flags = PCM_OPEN_MIN

/* Where a real parameter's value comes from in a contact type that does not write it: from properties of the two
 * materials that meet, which Material statements of the .pcm file give. Where neither material states any of them, the
 * parameter's default stands, if it has one; where they do, a side that does not has the property's default.
 *
 * The usual mixings need no more than .mix in the parameter's line. Both sides count alike, so that the value does not
 * depend on which is the base. */
enum {
    PCM_MIX_NONE,      /* from no material */
    PCM_MIX_MEAN,      /* of the property of the parameter's own name, unit, range and default: (a + b) / 2 */
    PCM_MIX_GEOMETRIC, /* of the same: sqrt(a b)       */
    PCM_MIX_HARMONIC,  /* of the same: 2 a b / (a + b) */
    PCM_MIX_MINIMUM,   /* of the same */
    PCM_MIX_MAXIMUM,   /* of the same */
    PCM_MIX_MODULUS,   /* E* of the properties YoungModulus and PoissonRatio: see pcm_reduced_modulus */
    PCM_MIX_SHEAR,     /* G* of the same: see pcm_reduced_shear_modulus */
    PCM_MIX_BY_LAW,    /* the law's mix writes it, from the properties in pcm_model.sides */
    PCM_MIXES          /* how many this header knows */
};

typedef struct pcm_param {
    const char *name;
    const char *unit;       /* SI text such as "N*s/m", "N/m^1.5", "N/m^(4/3)"; "1" for none. An exponent may be the
                             * name of a real or integer parameter of this law, "N/m^Exponent": the host then has the
                             * unit follow that parameter's value. For PCM_KIND_REAL and PCM_KIND_LIST. */
    const char        *doc; /* one line */
    size_t             offset, params_size; /* of the field in the law's parameter struct; bytes of that struct */
    double             fallback, min, max;  /* SI; fallback is the default (choice: an index) */
    const char        *text;                /* the default of a PCM_KIND_TEXT; NULL reads as "" */
    const char *const *choices;             /* of a PCM_KIND_CHOICE, ended by NULL */
    const char        *when;                /* "FrictionMethod=None": matters only then; NULL = always */
    uint32_t           kind, flags;
    uint32_t           mix, reserved; /* PCM_MIX_... */
} pcm_param;

/* The entries of a parameter table. After doc come any of .min, .max, .flags, .when, .mix and PCM_ABOVE:
 *   PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1e5, "force per metre of penetration", .min = 0) */
#define PCM_REAL(Law, field, name_, unit_, fallback_, ...)                                                             \
    PCM_PARAM_(Law, field, name_, unit_, fallback_, PCM_FIELD_(Law, field, double, PCM_KIND_REAL), __VA_ARGS__)
#define PCM_INTEGER(Law, field, name_, fallback_, ...)                                                                 \
    PCM_PARAM_(Law, field, name_, "1", fallback_, PCM_FIELD_(Law, field, int64_t, PCM_KIND_INTEGER), __VA_ARGS__)
#define PCM_SWITCH(Law, field, name_, fallback_, ...)                                                                  \
    PCM_PARAM_(Law, field, name_, "1", fallback_, PCM_FIELD_(Law, field, int64_t, PCM_KIND_SWITCH), __VA_ARGS__)
#define PCM_CHOICE(Law, field, name_, choices_, fallback_, ...)                                                        \
    PCM_PARAM_(Law, field, name_, "1", fallback_, PCM_FIELD_(Law, field, int64_t, PCM_KIND_CHOICE), __VA_ARGS__,       \
               .choices = (choices_))
#define PCM_TEXT(Law, field, name_, text_, ...)                                                                        \
    PCM_PARAM_(Law, field, name_, "1", 0, PCM_FIELD_(Law, field, const char *, PCM_KIND_TEXT), __VA_ARGS__,            \
               .text = (text_))
#define PCM_LIST(Law, field, name_, unit_, ...)                                                                        \
    PCM_PARAM_(Law, field, name_, unit_, 0, PCM_FIELD_(Law, field, pcm_list, PCM_KIND_LIST), __VA_ARGS__)

#define PCM_FIELD_(Law, field, type, kind_) _Generic(((Law *)0)->field, type : (kind_))
#define PCM_PARAM_(Law, field_, name_, unit_, fallback_, kind_, ...)                                                   \
    {                                                                                                                  \
        .name = (name_), .unit = (unit_), .offset = offsetof(Law, field_), .params_size = sizeof(Law),                 \
        .fallback = (fallback_), .min = -INFINITY, .max = INFINITY, .kind = (kind_), .doc = __VA_ARGS__                \
    }
/* .min and .max written in a table override the infinite ones above: that is how a default works here. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Winitializer-overrides"
#elif defined(__GNUC__) && !defined(__cplusplus)
#pragma GCC diagnostic ignored "-Woverride-init"
#endif

/* ---- States, inputs, events ------------------------------------------------------------------------------------ */

enum {
    PCM_SCALAR, /* one column                                                                */
    PCM_TANGENT /* two columns, x then y, of a vector in the tangent plane that the frame carries */
};

/* How many columns a state or a given input of that shape has. */
static inline uint32_t pcm_columns_of(uint32_t shape) { return shape == PCM_TANGENT ? 2 : 1; }

enum {
    PCM_HISTORY,   /* the law writes the value after the step into next */
    PCM_CONTINUOUS /* the law writes the time derivative into rate      */
};
enum {
    /* Of a continuous state: the law also writes next, by a step that is stable at any dt. Without it the host steps
     * state + dt * rate. */
    PCM_STEPS = 1u,
    /* Of a state that relaxes to zero once the objects have parted: the contact lives on until it has. */
    PCM_LINGERS = 2u
};

/* A state takes its columns of pcm_batch.state, next and rate in table order, one or two each. New contacts start from
 * zero and then from what the law's establish writes. */
typedef struct pcm_state {
    const char *name, *unit, *doc;
    double      nominal; /* typical magnitude in SI units, for a solver's tolerances; above 0 */
    uint32_t    shape, role, flags;
    int32_t     swap; /* +1 or -1: the factor when A and B trade places, see below */
} pcm_state;

/* When A and B trade places the same contact is described by the motion of A relative to B, with n turned round. What
 * is relative (a displacement, velocity, rotation or force) then has the opposite sign, and so has n; in a product each
 * of them counts:
 *   - +1 for what both sides see alike, such as wear, age or temperature, and for an extension along n and a twist
 * about n, which are relative and made with n;
 *   - -1 for a tangent vector that is relative: the displacement of the contact point (polar), a rotation in rolling
 *     (axial);
 *   - +1 for a tangent vector that is relative and made with n once more, such as n x rotation.
 * swap is the factor of the vector itself. Its components follow the new frame besides: x stays, y and n turn round.
 * See pcm_type_swap. */

/* What the host provides per contact, beyond the motion: one or two columns of pcm_batch.host_inputs, in table order.
 */
typedef struct pcm_host_input {
    const char *name, *unit, *doc;
    const char *when;  /* "NormalMethod=ProvidedByInput": read only then; NULL = always */
    uint32_t    shape; /* PCM_SCALAR; PCM_TANGENT is in the contact frame */
    uint32_t    reserved;
    const char *fallback; /* a real parameter of the same unit, whose value counts until the host sets the input, which
                           * is then scalar; NULL: there is none, and contacts give no force until it is set */
} pcm_host_input;

/* A number that every object has and that contacts change, as they change its motion by forces: its temperature, its
 * charge, what is worn off it. Laws read it on both sides and write what flows into each side. Of laws that use one
 * name they are the same amount, with the same units. At a commit the sum of the flows, times the step, divided by the
 * object's capacity, is added to the object's amount: hosts that integrate it themselves leave the capacity infinite.
 */
typedef struct pcm_amount {
    const char *name, *unit, *doc;
    const char *flow_unit; /* of what flows, per second: "W" for a temperature in "K" */
    double      initial;   /* SI, of every object until the host sets it */
    double      capacity;  /* SI, how much has to flow for one unit more; 0: infinite, as a mass of 0 is */
} pcm_amount;

/* An event is where an indicator, a column of pcm_batch.event, crosses zero. */
typedef struct pcm_event {
    const char *name, *doc;
    int32_t     direction; /* +1 rising, -1 falling, 0 both */
    uint32_t    jumps;     /* 1 when the law's jump verb changes states at this event */
} pcm_event;

/* A number that follows from the parameters and that users ask for: a compression, a restitution. What was not asked
 * for is NaN, or 0 of a host that does not know of it. */
typedef struct pcm_load {
    size_t size;
    double force;  /* N, normal, on this one contact */
    double depth;  /* m, a wanted compression        */
    double speed;  /* m/s, of an impact along the normal */
    double mass;   /* kg, reduced, of the two objects    */
    double radius; /* m, reduced                         */
} pcm_load;

typedef struct pcm_derived {
    const char *name, *unit, *doc;
    double (*value)(const void *params, const pcm_load *load); /* [setup] NaN where there is none */
} pcm_derived;

/* The value of a pcm_derived as a function of that name: an expression in `law`, the parameters, and `load`.
 *   PCM_DERIVED(Law, compression, load->force / law->stiffness); */
#define PCM_DERIVED(Law, name_, value_)                                                                                \
    static double name_(const void *params_, const pcm_load *load)                                                     \
    {                                                                                                                  \
        const Law *law = params_;                                                                                      \
        (void)law;                                                                                                     \
        (void)load;                                                                                                    \
        return (value_);                                                                                               \
    }                                                                                                                  \
    static double name_(const void *params_, const pcm_load *load)

/* The tangential forces on the follower that a contact can transmit at one normal force, for laws in which they make no
 * circle: along the projection of a body's axis to the tangent plane, and across it. */
enum {
    PCM_SHEAR_ELLIPSE, /* two halves of ellipses, from least to 0 and from 0 to most, which share `across` */
    PCM_SHEAR_BOX      /* whatever acts along, as much is held across */
};
enum { PCM_SHEAR_FOLLOWER, PCM_SHEAR_BASE }; /* whose axis: see PCM_AXES */
typedef struct pcm_shear {
    size_t size;
    double least, most;   /* N, along the axis; where 0 is not between them, something has to act. least > most: the
                           * normal force is not transmitted, whatever acts along the surface */
    double   across;      /* N, to either side, at least 0 */
    uint32_t shape, axis; /* PCM_SHEAR_... */
} pcm_shear;

/* One entry of a law's Jacobian: the partial derivative of a result by a cause. A column of pcm_batch.jacobian each. Of
 * a part that reads loads they are those at fixed loads. */
enum {
    PCM_OUTPUT_FORCE_N,
    PCM_OUTPUT_FORCE_X,
    PCM_OUTPUT_FORCE_Y,
    PCM_OUTPUT_MOMENT_N,
    PCM_OUTPUT_MOMENT_X,
    PCM_OUTPUT_MOMENT_Y,
    PCM_OUTPUT_RATE = 0x100 /* + the state column */
};
enum {
    PCM_WRT_DEPTH,
    PCM_WRT_DEPTH_RATE,
    PCM_WRT_SLIP_X,
    PCM_WRT_SLIP_Y,
    PCM_WRT_SPIN_X,
    PCM_WRT_SPIN_Y,
    PCM_WRT_SPIN_N,
    PCM_WRT_X,
    PCM_WRT_Y,
    PCM_WRT_Z,
    PCM_WRT_VELOCITY_X,
    PCM_WRT_VELOCITY_Y,
    PCM_WRT_VELOCITY_Z,
    PCM_WRT_STATE = 0x100, /* + the state column            */
    PCM_WRT_PARAM = 0x200  /* + the entry of the parameters */
};
typedef struct pcm_partial {
    uint32_t output, wrt;
} pcm_partial;

/* ---- The batch ------------------------------------------------------------------------------------------------- */

/* What a law reads beyond its states, in pcm_model.inputs. Columns it did not ask for read NaN. */
enum {
    PCM_DEPTH = 1u,
    PCM_DEPTH_RATE = 2u,
    PCM_SLIP = 4u,
    PCM_SPIN = 8u,
    PCM_POSITION = 16u, /* x, y, z */
    PCM_VELOCITY = 32u, /* velocity_x, velocity_y, velocity_z */
    PCM_RADIUS = 64u,
    PCM_MASS = 128u,
    PCM_LOAD = 256u,           /* load_n, load_elastic, load_adhesive, load_pull_off: from earlier parts */
    PCM_CONTACT_RADIUS = 512u, /* contact_radius: from an earlier part */
    PCM_FRESH = 1024u,         /* fresh: for establish alone */
    PCM_AREA = 2048u,          /* area: what the contact stands for, from the host */
    PCM_SHARE = 4096u,         /* share: of its pair's patch */
    PCM_BODY_SPINS = 8192u,    /* base_spin_x, _y, _n, follower_spin_x, _y, _n */
    PCM_AXES = 16384u          /* base_axis_x, _y, _n, follower_axis_x, _y, _n */
};

/* What a law writes beyond force_n, in pcm_model.outputs. What it does not declare counts as zero and may not be
 * written. */
enum {
    PCM_FRICTION = 1u, /* force_x, force_y */
    PCM_MOMENT = 2u,   /* moment_n, moment_x, moment_y */
    PCM_ENERGY = 4u,
    PCM_DISSIPATION = 8u,
    PCM_LIFE = 16u,
    PCM_MODE = 32u,
    PCM_SHARES = 64u,        /* elastic_n, adhesive_n, pull_off: for later parts */
    PCM_PATCH_RADIUS = 128u, /* patch_radius: what later parts read as contact_radius */
    PCM_ONSET = 256u         /* onset */
};

enum { PCM_LIVE, PCM_BROKEN, PCM_INVALID };         /* values of life */
enum { PCM_SEPARATED, PCM_STICKING, PCM_SLIPPING }; /* values of mode */

/* The depth that a lingering contact is given once the host reports it no more, in metres. */
#define PCM_FAR (-1e9)

/* Contacts of one contact type, as columns of `count` lanes. Columns may start at any address that suits a double.
 * Columns that the host does not want are still there to be written (into scratch): a law never tests for NULL, except
 * jacobian, which is NULL unless asked for. A law writes its outputs and never reads them back: unwanted columns may
 * share one scratch.
 *
 * Reports are what moves nothing: energy, dissipation, mode, event, and the rate of states that the law steps itself.
 * Hosts that only step do without them, and a law spares itself the work by writing them under `if (b->reports)`:
 * PCM_KERNELS compiles update once with it set and once without, so that the test is not in the loop. The field is for
 * update alone: other verbs do not read it.
 *
 * terminate is called for contacts that have ended, by hosts that are asked what became of them: state holds the last
 * states, motion that of the last evaluation. It writes energy, the J that those states still store, and dissipation,
 * the J that the contact turned into heat in its life; without it they count as what update wrote, and as 0. A law that
 * keeps count of its heat in a state tells it here. Both belong to a law that declares the column. */
typedef struct pcm_batch {
    size_t        size;
    size_t        count;
    size_t        event_index; /* the event that jump is called for */
    double        time, dt;    /* s; motion and forces are at time, states were committed at time - dt; dt 0: no step */
    const void   *params;      /* the law's parameter struct */
    const double *depth;       /* m, > 0 overlapping, < 0 the gap */
    const double *depth_rate;  /* m/s, > 0 approaching */
    const double *slip_x, *slip_y;                      /* m/s, tangential velocity of B relative to A */
    const double *spin_x, *spin_y, *spin_n;             /* rad/s, angular velocity of B relative to A, contact frame */
    const double *x, *y, *z;                            /* m, the contact point from A's origin, in A's axes */
    const double *velocity_x, *velocity_y, *velocity_z; /* m/s, velocity of B's point relative to A, in A's axes */
    const double *radius, *mass;                        /* m, kg: reduced, 1/r = 1/rA + 1/rB */
    const double *const *host_inputs;
    const double *const *state;
    double *const       *next; /* after the step of dt; scratch until the host commits */
    double *const       *rate; /* per second; only the columns of continuous states are read */
    /* N and N*m on B in the contact frame; with PCM_BASE_AXES force_x, _y, _n are along A's own x, y, z */
    double        *force_n, *force_x, *force_y, *moment_n, *moment_x, *moment_y;
    double        *energy;      /* J stored */
    double        *dissipation; /* W turned into heat; what a step loses at once, as where a spring snaps, over dt */
    double *const *event;
    double *const *jacobian;
    int64_t       *life, *mode; /* columns are all as wide as a double, or compilers do not vectorise */
    uint64_t       reports;     /* 1: they are wanted; 0: they need not be written; PCM_KERNELS sets it */
    /* Between the parts of a law that the .pcm file puts together (Hertz + Mindlin). Later parts read what earlier ones
     * gave: the normal force so far, its elastic and its adhesive share (below 0 where it pulls), the greatest pull
     * that adhesion carries, and the radius of the circle of contact. establish, jump and terminate do not get them. A
     * law that reads them need not write force_n: it then adds no normal force. */
    const double *load_n, *load_elastic, *load_adhesive, *load_pull_off; /* N */
    const double *contact_radius;                                        /* m */
    /* The shares of force_n that are elastic and adhesive, and the greatest pull, at least 0. A law that does not tell
     * counts as elastic. */
    double *elastic_n, *adhesive_n, *pull_off; /* N */
    double *patch_radius;                      /* m, of the circle of contact */
    /* 1 where both objects are as new, else 0: no commit has followed since they were added to the world, or since the
     * host renewed them. For bonds that are there from the beginning, or never. */
    const double *fresh;
    /* m, the largest gap at which this contact may begin, where it depends on more than the type: a state, a host
     * input. The model's onset still holds; below 0 it begins only at a depth; -INFINITY: never. A contact that may not
     * begin never was, and gives no force. Of live contacts it says where a feature that breaks could begin anew. */
    double *onset;
    /* Of the patch, which is all contacts of a pair of objects: the area that the contact stands for, m^2, at least 0,
     * and its share of the patch, from 0 to 1. The shares of a pair sum to 1; see pcm_touch. */
    const double *area, *share;
    /* Per amount of the law: its value on each side, which stays for the step, and what flows into each side per
     * second, 0 or less where it flows out. What one side loses the other need not gain: heat of friction warms both.
     * establish, jump and terminate write no flow. */
    const double *const *base_amount, *const *follower_amount;
    double *const *base_flow, *const *follower_flow;
    /* rad/s, the angular velocity of each body, in the contact frame: for wheels and tyres. */
    const double *base_spin_x, *base_spin_y, *base_spin_n;
    const double *follower_spin_x, *follower_spin_y, *follower_spin_n;
    /* An axis of each body, a unit vector in the contact frame: for blades, claws and grain. Which one the file says,
     * by BaseAxis and FollowerAxis. It is that of the body's pose in every evaluation, and does not drift. */
    const double *base_axis_x, *base_axis_y, *base_axis_n;
    const double *follower_axis_x, *follower_axis_y, *follower_axis_n;
} pcm_batch;

/* Pairs of objects, as columns of `count` lanes, for the verb per pair: what their contacts of one contact type give
 * together, and what the pair makes of it. For laws whose numbers are of a whole foot: its strength, its plate.
 *
 * The sums are over the contacts that the host has reported and that are sound, after update and, with Patch = Shared,
 * after their shares; directions are the contacts' own normals. The world then multiplies the force, moment, energy and
 * dissipation of each of these contacts by scale, and ends all of them where life is PCM_BROKEN; a scale that is not
 * finite or below 0, and PCM_INVALID, is a fault of all of them. States are stepped by update alone, as if scale
 * were 1. The verb has no states and no events: what it needs to remember is kept by the contacts. */
typedef struct pcm_pair_batch {
    size_t        size;
    size_t        count;
    double        time, dt; /* s; as in pcm_batch */
    const void   *params;
    const double *contacts; /* how many */
    const double *force_n;  /* N, sum of their force_n: below 0 the pair is pulled apart */
    const double *force_t;  /* N, magnitude of the sum of their tangential forces */
    const double *pull;     /* N, sum of -force_n of those that pull: at least 0 */
    const double *area;     /* m^2, sum; NaN where one of them has none */
    const double *depth;    /* m, of the deepest */
    const double *energy;   /* J, sum; 0 for a law without */
    double       *scale;    /* at least 0; 1: as they are */
    int64_t      *life;     /* as in pcm_batch */
} pcm_pair_batch;

/* ---- The model ------------------------------------------------------------------------------------------------- */

typedef void pcm_verb(const pcm_batch *batch);
typedef void pcm_pair_verb(const pcm_pair_batch *batch);

/* Instruction sets that a kernel may be compiled for. PCM_ISA_PLAIN is what every machine has; on x86-64 that is
 * SSE4.2, in every processor since 2011, because SSE2 has no packed select and gcc leaves loops with one alone. */
enum { PCM_ISA_PLAIN, PCM_ISA_AVX2, PCM_ISA_AVX512 };

typedef struct pcm_kernel_set {
    uint32_t       isa, reserved;
    pcm_verb      *update;    /* [hot] motion, state -> force, next, rate, events ...               */
    pcm_verb      *establish; /* [hot] new contacts: write next, which is zero, with the first state */
    pcm_verb      *jump;      /* [hot] at a located event: write next                               */
    pcm_verb      *terminate; /* [hot] contacts that end: the last sight of their states; see pcm_batch */
    pcm_verb      *forces;    /* [hot] update without reports and jacobian; NULL: update serves */
    pcm_pair_verb *pair; /* [hot] the contacts of a pair together: writes scale and life; NULL: they are on their own */
} pcm_kernel_set;

/* How a law says why it rejects its parameters. */
typedef struct pcm_setup {
    size_t size;
    void  *host;
    /* param: a name from the law's table, or NULL when it is none in particular. The host adds file, line and column.
     */
    void (*report)(const struct pcm_setup *setup, const char *param, const char *message);
} pcm_setup;

enum {
    /* The law's answer turns with slip and tangent states: it gives no preference to a direction in the tangent plane.
     * The host then need not carry the contact frame from step to step: it may choose another x at every step, where it
     * turns tangent states to it. */
    PCM_ISOTROPIC = 1u,
    /* Forces are along A's own axes (a law that reads x, y, z). */
    PCM_BASE_AXES = 2u,
    /* The base must be a fixed object. */
    PCM_BASE_FIXED = 4u,
    /* No law of ours: the pair stays with the host's own contacts. */
    PCM_HOST_CONTACT = 8u,
    /* The law may pull (tension) and says so. */
    PCM_PULLS = 16u,
    /* The law may add energy and says so. */
    PCM_ACTIVE = 32u,
    /* The contact frame turns halfway between the two objects, as for grains, and does not depend on which is the base:
     * without it the frame rides with A, so that the bristles of a ground stay with the ground. */
    PCM_FRAME_SHARED = 64u,
    /* The force may jump where a contact begins, as that of a damper does which acts in full from the first touch. */
    PCM_JUMPS = 128u
};

typedef struct pcm_model {
    uint32_t    size, flags;
    const char *name, *summary;
    const char *version;   /* of the law; NULL reads as "1" */
    const char *source;    /* the paper or document of the law */
    const char *equations; /* the law in plain text, as its page in the documentation shows it */
    uint32_t    inputs, outputs;
    pcm_table   params, states, host_inputs, events, derived, partials;
    pcm_table   kernels;
    int (*prepare)(const pcm_setup *setup, void *params); /* [setup] check together, derive constants; 0 = accepted */
    double (*reach)(const void *params); /* [setup] the largest gap, m, at which a contact lives on; NULL = 0 */
    double (*onset)(const void *params); /* [setup] the largest gap, m, at which one begins; lives on there; NULL = 0 */
    /* [setup] A known artefact of the equations: the largest share of the work put into a contact by which a closed
     * path of motion returns more than it took. NULL: none, as for most laws. Where there is no bound, declare
     * PCM_ACTIVE. */
    double (*gain)(const void *params);
    /* For PCM_MIX_BY_LAW. sides: the properties of one side, real parameters in a struct of their own. mix gets that
     * struct of both sides, filled, and writes the parameters that say PCM_MIX_BY_LAW; prepare follows. It must give
     * the same when the sides trade places, which is checked. [setup] 0 = accepted */
    pcm_table sides;
    int (*mix)(const pcm_setup *setup, void *params, const void *a, const void *b);
    pcm_table amounts;
    /* [setup] Writes what the contact can transmit along the surface at the normal force force_n, N, below 0 where it
     * pulls, into a zeroed *set. NULL: the cone of the PCM_CONE parameters, or nothing that is known. */
    void (*shear)(const void *params, double force_n, pcm_shear *set);
} pcm_model;

typedef struct pcm_library {
    uint32_t         magic, size;
    uint32_t         abi_major, abi_minor;
    uint32_t         batch_size, model_size; /* sizeof of both as the plugin was compiled */
    const pcm_model *model;
} pcm_library;

#if defined(__GNUC__)
#define PCM_EXPORT __attribute__((visibility("default")))
#else
#define PCM_EXPORT
#endif
extern PCM_EXPORT const pcm_library pcm_entry;

/* ---- The last lines of a plugin --------------------------------------------------------------------------------- */

/* PCM_KERNELS(update, establish, jump, terminate);   or   PCM_PAIR_KERNELS(pair, update, establish, jump, terminate);
 * PCM_MODEL(Name, "summary", any fields of pcm_model by name ...);
 *
 * PCM_KERNELS takes one to four verbs in that order; pcm_rest stands for one that the law lacks. It compiles each verb
 * once per instruction set, update with reports and without, from the one source. PCM_PAIR_KERNELS takes a verb per
 * pair before them. PCM_MODEL describes the law and exports it.
 *
 * With PCM_ONE_LANE defined the same file gives the verbs for a single contact, as a compiler for a GPU or a page wants
 * them: Name_update, Name_forces (update without reports), Name_establish, Name_jump and Name_terminate take a batch
 * whose count is 1. The verb per pair is not among them. They are all that the file then exports, and it needs no
 * header of the C library. */
static inline void pcm_rest(const pcm_batch *batch) { (void)batch; } /* a verb that does nothing */

/* PCM_KERNELS_is_missing, which this makes, is what compilers then say of a PCM_MODEL without it. */
#define PCM_KERNELS(...) PCM_KERNELS_(PCM_NO_PAIR_, __VA_ARGS__, pcm_rest, pcm_rest, pcm_rest, pcm_rest)

/* A name that is a macro, as of -DNAME=..., is replaced by what it stands for. */
#define PCM_MODEL(...) PCM_MODEL_(__VA_ARGS__)

#if defined(PCM_ONE_LANE)
#define PCM_PAIR_KERNELS(pair_, ...)                                                                                   \
    PCM_PAIR_FUNCTION_(lane, PCM_UNUSED_, pair_)                                                                       \
    PCM_KERNELS_(PCM_NO_PAIR_, __VA_ARGS__, pcm_rest, pcm_rest, pcm_rest, pcm_rest)
#define PCM_KERNELS_(pair_of_, update_, establish_, jump_, terminate_, ...)                                            \
    PCM_SET_FUNCTIONS_(lane, PCM_FLATTEN_, update_, establish_, jump_, terminate_)                                     \
    typedef pcm_verb PCM_KERNELS_is_missing
#define PCM_MODEL_(model_, summary_, ...)                                                                              \
    PCM_LANE_VERB_(model_##_update, pcm_update_lane)                                                                   \
    PCM_LANE_VERB_(model_##_forces, pcm_forces_lane)                                                                   \
    PCM_LANE_VERB_(model_##_establish, pcm_establish_lane)                                                             \
    PCM_LANE_VERB_(model_##_jump, pcm_jump_lane)                                                                       \
    PCM_LANE_VERB_(model_##_terminate, pcm_terminate_lane)                                                             \
    PCM_UNUSED_ static const pcm_model pcm_model_ = {                                                                  \
        .size = sizeof(pcm_model), .name = #model_, .summary = (summary_), __VA_ARGS__}
#define PCM_LANE_VERB_(name_, verb_)                                                                                   \
    extern PCM_EXPORT PCM_KERNELS_is_missing name_;                                                                    \
    void                                     name_(const pcm_batch *lane) { verb_(lane); }
#else
#define PCM_PAIR_KERNELS(pair_, ...)                                                                                   \
    PCM_PAIR_VERBS_(pair_)                                                                                             \
    PCM_KERNELS_(PCM_PAIR_OF_, __VA_ARGS__, pcm_rest, pcm_rest, pcm_rest, pcm_rest)
#define PCM_KERNELS_(pair_of_, update_, establish_, jump_, terminate_, ...)                                            \
    PCM_VERBS_(pair_of_, update_, establish_, jump_, terminate_)
#define PCM_MODEL_(model_, summary_, ...)                                                                              \
    static const pcm_model pcm_model_ = {.size = sizeof(pcm_model),                                                    \
                                         .name = #model_,                                                              \
                                         .summary = (summary_),                                                        \
                                         .kernels = {PCM_KERNELS_is_missing, PCM_SETS_, sizeof(pcm_kernel_set)},       \
                                         __VA_ARGS__};                                                                 \
    const pcm_library      pcm_entry = {PCM_MAGIC,         sizeof(pcm_library), PCM_ABI_MAJOR, PCM_ABI_MINOR,          \
                                        sizeof(pcm_batch), sizeof(pcm_model),   &pcm_model_}
#endif

#if defined(__GNUC__)
#define PCM_UNUSED_  __attribute__((unused))
#define PCM_FLATTEN_ __attribute__((flatten))
#else
#define PCM_UNUSED_
#define PCM_FLATTEN_
#endif

#define PCM_SET_FUNCTIONS_(tag, attributes, update_, establish_, jump_, terminate_)                                    \
    attributes static void pcm_update_##tag(const pcm_batch *b)                                                        \
    {                                                                                                                  \
        pcm_batch all = *b;                                                                                            \
        all.reports = 1;                                                                                               \
        update_(&all);                                                                                                 \
    }                                                                                                                  \
    attributes static void pcm_forces_##tag(const pcm_batch *b)                                                        \
    {                                                                                                                  \
        pcm_batch few = *b;                                                                                            \
        few.reports = 0;                                                                                               \
        few.jacobian = NULL;                                                                                           \
        update_(&few);                                                                                                 \
    }                                                                                                                  \
    attributes static void pcm_establish_##tag(const pcm_batch *b) { establish_(b); }                                  \
    attributes static void pcm_jump_##tag(const pcm_batch *b) { jump_(b); }                                            \
    attributes static void pcm_terminate_##tag(const pcm_batch *b) { terminate_(b); }
#define PCM_PAIR_FUNCTION_(tag, attributes, pair_)                                                                     \
    attributes static void pcm_pair_##tag(const pcm_pair_batch *b) { pair_(b); }
#define PCM_PAIR_OF_(tag) pcm_pair_##tag
#define PCM_NO_PAIR_(tag) NULL
#define PCM_SET_ENTRY_(tag, isa_, pair_of_)                                                                            \
    {                                                                                                                  \
        (isa_), 0, pcm_update_##tag, pcm_establish_##tag, pcm_jump_##tag, pcm_terminate_##tag, pcm_forces_##tag,       \
            pair_of_(tag)                                                                                              \
    }

#if defined(__x86_64__) && defined(__GNUC__)
#define PCM_SETS_         3
#define PCM_TARGET_PLAIN_ __attribute__((flatten, target("sse4.2")))
#define PCM_TARGET_AVX2_  __attribute__((flatten, target("avx2")))
#if defined(__clang__)
#define PCM_TARGET_AVX512_                                                                                             \
    __attribute__((flatten, target("avx512f,avx512dq,avx512bw,avx512vl"), __min_vector_width__(512)))
#else
#define PCM_TARGET_AVX512_                                                                                             \
    __attribute__((flatten, target("avx512f,avx512dq,avx512bw,avx512vl,prefer-vector-width=512")))
#endif
#define PCM_PAIR_VERBS_(pair_)                                                                                         \
    PCM_PAIR_FUNCTION_(plain, PCM_TARGET_PLAIN_, pair_)                                                                \
    PCM_PAIR_FUNCTION_(avx2, PCM_TARGET_AVX2_, pair_)                                                                  \
    PCM_PAIR_FUNCTION_(avx512, PCM_TARGET_AVX512_, pair_)
#define PCM_VERBS_(p, u, e, j, t)                                                                                      \
    PCM_SET_FUNCTIONS_(plain, PCM_TARGET_PLAIN_, u, e, j, t)                                                           \
    PCM_SET_FUNCTIONS_(avx2, PCM_TARGET_AVX2_, u, e, j, t)                                                             \
    PCM_SET_FUNCTIONS_(avx512, PCM_TARGET_AVX512_, u, e, j, t)                                                         \
    PCM_UNUSED_ static const pcm_kernel_set PCM_KERNELS_is_missing[PCM_SETS_] = {                                      \
        PCM_SET_ENTRY_(plain, PCM_ISA_PLAIN, p), PCM_SET_ENTRY_(avx2, PCM_ISA_AVX2, p),                                \
        PCM_SET_ENTRY_(avx512, PCM_ISA_AVX512, p)}
#else
#define PCM_SETS_              1
#define PCM_PAIR_VERBS_(pair_) PCM_PAIR_FUNCTION_(plain, , pair_)
#define PCM_VERBS_(p, u, e, j, t)                                                                                      \
    PCM_SET_FUNCTIONS_(plain, , u, e, j, t)                                                                            \
    PCM_UNUSED_ static const pcm_kernel_set PCM_KERNELS_is_missing[PCM_SETS_] = {                                      \
        PCM_SET_ENTRY_(plain, PCM_ISA_PLAIN, p)}
#endif

#ifdef __cplusplus
}
#endif
#endif

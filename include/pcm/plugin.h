/* SPDX-License-Identifier: MIT */
/* plugin.h - the binary interface between a PCM host and a contact law.
 *
 * A plugin is one shared object, <ModelType>.so, that exports one constant: pcm_entry. Everything that describes the
 * law is static data behind that constant: a host lists models, parameters and states without calling the law. A plugin
 * owns no memory: every block it sees belongs to the host, which may copy, move or save it.
 *
 * Call classes, named at every function:
 *   [setup] any thread, one call at a time per parameter block; may allocate.
 *   [hot]   any thread, concurrent on disjoint batches. No allocation, lock, I/O, errno or floating-point-environment
 *           change. The results of lane i depend on lane i's inputs, params, time and dt alone, bit for bit: not on
 *           count, on the lane's position or on its neighbours.
 *
 * A law can also be compiled for one lane (PCM_ONE_LANE, below) if its [hot] verbs keep these rules:
 *   - Every loop over lanes is PCM_EACH, and in it columns are indexed by that lane alone.
 *   - The only mathematical functions are those of kit.h.
 *   - Static data is const.
 *   - Parameters are read by value; a list is read by its values and count.
 *   - Arrays of lanes have PCM_BLOCK_LANES entries, and no parameter chooses a column or an array: GPUs keep these in
 *     memory. A loop over columns has a constant end, and PCM_EACH_COLUMN before it.
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
#define PCM_ABI_MAJOR 2u          /* host and plugin must have the same */
#define PCM_ABI_MINOR 2u          /* the lowest that the plugin needs of the host */

/* A table of constants: its entries, their number, and the size of one as the plugin was compiled. */
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
    PCM_KINDS         /* the number of kinds in this header                                             */
};

typedef struct pcm_list {
    const double *values; /* lives as long as the parameters */
    size_t        count;
} pcm_list;

enum {
    PCM_REQUIRED = 1u, /* has no default: the contact type writes it or, with .mix, the materials give it */
    PCM_OPEN_MIN = 2u, /* the value must be above min, not at it                           */
    PCM_OPEN_MAX = 4u, /* the value must be below max, not at it                           */
    PCM_CONE = 8u      /* a friction coefficient of the law's cone; of several the largest counts */
};

/* In a parameter's line: its value must be above that number. It sets .flags: with others write PCM_OPEN_MIN among
 * them. */
#define PCM_ABOVE(least) .min = (least), .flags = PCM_OPEN_MIN

/* How a real parameter gets its value in a contact type that does not write it: from properties of the two materials,
 * which stand in Material statements of the .pcm file. If neither material gives any of them, the parameter has its
 * default, if there is one; a modulus has one only in files without a Material. If one material gives them, the other
 * has the property's default.
 *
 * The usual mixings need only .mix in the parameter's line. They are symmetric: the value does not depend on which side
 * is the base. */
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
    PCM_MIXES          /* their number in this header */
};

typedef struct pcm_param {
    const char *name;
    const char *unit;       /* SI text such as "N*s/m", "N/m^1.5", "N/m^(4/3)"; "1" for none. An exponent may be the
                             * name of a real or integer parameter of this law, "N/m^Exponent": the unit then follows
                             * its value. For PCM_KIND_REAL and PCM_KIND_LIST. */
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
    PCM_TANGENT /* two columns, x then y, of a vector in the tangent plane, which turns with the frame */
};

/* The number of columns of a state or a host input of that shape. */
static inline uint32_t pcm_columns_of(uint32_t shape) { return shape == PCM_TANGENT ? 2 : 1; }

enum {
    PCM_HISTORY,   /* the law writes the value after the step into next */
    PCM_CONTINUOUS /* the law writes the time derivative into rate      */
};
enum {
    /* A continuous state for which the law also writes next, by a step that is stable at any dt. Without this flag the
     * host computes state + dt * rate. */
    PCM_STEPS = 1u,
    /* A state that relaxes to zero after the objects have parted: the contact stays live until it is zero. */
    PCM_LINGERS = 2u
};

/* The states have their columns in pcm_batch.state, next and rate in table order, one or two each. In a new contact
 * they are zero until the law's establish writes them. */
typedef struct pcm_state {
    const char *name, *unit, *doc;
    double      nominal; /* typical magnitude in SI units, for a solver's tolerances; above 0 */
    uint32_t    shape, role, flags;
    int32_t     swap; /* +1 or -1: the factor when A and B are swapped, see below */
} pcm_state;

/* When A and B are swapped, the same contact is described by the motion of A relative to B, with n reversed. Relative
 * quantities (displacements, velocities, rotations, forces) then change their sign, and so does n. In a product each of
 * them counts:
 *   - +1 for quantities that are the same for both sides, such as wear, age or temperature, and for an
 *     extension along n and a twist about n, which are relative and multiplied by n;
 *   - -1 for a tangent vector that is relative: the displacement of the contact point (polar), a rotation in rolling
 *     (axial);
 *   - +1 for a tangent vector that is relative and multiplied by n, such as n x rotation.
 * swap is the factor of the vector itself. Its components are also converted to the new frame: x stays, y and n are
 * reversed. See pcm_type_swap. */

/* Numbers besides the motion that the host sets per contact: one or two columns of pcm_batch.host_inputs, in table
 * order.
 */
typedef struct pcm_host_input {
    const char *name, *unit, *doc;
    const char *when;  /* "NormalMethod=ProvidedByInput": read only then; NULL = always */
    uint32_t    shape; /* PCM_SCALAR; PCM_TANGENT is in the contact frame */
    uint32_t    reserved;
    const char *fallback; /* a real parameter of the same unit, whose value a scalar input has until the host sets it;
                           * NULL: none, and contacts give no force until the input is set */
} pcm_host_input;

/* A number of every object that contacts change, as forces change its motion: its temperature, its charge, its wear.
 * Laws read it on both sides and write the flow into each side. Laws that use the same name have the same amount, with
 * the same units. A commit adds to the object's amount the sum of the flows times the step, divided by the object's
 * capacity. Hosts that integrate it themselves leave the capacity infinite.
 */
typedef struct pcm_amount {
    const char *name, *unit, *doc;
    const char *flow_unit; /* of the flow, per second: "W" for a temperature in "K" */
    double      initial;   /* SI, of every object until the host sets it */
    double      capacity;  /* SI, the flow that raises the amount by one unit; 0: infinite, as a mass of 0 is */
} pcm_amount;

/* An event is where an indicator, a column of pcm_batch.event, crosses zero. */
typedef struct pcm_event {
    const char *name, *doc;
    int32_t     direction; /* +1 rising, -1 falling, 0 both */
    uint32_t    jumps;     /* 1 when the law's jump verb changes states at this event */
} pcm_event;

/* The conditions for a number that follows from the parameters, such as a compression or a restitution. A condition
 * that is not given is NaN, or 0 where the host does not know the field. */
typedef struct pcm_load {
    size_t size;
    double force;  /* N, normal, on this one contact */
    double depth;  /* m, a compression to design for */
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

/* The tangential forces on the follower that a contact can transmit at one normal force, for laws whose limit is no
 * circle: along the projection of a body's axis onto the tangent plane, and across it. */
enum {
    PCM_SHEAR_ELLIPSE, /* two halves of ellipses, from least to 0 and from 0 to most, which share `across` */
    PCM_SHEAR_BOX      /* the limit across does not depend on the force along */
};
enum { PCM_SHEAR_FOLLOWER, PCM_SHEAR_BASE }; /* whose axis: see PCM_AXES */
typedef struct pcm_shear {
    size_t size;
    double least, most; /* N, along the axis; if 0 is not between them, the contact holds only under some force. least >
                         * most: it cannot transmit the normal force at all */
    double   across;    /* N, to either side, at least 0 */
    uint32_t shape, axis; /* PCM_SHEAR_... */
} pcm_shear;

/* One entry of a law's Jacobian: the partial derivative of an output with respect to an input, a column of
 * pcm_batch.jacobian. A part that reads loads gives the derivatives at fixed loads. */
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

/* The columns that a law reads besides its states, for pcm_model.inputs. Other columns read NaN. */
enum {
    PCM_DEPTH = 1u,
    PCM_DEPTH_RATE = 2u,
    PCM_SLIP = 4u,
    PCM_SPIN = 8u,
    PCM_POSITION = 16u, /* x, y, z */
    PCM_VELOCITY = 32u, /* velocity_x, velocity_y, velocity_z */
    PCM_RADIUS = 64u,
    PCM_MASS = 128u,
    PCM_LOAD = 256u,              /* load_n, load_elastic, load_adhesive, load_pull_off: from earlier parts */
    PCM_CONTACT_RADIUS = 512u,    /* contact_radius: from an earlier part */
    PCM_FRESH = 1024u,            /* fresh: for establish alone */
    PCM_AREA = 2048u,             /* area of the patch that the contact represents, from the host */
    PCM_SHARE = 4096u,            /* share: of its pair's patch */
    PCM_BODY_SPINS = 8192u,       /* base_spin_x, _y, _n, follower_spin_x, _y, _n */
    PCM_AXES = 16384u,            /* base_axis_x, _y, _n, follower_axis_x, _y, _n */
    PCM_LOSS = 32768u,            /* loss_friction, loss_damping, load_x, load_y: from earlier parts */
    PCM_CURVATURE = 65536u,       /* curvature_1, curvature_2 */
    PCM_CURVATURE_AXIS = 131072u, /* curvature_x, curvature_y */
    PCM_EXTENT = 262144u,         /* point_part, patch_part, line_length, line_curvature, flat_area, flat_aspect */
    PCM_FROM_PARTS = PCM_LOAD | PCM_CONTACT_RADIUS | PCM_LOSS,
    PCM_SHAPED = PCM_CURVATURE | PCM_CURVATURE_AXIS | PCM_EXTENT /* from the host, see contact_shape.h */
};

/* The columns that a law writes besides force_n, for pcm_model.outputs. Other columns count as zero, and the law must
 * not write them. */
enum {
    PCM_FRICTION = 1u, /* force_x, force_y */
    PCM_MOMENT = 2u,   /* moment_n, moment_x, moment_y */
    PCM_ENERGY = 4u,
    PCM_DISSIPATION = 8u,
    PCM_LIFE = 16u,
    PCM_MODE = 32u,
    PCM_SHARES = 64u,        /* elastic_n, adhesive_n, pull_off: for later parts */
    PCM_PATCH_RADIUS = 128u, /* patch_radius, which later parts read as contact_radius */
    PCM_ONSET = 256u         /* onset */
};

enum { PCM_LIVE, PCM_BROKEN, PCM_INVALID }; /* values of life */
/* Values of mode. PCM_TOUCHING: it has a force and is not known to stick or slip, as any contact under a law without
 * PCM_MODE. */
enum { PCM_SEPARATED, PCM_STICKING, PCM_SLIPPING, PCM_TOUCHING };

/* The depth in metres of a lingering contact that the host no longer reports. */
#define PCM_FAR (-1e9)

/* Contacts of one contact type, as columns of `count` lanes. Columns may start at any address that is aligned for a
 * double. Columns that the host does not need lead to scratch memory: a law never tests for NULL, except for jacobian,
 * which is NULL unless the host asks for it. A law writes its outputs and never reads them, since several columns may
 * share that scratch memory.
 *
 * Reports do not affect the motion: energy, dissipation, mode, event, and the rate of states that the law steps itself.
 * Hosts that only step do not need them. A law saves the work by writing them under `if (b->reports)`: PCM_KERNELS
 * compiles update once with it set and once without, so the test is not in the loop. Only update reads this field.
 *
 * Hosts that keep an energy ledger call terminate for contacts that have ended: state holds the last states, and the
 * motion is that of the last evaluation. It writes energy, the J that those states still store, and dissipation, the J
 * that the contact turned into heat in its life. Without terminate these are what update wrote, and 0. A law that sums
 * its heat in a state reports it here. A law writes either only if it declares that column. */
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
    double        *energy;      /* J, stored */
    double        *dissipation; /* W turned into heat; a loss at once in a step, as when a spring snaps, over dt */
    double *const *event;
    double *const *jacobian;
    int64_t       *life, *mode; /* as wide as a double, since compilers vectorise only columns of one width */
    uint64_t       reports;     /* 1: write them; 0: they are not needed; PCM_KERNELS sets it */
    /* Between the parts of a sum of laws (Hertz + Mindlin in the .pcm file). Later parts read the results of earlier
     * ones: the normal force so far, its elastic and its adhesive share (below 0 where it pulls), the greatest pull
     * that adhesion can carry, and the radius of the circle of contact. establish, jump and terminate do not have them.
     * A law that reads them need not write force_n: it then adds no normal force. */
    const double *load_n, *load_elastic, *load_adhesive, *load_pull_off; /* N */
    const double *contact_radius;                                        /* m */
    /* The shares of force_n that are elastic and adhesive, and the greatest pull, at least 0. A law without them counts
     * as elastic. */
    double *elastic_n, *adhesive_n, *pull_off; /* N */
    double *patch_radius;                      /* m, of the circle of contact */
    /* 1 where both objects are new, else 0: there was no commit since they were added to the world or renewed by the
     * host. For bonds that exist from the beginning, or never. */
    const double *fresh;
    /* m, the largest gap at which this contact may begin, if that depends on a state or a host input. The model's onset
     * holds as well. Below 0 the contact begins only at that depth, with -INFINITY never. A contact that may not begin
     * gives no force and is not made. For a live contact this is the gap at which its feature could begin again after
     * it breaks. */
    double *onset;
    /* A patch is all contacts of a pair of objects. area: the part of it that the contact represents, m^2, at least 0.
     * share: its share of the patch, from 0 to 1; the shares of a pair sum to 1. See pcm_touch. */
    const double *area, *share;
    /* For each amount of the law: its value on each side, constant during the step, and the flow into each side per
     * second, negative where it flows out. The two flows need not balance: heat of friction warms both sides.
     * establish, jump and terminate write no flow. */
    const double *const *base_amount, *const *follower_amount;
    double *const *base_flow, *const *follower_flow;
    /* rad/s, the angular velocity of each body, in the contact frame: for wheels and tyres. */
    const double *base_spin_x, *base_spin_y, *base_spin_n;
    const double *follower_spin_x, *follower_spin_y, *follower_spin_n;
    /* An axis of each body, a unit vector in the contact frame: for blades, claws and grain. BaseAxis and FollowerAxis
     * of the .pcm file choose it. It follows from the body's pose in every evaluation, and does not drift. */
    const double *base_axis_x, *base_axis_y, *base_axis_n;
    const double *follower_axis_x, *follower_axis_y, *follower_axis_n;
    /* What earlier parts dissipate, for heat and wear, and their tangential force. loss_friction is the heat of
     * friction that slips: that of a part whose mode is PCM_SLIPPING. A part without a mode always slips, unless it
     * holds by itself, as a bond does: it has states and reads no loads. Of a part that also presses it is at most the
     * power of its tangential force. All else is loss_damping. Each earlier part with a force has to declare
     * PCM_DISSIPATION. */
    const double *loss_friction, *loss_damping; /* W */
    const double *load_x, *load_y;              /* N */
    /* The shape of the gap around the contact. Principal relative curvatures at the point, 0 <= curvature_1 <=
     * curvature_2: the gap is (curvature_1 u^2 + curvature_2 v^2) / 2. Both are NaN where they are not known, and
     * radius counts. x and y: the unit vector of u in the contact frame, also the direction of a line; its sign means
     * nothing. */
    const double *curvature_1, *curvature_2; /* 1/m */
    const double *curvature_x, *curvature_y;
    /* What the contact is of a line or flat that its pair shares. Its force is point_part times that of a point with
     * the curvatures, plus patch_part times that of the whole line or flat, both at its own depth. A point has 1 and 0;
     * the two ends of a line that lies have 0 and 1/2 each, and the corners of a flat 0 and their parts of its area.
     * Both change continuously where a body tips. line_length and line_curvature: of the whole line, across it; 0: no
     * line. flat_area: of the whole flat; 0: no flat. flat_aspect: the ratio of its two radii of gyration, at least 1.
     */
    const double *point_part, *patch_part;
    const double *line_length, *line_curvature; /* m, 1/m */
    const double *flat_area, *flat_aspect;      /* m^2, 1 */
} pcm_batch;

/* Pairs of objects, as columns of `count` lanes, for the verb per pair: the sums over their contacts of one contact
 * type, and how the pair scales or ends them. For laws with limits of a whole foot, such as its strength.
 *
 * The sums are over the contacts that the host has reported and that have no fault, after update and, with Patch =
 * Shared, after the multiplication by their shares; directions are the contacts' own normals. The world then multiplies
 * the force, moment, energy and dissipation of each of these contacts by scale, and ends all of them where life is
 * PCM_BROKEN. A scale that is not finite or below 0, and PCM_INVALID, is a fault of all of them. Only update steps
 * states, as if scale were 1. The verb has no states and no events of its own. */
typedef struct pcm_pair_batch {
    size_t        size;
    size_t        count;
    double        time, dt; /* s; as in pcm_batch */
    const void   *params;
    const double *contacts; /* their number */
    const double *force_n;  /* N, sum of their force_n: below 0 the pair is pulled apart */
    const double *force_t;  /* N, magnitude of the sum of their tangential forces */
    const double *pull;     /* N, sum of -force_n of those that pull: at least 0 */
    const double *area;     /* m^2, sum; NaN where one of them has none */
    const double *depth;    /* m, of the deepest */
    const double *energy;   /* J, sum; 0 for a law without */
    double       *scale;    /* at least 0; 1: no change */
    int64_t      *life;     /* as in pcm_batch */
} pcm_pair_batch;

/* ---- The model ------------------------------------------------------------------------------------------------- */

typedef void pcm_verb(const pcm_batch *batch);
typedef void pcm_pair_verb(const pcm_pair_batch *batch);

/* Instruction sets that a kernel may be compiled for. Every machine has PCM_ISA_PLAIN. On x86-64 that is SSE4.2, in
 * every processor since 2011: SSE2 has no packed select, and gcc does not vectorise loops that need one. */
enum { PCM_ISA_PLAIN, PCM_ISA_AVX2, PCM_ISA_AVX512 };

typedef struct pcm_kernel_set {
    uint32_t       isa, reserved;
    pcm_verb      *update;    /* [hot] motion, state -> force, next, rate, events ...               */
    pcm_verb      *establish; /* [hot] new contacts: write the first states into next, which is zero */
    pcm_verb      *jump;      /* [hot] at a located event: write next                               */
    pcm_verb      *terminate; /* [hot] contacts that have ended; see pcm_batch */
    pcm_verb      *forces;    /* [hot] update without reports and jacobian; NULL: update */
    pcm_pair_verb *pair;      /* [hot] the contacts of a pair together: writes scale and life; NULL: none */
} pcm_kernel_set;

/* Reports why a law rejects its parameters. */
typedef struct pcm_setup {
    size_t size;
    void  *host;
    /* param: the name of a parameter, or NULL if it is about several. The host adds file, line and column.
     */
    void (*report)(const struct pcm_setup *setup, const char *param, const char *message);
} pcm_setup;

enum {
    /* The law prefers no direction in the tangent plane: if slip and tangent states turn, its answer turns with them.
     * Then the host need not carry the contact frame from step to step: it may choose another x at every step and turn
     * tangent states to it. */
    PCM_ISOTROPIC = 1u,
    /* Forces are along A's own axes (a law that reads x, y, z). */
    PCM_BASE_AXES = 2u,
    /* The base must be a fixed object. */
    PCM_BASE_FIXED = 4u,
    /* No law: the host's own contacts handle the pair. */
    PCM_HOST_CONTACT = 8u,
    /* The law may pull (tension). */
    PCM_PULLS = 16u,
    /* The law may add energy. */
    PCM_ACTIVE = 32u,
    /* The contact frame turns with the mean of the two objects, as for grains, and does not depend on which is the
     * base. Without this flag the frame turns with A: the bristles of a ground stay with the ground. */
    PCM_FRAME_SHARED = 64u,
    /* The force may jump where a contact begins, as with a damper that acts in full from the first touch. */
    PCM_JUMPS = 128u,
    /* The law holds for contacts in a point alone: worlds warn of one in a line or a flat (PCM-424). */
    PCM_POINTS = 256u
};

typedef struct pcm_model {
    uint32_t    size, flags;
    const char *name, *summary;
    const char *version;   /* of the law; NULL reads as "1" */
    const char *source;    /* the paper or document of the law */
    const char *equations; /* the law in plain text, for its page in the documentation */
    uint32_t    inputs, outputs;
    pcm_table   params, states, host_inputs, events, derived, partials;
    pcm_table   kernels;
    int (*prepare)(const pcm_setup *setup, void *params); /* [setup] check all, compute constants; 0 = accepted */
    double (*reach)(const void *params); /* [setup] the largest gap, m, at which a contact stays live; NULL = 0 */
    double (*onset)(const void *params); /* [setup] the largest gap, m, at which one begins, and stays live; NULL = 0 */
    /* [setup] A known artefact of the equations: the largest energy gained on a closed path of motion, as a share of
     * the work put into the contact. NULL: none, as for most laws. If it has no bound, declare PCM_ACTIVE. */
    double (*gain)(const void *params);
    /* For PCM_MIX_BY_LAW. sides: the properties of one side, real parameters in a struct of their own. mix reads that
     * struct of both sides and writes the parameters with PCM_MIX_BY_LAW, before prepare. It must be symmetric in the
     * two sides, which is checked. [setup] 0 = accepted */
    pcm_table sides;
    int (*mix)(const pcm_setup *setup, void *params, const void *a, const void *b);
    pcm_table amounts;
    /* [setup] Writes into a zeroed *set which tangential forces the contact can transmit at the normal force force_n,
     * N, below 0 where it pulls. NULL: the cone of the PCM_CONE parameters, or unknown. */
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
 * PCM_KERNELS takes one to four verbs in that order, with pcm_rest in place of one that the law lacks. It compiles each
 * verb once per instruction set, update with reports and without. PCM_PAIR_KERNELS takes a verb per pair before them.
 * PCM_MODEL describes the law and exports it.
 *
 * With PCM_ONE_LANE the same file defines verbs for a single contact, for example for a GPU or a web page: Name_update,
 * Name_forces (update without reports), Name_establish, Name_jump and Name_terminate take a batch whose count is 1.
 * There is no verb per pair. The file then exports nothing else, and needs no header of the C library. */
static inline void pcm_rest(const pcm_batch *batch) { (void)batch; } /* a verb that does nothing */

/* Defines PCM_KERNELS_is_missing, the name in compilers' errors about a PCM_MODEL without it. */
#define PCM_KERNELS(...) PCM_KERNELS_(PCM_NO_PAIR_, __VA_ARGS__, pcm_rest, pcm_rest, pcm_rest, pcm_rest)

/* Expands a name that is a macro, as with -DNAME=... . */
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
    PCM_FLATTEN_ void                        name_(const pcm_batch *lane) { verb_(lane); }
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

/* SPDX-License-Identifier: MIT */
/* law.h - a single law with parameters, and columns of contacts for it. */
#ifndef PCM_TESTS_LAW_H
#define PCM_TESTS_LAW_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <pcm/pcm.h>

typedef struct law {
    pcm_context         *context;
    pcm_config          *config;
    const pcm_type      *type;
    const pcm_type_info *info;
} law;

/* The project's plugins. */
extern const char *const law_plugins;

/* The law of that name with the parameters, which are written as in a .pcm file and may have printf's conversions. Its
 * plugin comes from the directory and its kernels are for the instruction set. Fails the test if it cannot be
 * opened. */
law law_open_at(const char *directory, uint32_t isa, const char *model, const char *parameters, ...)
    __attribute__((format(printf, 4, 5)));
law  law_open(const char *model, const char *parameters, ...) __attribute__((format(printf, 2, 3)));
void law_close(law *l);

/* The value of a derived quantity of the law. */
double law_derived(const law *l, const char *name, double force, double depth);

/* The same under any load; NaN if the law has no such quantity. */
double law_asked(const law *l, const char *name, const pcm_load *load);

enum { LAW_COLUMNS = 32 };

/* Columns that most laws neither read nor write: the members of pcm_batch that lanes.more has. */
#define LAW_MORE_INPUTS(X)                                                                                             \
    X(spin_x)                                                                                                          \
    X(spin_y)                                                                                                          \
    X(spin_n)                                                                                                          \
    X(radius)                                                                                                          \
    X(mass)                                                                                                            \
    X(area)                                                                                                            \
    X(share)                                                                                                           \
    X(fresh)                                                                                                           \
    X(load_n)                                                                                                          \
    X(load_elastic)                                                                                                    \
    X(load_adhesive)                                                                                                   \
    X(load_pull_off)                                                                                                   \
    X(contact_radius)                                                                                                  \
    X(base_spin_x)                                                                                                     \
    X(base_spin_y)                                                                                                     \
    X(base_spin_n)                                                                                                     \
    X(follower_spin_x)                                                                                                 \
    X(follower_spin_y)                                                                                                 \
    X(follower_spin_n)                                                                                                 \
    X(base_axis_x)                                                                                                     \
    X(base_axis_y)                                                                                                     \
    X(base_axis_n)                                                                                                     \
    X(follower_axis_x)                                                                                                 \
    X(follower_axis_y)                                                                                                 \
    X(follower_axis_n)                                                                                                 \
    X(loss_friction)                                                                                                   \
    X(loss_damping)                                                                                                    \
    X(load_x)                                                                                                          \
    X(load_y)
#define LAW_MORE_OUTPUTS(X)                                                                                            \
    X(moment_n)                                                                                                        \
    X(moment_x)                                                                                                        \
    X(moment_y)                                                                                                        \
    X(elastic_n)                                                                                                       \
    X(adhesive_n)                                                                                                      \
    X(pull_off)                                                                                                        \
    X(patch_radius)                                                                                                    \
    X(onset)

/* The shape of the contact: NaN, not known, until a test writes it. */
#define LAW_MORE_SHAPE(X)                                                                                              \
    X(curvature_1)                                                                                                     \
    X(curvature_2)                                                                                                     \
    X(curvature_x)                                                                                                     \
    X(curvature_y)                                                                                                     \
    X(point_part)                                                                                                      \
    X(patch_part)                                                                                                      \
    X(line_length)                                                                                                     \
    X(line_curvature)                                                                                                  \
    X(flat_area)                                                                                                       \
    X(flat_aspect)

#define LAW_MORE_NAME(name) LAW_MORE_##name,
enum { LAW_MORE_INPUTS(LAW_MORE_NAME) LAW_INPUTS_END };
enum { LAW_MORE_BEFORE_OUTPUTS = LAW_INPUTS_END - 1, LAW_MORE_OUTPUTS(LAW_MORE_NAME) LAW_OUTPUTS_END };
enum { LAW_MORE_BEFORE_SHAPE = LAW_OUTPUTS_END - 1, LAW_MORE_SHAPE(LAW_MORE_NAME) LAW_MORE };
#undef LAW_MORE_NAME

enum { LAW_AMOUNTS = 2 };
enum { LANES_SINGLE = 15, LANES_COLUMNS = LANES_SINGLE + 5 * LAW_COLUMNS + 2 + LAW_MORE + 4 * LAW_AMOUNTS };

/* Columns of contacts, initially all zero, but for the shape. */
typedef struct lanes {
    size_t   count;
    double  *memory; /* all LANES_COLUMNS columns, one after the other */
    double  *depth, *depth_rate, *slip_x, *slip_y, *x, *y, *z, *velocity_x, *velocity_y, *velocity_z;
    double  *state[LAW_COLUMNS], *host_inputs[LAW_COLUMNS], *next[LAW_COLUMNS], *rate[LAW_COLUMNS], *event[LAW_COLUMNS];
    double  *force_n, *force_x, *force_y, *energy, *dissipation;
    int64_t *life, *mode;
    double  *more[LAW_MORE];         /* at LAW_MORE_<column> */
    double  *amount[4][LAW_AMOUNTS]; /* amounts of base and follower, then the flows into each */
} lanes;

lanes lanes_open(size_t count);
void  lanes_close(lanes *l);

/* Lanes first to first + count - 1 as a batch, valid as long as the view. */
typedef struct lanes_view {
    const double *state[LAW_COLUMNS], *host_inputs[LAW_COLUMNS];
    double       *next[LAW_COLUMNS], *rate[LAW_COLUMNS], *event[LAW_COLUMNS];
    const double *amount[2][LAW_AMOUNTS];
    double       *flow[2][LAW_AMOUNTS];
    pcm_batch     batch;
} lanes_view;
void lanes_show(lanes_view *view, const lanes *columns, size_t first, size_t count, double dt);

/* Calls the law for those lanes. */
void lanes_call(const law *l, pcm_verb_kind verb, const lanes *columns, size_t first, size_t count, double dt);

/* Copies the next states of all lanes to their states, as a commit does. */
void lanes_commit(lanes *l);

/* The next number of a repeatable sequence in [-1, 1). */
double noise(uint64_t *seed);

#endif

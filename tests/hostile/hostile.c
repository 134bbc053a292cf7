/* SPDX-License-Identifier: MIT */
/* hostile.c - a correct plugin, in which each build breaks one thing: see meson.build. */
#include <pcm/plugin.h>

#define TEXT_(text) #text
#define TEXT(text)  TEXT_(text)

#ifndef NAME
#define NAME TEXT(MODEL)
#endif
#ifndef MAGIC
#define MAGIC PCM_MAGIC
#endif
#ifndef MAJOR
#define MAJOR PCM_ABI_MAJOR
#endif
#ifndef MINOR
#define MINOR PCM_ABI_MINOR
#endif
#ifndef LIBRARY_SIZE
#define LIBRARY_SIZE sizeof(pcm_library)
#endif
#ifndef BATCH_SIZE
#define BATCH_SIZE sizeof(pcm_batch)
#endif
#ifndef MODEL_SIZE
#define MODEL_SIZE sizeof(pcm_model)
#endif
#ifndef SIZE_IN_MODEL
#define SIZE_IN_MODEL sizeof(pcm_model)
#endif
#ifndef SUMMARY
#define SUMMARY "a law for tests"
#endif
#ifndef FLAGS
#define FLAGS 0
#endif
#ifndef INPUTS
#define INPUTS PCM_DEPTH
#endif

/* Fields of the first parameter, written after the correct ones, which they override. */
#ifndef FIRST
#define FIRST .min = 0
#endif
#ifndef SECOND
#define SECOND .min = 0
#endif
#ifndef CHOICE
#define CHOICE .max = INFINITY
#endif
#ifndef STATE
#define STATE .swap = 1
#endif
#ifndef GIVEN
#define GIVEN .shape = PCM_SCALAR
#endif
#ifndef EVENT
#define EVENT .direction = 1
#endif
#ifndef DERIVED
#define DERIVED .value = derive
#endif
#ifndef PARTIAL
#define PARTIAL .wrt = PCM_WRT_DEPTH
#endif
#ifndef KERNEL
#define KERNEL .isa = PCM_ISA_PLAIN
#endif
#ifndef TABLE
#define TABLE .count = 3
#endif
#ifndef EXTRA
#define EXTRA 0
#endif

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunused-const-variable"
#endif

typedef struct {
    double  stiffness, damping;
    int64_t mode;
} Law;

/* A parameter with a field that a later version of the header might add. */
typedef struct {
    pcm_param known;
    uint64_t  extra;
} Param;

static void update(const pcm_batch *b)
{
    PCM_EACH(b, i) {
        b->force_n[i] = 0;
    }
}

static inline double derive(const void *params, const pcm_load *load)
{
    (void)params;
    return load->force;
}

static const char *const choices[] = {"One", "Two", NULL};

static const Param params[] = {
    {PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1, "first", FIRST), 0},
    {PCM_REAL(Law, damping, "Damping", "N*s/m", 1, "second", SECOND), EXTRA},
    {PCM_CHOICE(Law, mode, "Mode", choices, 0, "third", CHOICE), 0},
};

#ifdef SIDE
static const pcm_param sides[] = {PCM_REAL(Law, damping, "Hardness", "Pa", 1, "of a side", SIDE)};
#endif
#ifdef MIX
static inline int mix(const pcm_setup *setup, void *of_both, const void *a, const void *b)
{
    (void)setup;
    *(Law *)of_both = *(const Law *)(a ? a : b);
    return 0;
}
#endif

static const pcm_state states[] = {{.name = "memory", .unit = "m", .doc = "a state", .nominal = 1, .swap = 1, STATE}};
static const pcm_host_input host_inputs[] = {{.name = "gift", .unit = "N", .doc = "an input", GIVEN}};
static const pcm_event      events[] = {{.name = "happening", .doc = "an event", EVENT}};
static const pcm_derived    derived[] = {{.name = "consequence", .unit = "N", .doc = "a number", DERIVED}};

/* Gives a table of numbers only the alignment that its entries need: compilers may give it more. */
static const struct {
    _Alignas(8) uint32_t before;
    pcm_partial partials[1];
} loose = {0, {{.output = PCM_OUTPUT_FORCE_N, PARTIAL}}};

static const pcm_kernel_set kernels[] = {
    {.update = update, .establish = pcm_rest, .jump = pcm_rest, .terminate = pcm_rest, KERNEL}};

static const pcm_model model = {
    .size = SIZE_IN_MODEL,
    .flags = FLAGS,
    .name = NAME,
    .summary = SUMMARY,
    .inputs = INPUTS,
    .params = {.entries = params, .size = sizeof(Param), TABLE},
    .states = PCM_TABLE(states),
    .host_inputs = PCM_TABLE(host_inputs),
    .events = PCM_TABLE(events),
    .derived = PCM_TABLE(derived),
    .partials = {.entries = loose.partials, .count = 1, .size = sizeof(pcm_partial)},
    .kernels = PCM_TABLE(kernels),
#ifdef SIDE
    .sides = PCM_TABLE(sides),
#endif
#ifdef MIX
    .mix = MIX,
#endif
};

#ifndef ENTRY
#define ENTRY pcm_entry
#endif
PCM_EXPORT extern const pcm_library ENTRY;
const pcm_library                   ENTRY = {MAGIC, LIBRARY_SIZE, MAJOR, MINOR, BATCH_SIZE, MODEL_SIZE, &model};

/* Functions that run while the plugin is being loaded. */
#ifdef ROUNDS
#include <fenv.h>
#include <stdlib.h>
__attribute__((constructor)) static void change_arithmetic(void)
{
    setenv("HOSTILE_ROUNDS", "1", 1);
    fesetround(FE_UPWARD);
    feenableexcept(FE_ALL_EXCEPT);
}
#endif

#ifdef PARALLEL /* needs OpenMP's library, which comes with the compiler */
extern int     omp_get_max_threads(void);
PCM_EXPORT int pcm_threads(void);
int            pcm_threads(void) { return omp_get_max_threads(); }
#endif

#ifdef MISSING
extern int      MISSING;
PCM_EXPORT int *pcm_missing(void);
int            *pcm_missing(void) { return &MISSING; }
#endif

/* SPDX-License-Identifier: MIT */
#include "bench.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_SAMPLES = 11, MAX_SAMPLES = 501 };

static const double enough = 0.02;        /* relative half-width of the interval for the median */
static const double sample_time = 200e-6; /* s: a thousand times what reading the clock costs */
static const double told = 0.01;          /* differences below this share of a run count as noise */

static bench_options options = {.seconds = 4};

_Noreturn void bench_fail(const char *what)
{
    fprintf(stderr, "bench: %s\n", what);
    exit(2);
}

void *bench_allocate(size_t bytes)
{
    const size_t rounded = (bytes + 63) / 64 * 64;
    void        *memory = aligned_alloc(64, rounded);
    if (!memory)
        bench_fail("out of memory");
    return memset(memory, 0, rounded);
}

double bench_random(double low, double high)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

const bench_options *bench_settings(void) { return &options; }

void bench_start(int argc, char **argv, const char *usage)
{
    options.words = bench_allocate((size_t)argc * sizeof *options.words);
    options.settings = bench_allocate((size_t)argc * sizeof *options.settings);
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--json"))
            options.json = true;
        else if (!strcmp(argv[i], "--large"))
            options.large = true;
        else if (!strcmp(argv[i], "--seconds") && i + 1 < argc)
            options.seconds = atof(argv[++i]);
        else if (usage[0] && !strcmp(argv[i], "--set") && i + 1 < argc)
            options.settings[options.setting_count++] = argv[++i];
        else if (usage[0] && argv[i][0] != '-')
            options.words[options.word_count++] = argv[i];
        else {
            fprintf(stderr, "usage: %s [--json] [--large] [--seconds N] %s\n", argv[0], usage);
            exit(2);
        }
    }
}

static double now(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The cost of two clock readings, which is subtracted from every timing. */
static double clock_cost(clockid_t clock)
{
    double cost[101];
    for (int i = 0; i < 101; i++) {
        const double start = now(clock);
        cost[i] = now(clock) - start;
    }
    qsort(cost, 101, sizeof *cost, ascending);
    return cost[50];
}

/* Seconds of one run, the mean of `rounds`. */
static double time_way(const bench_way *way, clockid_t clock, size_t rounds, double cost)
{
    double sum = 0;
    for (size_t i = 0; i < rounds; i++) {
        if (way->prepare)
            way->prepare(way->work);
        const double start = now(clock);
        way->run(way->work);
        sum += now(clock) - start - cost;
    }
    return sum / (double)rounds;
}

/* The same after a run that is not counted: before it, the other way ran for long and left caches cold. */
static double time_warm(const bench_way *way, clockid_t clock, size_t rounds, double cost)
{
    time_way(way, clock, 1, cost);
    return time_way(way, clock, rounds, cost);
}

/* How often to repeat the run for one sample. The first run warms the caches and is not counted. */
static size_t rounds_of(const bench_way *way, clockid_t clock, double cost)
{
    const double once = time_warm(way, clock, 1, cost);
    return once < sample_time ? (size_t)(sample_time / fmax(once, 1e-8)) + 1 : 1;
}

typedef struct Samples {
    double ours[MAX_SAMPLES], rival[MAX_SAMPLES]; /* nanoseconds per item */
    double figure[MAX_SAMPLES];                   /* the figure that is compared with the goal */
    size_t count;
} Samples;

static double median(const double *values, size_t count, double *sorted)
{
    memcpy(sorted, values, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
    return sorted[count / 2];
}

/* The relative half-width of the 95 % interval of the median, by order statistics: n/2 -+ 0.98 sqrt(n). */
static double spread(const Samples *samples)
{
    double       sorted[MAX_SAMPLES];
    const double n = (double)samples->count;
    const double middle = median(samples->figure, samples->count, sorted);
    const size_t low = (size_t)fmax(n / 2 - 0.98 * sqrt(n), 0);
    const size_t high = (size_t)fmin(n / 2 + 0.98 * sqrt(n), n - 1);
    return (sorted[high] - sorted[low]) / (2 * middle);
}

static double figure(bench_kind kind, double ours, double rival)
{
    switch (kind) {
    case BENCH_FASTER:
        return rival / ours;
    case BENCH_COST:
        return ours / rival;
    default:
        return ours;
    }
}

/* The ways, timed in turn. */
typedef struct Rivalry {
    bench_way ours, rival, base; /* the last two may lack `run` */
} Rivalry;

static void take_samples(Samples *samples, const bench_promise *promise, const Rivalry *r)
{
    const double cost = clock_cost(promise->clock), scale = 1e9 / promise->items;
    const size_t our_rounds = rounds_of(&r->ours, promise->clock, cost);
    const size_t rival_rounds = r->rival.run ? rounds_of(&r->rival, promise->clock, cost) : 0;
    const size_t base_rounds = r->base.run ? rounds_of(&r->base, promise->clock, cost) : 0;
    const double start = now(CLOCK_MONOTONIC);
    double (*timed)(const bench_way *, clockid_t, size_t, double) = base_rounds ? time_warm : time_way;

    for (samples->count = 0; samples->count < MAX_SAMPLES;) {
        const size_t i = samples->count++;
        const double ours = scale * timed(&r->ours, promise->clock, our_rounds, cost);
        const double rival = rival_rounds ? scale * timed(&r->rival, promise->clock, rival_rounds, cost) : 0;
        const double base = base_rounds ? scale * timed(&r->base, promise->clock, base_rounds, cost) : 0;
        samples->ours[i] = fmax(ours - base, told * ours);
        samples->rival[i] = rival_rounds ? fmax(rival - base, told * rival) : 0;
        samples->figure[i] = figure(promise->kind, samples->ours[i], samples->rival[i]);
        if (samples->count >= MIN_SAMPLES && spread(samples) < enough)
            break;
        if (samples->count >= 3 && now(CLOCK_MONOTONIC) - start > options.seconds)
            break;
    }
}

typedef struct Outcome {
    double figure, spread;
    double ours, rival; /* nanoseconds per item; 0 = none */
    double least;       /* our best sample: the one least disturbed by other load */
    /* only if there are several rivals; the rival above is the fastest */
    const bench_rival *rivals;
    double             times[BENCH_RIVALS]; /* nanoseconds per item */
    size_t             rival_count;
} Outcome;

static bool met(const bench_promise *promise, double value)
{
    return promise->kind == BENCH_FASTER ? value >= promise->goal : value <= promise->goal;
}

static void print_text(const bench_promise *promise, const Outcome *outcome)
{
    static bool titled;
    if (!titled)
        printf("%-36s %9s %8s %7s %4s %9s %9s %7s %9s %7s\n", "promise", "size", "ratio", "goal", "met", "ours ns",
               "rival ns", "spread", "M/s", "GB/s");
    titled = true;
    const char *verdict = promise->goal == 0 ? "-" : met(promise, outcome->figure) ? "yes" : "NO";
    printf("%-36s %9zu %8.3f %7.2f %4s", promise->name, promise->size, outcome->figure, promise->goal, verdict);
    if (outcome->ours > 0)
        printf(" %9.2f %9.2f %5.1f %% %9.2f %7.2f", outcome->ours, outcome->rival, 100 * outcome->spread,
               1e3 / outcome->ours, promise->bytes / outcome->ours);
    for (size_t i = 0; i < outcome->rival_count; i++)
        printf("%s%s %.0f ns", i == 0 ? "\n    " : ", ", outcome->rivals[i].name, outcome->times[i]);
    putchar('\n');
}

static void print_json(const bench_promise *promise, const Outcome *outcome)
{
    static const char *const kinds[] = {"times faster", "times the cost", "nanoseconds", "quantity"};
    const char              *verdict = promise->goal == 0 ? "null" : met(promise, outcome->figure) ? "true" : "false";
    printf("{\"name\": \"%s\", \"size\": %zu, \"ratio\": %.4g, \"kind\": \"%s\", \"goal\": %g, \"met\": %s, "
           "\"nanoseconds\": %.4g, \"least_nanoseconds\": %.4g, \"rival_nanoseconds\": %.4g, \"spread\": %.3g, "
           "\"gigabytes_per_second\": %.4g",
           promise->name, promise->size, outcome->figure, kinds[promise->kind], promise->goal, verdict, outcome->ours,
           outcome->least, outcome->rival, outcome->spread, outcome->ours > 0 ? promise->bytes / outcome->ours : 0);
    for (size_t i = 0; i < outcome->rival_count; i++)
        printf("%s\"%s\": %.4g%s", i == 0 ? ", \"rivals\": {" : ", ", outcome->rivals[i].name, outcome->times[i],
               i + 1 == outcome->rival_count ? "}" : "");
    puts("}");
}

static void print(const bench_promise *promise, const Outcome *outcome)
{
    (options.json ? print_json : print_text)(promise, outcome);
    fflush(stdout);
}

static Outcome measure(const bench_promise *promise, bench_way ours, bench_way rival, bench_way base)
{
    static Samples samples;
    double         sorted[MAX_SAMPLES];

    take_samples(&samples, promise, &(Rivalry){ours, rival, base});
    Outcome outcome = {
        .figure = median(samples.figure, samples.count, sorted),
        .spread = spread(&samples),
        .rival = median(samples.rival, samples.count, sorted),
        .ours = median(samples.ours, samples.count, sorted),
    };
    outcome.least = sorted[0];
    return outcome;
}

void bench_compare_beyond(const bench_promise *promise, bench_way ours, bench_way rival, bench_way base)
{
    const Outcome outcome = measure(promise, ours, rival, base);
    print(promise, &outcome);
}

void bench_compare_all(const bench_promise *promise, bench_way ours, const bench_rival *rivals, size_t count)
{
    Outcome fastest = {.figure = INFINITY};
    double  times[BENCH_RIVALS];
    for (size_t i = 0; i < count; i++) {
        const Outcome outcome = measure(promise, ours, rivals[i].way, (bench_way){0});
        times[i] = outcome.rival;
        if (outcome.figure < fastest.figure)
            fastest = outcome;
    }
    fastest.rivals = rivals;
    fastest.rival_count = count;
    memcpy(fastest.times, times, count * sizeof *times);
    print(promise, &fastest);
}

void bench_compare(const bench_promise *promise, bench_way ours, bench_way rival)
{
    bench_compare_beyond(promise, ours, rival, (bench_way){0});
}

double bench_time(bench_way way, double items, clockid_t clock)
{
    static Samples      samples;
    const bench_promise promise = {.items = items, .kind = BENCH_NANOSECONDS, .clock = clock};
    double              sorted[MAX_SAMPLES];
    take_samples(&samples, &promise, &(Rivalry){.ours = way});
    return median(samples.ours, samples.count, sorted);
}

void bench_quantity(const char *name, size_t size, double value, double goal)
{
    print(&(bench_promise){.name = name, .size = size, .kind = BENCH_QUANTITY, .goal = goal},
          &(Outcome){.figure = value});
}

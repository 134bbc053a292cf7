/* SPDX-License-Identifier: MIT */
/* bench.h - measures a promise about speed: two ways to do the same work, timed in turn in one process.
 *
 * A program measures one promise at several sizes and prints a line (or with --json an object) for each:
 * bench_start(argc, argv, ""), then bench_compare(&promise, ours, rival) for each size. */
#ifndef PCM_BENCH_H
#define PCM_BENCH_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* One way of doing the work. `prepare` runs before each run and is not timed. */
typedef struct bench_way {
    void (*run)(void *work);
    void (*prepare)(void *work); /* NULL = nothing to prepare */
    void *work;
} bench_way;

/* One of several ways to do the same work. */
typedef struct bench_rival {
    const char *name;
    bench_way   way;
} bench_rival;

typedef enum bench_kind {
    BENCH_FASTER,      /* the rival's time over ours is at least the goal  */
    BENCH_COST,        /* our time over the rival's is at most the goal    */
    BENCH_NANOSECONDS, /* our nanoseconds per item are at most the goal: no rival */
    BENCH_QUANTITY     /* the value given to bench_quantity is at most the goal: not a time */
} bench_kind;

typedef struct bench_promise {
    const char *name;  /* the promise, in a few words */
    size_t      size;  /* the number of contacts, or of whatever else the promise counts */
    double      items; /* items in one run: nanoseconds are per item */
    double      bytes; /* bytes of memory that our way must move per item; 0 = unknown */
    bench_kind  kind;
    double      goal;  /* 0: measured for comparison only */
    clockid_t   clock; /* CLOCK_THREAD_CPUTIME_ID; CLOCK_MONOTONIC if several threads work */
} bench_promise;

typedef struct bench_options {
    bool         json;
    bool         large;   /* also run the sizes that need gigabytes */
    double       seconds; /* the time limit of one promise */
    char       **words;   /* arguments that are not options */
    int          word_count;
    const char **settings; /* settings for .pcm files: "Type.Parameter=value" */
    int          setting_count;
} bench_options;

/* Reads --json, --large, --seconds N and --set SETTING; prints the table's head. `usage` names the other words that the
 * program takes, "" = none. Ends the program on anything else. */
void bench_start(int argc, char **argv, const char *usage);

const bench_options *bench_settings(void);

/* Runs both ways in turn until the median of the paired ratios is known to 2 % or the time is up; prints the result.
 * Runs that are too short for the clock are repeated. */
void bench_compare(const bench_promise *promise, bench_way ours, bench_way rival);

/* Compares the time that each way takes beyond a third way, which is timed in turn with them. Our excess counts as at
 * least a hundredth of the run: anything less is noise. */
void bench_compare_beyond(const bench_promise *promise, bench_way ours, bench_way rival, bench_way base);

/* bench_compare of kind BENCH_FASTER against at most BENCH_RIVALS rivals, each timed in turn with ours. The ratio is to
 * the fastest rival; all of them are printed. */
enum { BENCH_RIVALS = 3 };
void bench_compare_all(const bench_promise *promise, bench_way ours, const bench_rival *rivals, size_t count);

/* Nanoseconds per item of one way alone, to the same accuracy; prints nothing. */
double bench_time(bench_way way, double items, clockid_t clock);

/* Prints a quantity that is not a time, such as memory per item, and its goal. */
void bench_quantity(const char *name, size_t size, double value, double goal);

/* Zeroed memory, aligned to a cache line; ends the program if there is none. */
void *bench_allocate(size_t bytes);

/* Ends the program with a message on standard error. */
_Noreturn void bench_fail(const char *what);

/* The next number of a fixed random sequence, in [low, high). */
double bench_random(double low, double high);

#endif

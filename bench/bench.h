/* SPDX-License-Identifier: MIT */
/* bench.h - how a promise about speed is measured: two ways of doing the same work, in turn, in one process.
 *
 * A program measures one promise at several sizes and prints a line (or with --json an object) for each:
 *
 *   int main(int argc, char **argv)
 *   {
 *       bench_start(argc, argv, "");
 *       ... bench_compare(&promise, ours, rival); ...
 *   } */
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

/* One of several ways to do the same. */
typedef struct bench_rival {
    const char *name;
    bench_way   way;
} bench_rival;

typedef enum bench_kind {
    BENCH_FASTER,      /* the rival's time over ours is at least the goal  */
    BENCH_COST,        /* our time over the rival's is at most the goal    */
    BENCH_NANOSECONDS, /* our nanoseconds per item are at most the goal: no rival */
    BENCH_QUANTITY     /* what bench_quantity is given is at most the goal: not a time */
} bench_kind;

typedef struct bench_promise {
    const char *name;  /* what is promised, in a few words */
    size_t      size;  /* contacts, or what else the promise counts */
    double      items; /* done by one run: what nanoseconds are per */
    double      bytes; /* of memory that our way must move per item; 0 = not told */
    bench_kind  kind;
    double      goal;  /* 0: measured for comparison alone */
    clockid_t   clock; /* CLOCK_THREAD_CPUTIME_ID, or CLOCK_MONOTONIC where several threads work */
} bench_promise;

typedef struct bench_options {
    bool         json;
    bool         large;   /* the sizes that need gigabytes too */
    double       seconds; /* the most that one promise may take */
    char       **words;   /* what is no option */
    int          word_count;
    const char **settings; /* of .pcm files: "Type.Parameter=value" */
    int          setting_count;
} bench_options;

/* Reads --json, --large, --seconds N and --set SETTING; prints the table's head. `usage` names the words that the
 * program takes beside them, "" = none; ends the program on anything else. */
void bench_start(int argc, char **argv, const char *usage);

const bench_options *bench_settings(void);

/* Runs both ways in turn until the median of the paired ratios is known to 2 % or the time is used up; prints the
 * outcome. Ways that take less than the clock can tell are repeated. */
void bench_compare(const bench_promise *promise, bench_way ours, bench_way rival);

/* The same of what each way takes beyond a third, which is timed in turn with them. Ours counts as a hundredth of the
 * run at least: less is not told from nothing. */
void bench_compare_beyond(const bench_promise *promise, bench_way ours, bench_way rival, bench_way base);

/* The same as bench_compare, of kind BENCH_FASTER, against at most BENCH_RIVALS rivals, each in turn with ours: the
 * ratio is that to the fastest, and all of them are told. */
enum { BENCH_RIVALS = 3 };
void bench_compare_all(const bench_promise *promise, bench_way ours, const bench_rival *rivals, size_t count);

/* Nanoseconds per item of one way alone, as well known; prints nothing. */
double bench_time(bench_way way, double items, clockid_t clock);

/* Prints what is no time, such as the memory that an item takes, beside its goal. */
void bench_quantity(const char *name, size_t size, double value, double goal);

/* Zeroed, aligned to a cache line; ends the program where there is none. */
void *bench_allocate(size_t bytes);

/* Ends the program with a message on standard error. */
_Noreturn void bench_fail(const char *what);

/* The next of a fixed sequence of random numbers, in [low, high). */
double bench_random(double low, double high);

#endif

/* SPDX-License-Identifier: MIT */
/* usage: cost [--json] [--large] [--seconds N] MODEL|FILE.pcm ...
 *
 * What any law costs on this machine, and which fraction of its limit it reaches. The limit is the slower of two: a
 * triad over as many bytes (memory), and the law over one block that stays in the nearest cache (arithmetic). */
#include "bench.h"
#include "columns.h"
#include "open_config.h"
#include "triad.h"

#include <stdio.h>

enum { BLOCK = 256 };

/* As many blocks as the law has contacts, always the same one. */
typedef struct Arithmetic {
    Columns block;
    size_t  count;
} Arithmetic;

static void call_block(void *work)
{
    Arithmetic *arithmetic = work;
    for (size_t i = 0; i < arithmetic->count; i++)
        columns_call(&arithmetic->block);
}

static void measure(const pcm_type *type, size_t size)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    Columns             *columns = columns_new(type, size, false);
    Triad                triad = triad_new((size_t)(columns->bytes * (double)size));
    Arithmetic           arithmetic = {.count = size / BLOCK};
    const double         items = (double)size;
    char                 name[80];

    columns_slice(columns, 0, BLOCK, &arithmetic.block);
    const bench_way in_memory = {triad_run, NULL, &triad}, in_cache = {call_block, NULL, &arithmetic};
    const bool      by_memory = bench_time(in_memory, items, CLOCK_THREAD_CPUTIME_ID) >
                           bench_time(in_cache, (double)(arithmetic.count * BLOCK), CLOCK_THREAD_CPUTIME_ID);
    snprintf(name, sizeof name, "%s %s, %s limit", info->model->name, info->name, by_memory ? "memory" : "arithmetic");
    bench_compare(&(bench_promise){.name = name,
                                   .size = size,
                                   .items = items,
                                   .bytes = columns->bytes,
                                   .kind = BENCH_FASTER,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){columns_call, NULL, columns}, by_memory ? in_memory : in_cache);
    triad_free(&triad);
    columns_free(columns);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "MODEL|FILE.pcm ...");
    const bench_options *options = bench_settings();
    if (options->word_count == 0)
        bench_fail("name a law or a .pcm file");
    pcm_context *context = open_context(NULL);
    for (int i = 0; i < options->word_count; i++) {
        pcm_config *config = open_word(context, options->words[i]);
        for (size_t k = 0; k < pcm_config_type_count(config); k++)
            for (size_t size = 1024; size <= (options->large ? 16777216 : 131072); size *= 128)
                measure(pcm_config_type_at(config, k), size);
    }
}

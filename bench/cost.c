/* SPDX-License-Identifier: MIT */
/* usage: cost [--json] [--large] [--seconds N] MODEL|FILE.pcm ...
 *
 * Measures what a law costs on this machine, and which fraction of its limit it reaches. The limit is the slower of
 * two: a triad over as many bytes (memory), and the law over one block that stays in the nearest cache (arithmetic).
 * The latter is the time of a packed loop; for a loop that was not packed, the time is divided by the lanes of an
 * instruction. */
#include "bench.h"
#include "columns.h"
#include "open_config.h"
#include "packing.h"
#include "triad.h"

#include <stdio.h>

enum { BLOCK = 256 };

/* How many contacts one instruction could handle if the compiler has not packed the law's loop; else 1. */
static size_t unpacked_lanes(pcm_context *context, const char *model)
{
    static const size_t lanes[PACKING_SETS] = {2, 4, 8};
    const uint32_t      isa = pcm_context_defaults().isa;
    const char         *plugin = pcm_model_path(context, model);
    packing             found;
    return plugin && packing_find(plugin, &found) && !found.packed[isa] ? lanes[isa] : 1;
}

/* As many blocks as the law has contacts, always the same block. */
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

static void measure(const pcm_type *type, size_t size, size_t lanes)
{
    const pcm_type_info *info = pcm_type_get_info(type);
    Columns             *columns = columns_new(type, size, false);
    Triad                triad = triad_new((size_t)(columns->bytes * (double)size));
    Arithmetic           arithmetic = {.count = size / BLOCK};
    const double         items = (double)size;
    char                 name[160];

    columns_slice(columns, 0, BLOCK / lanes, &arithmetic.block);
    const bench_way in_memory = {triad_run, NULL, &triad}, in_cache = {call_block, NULL, &arithmetic};
    const bool      by_memory =
        bench_time(in_memory, items, CLOCK_THREAD_CPUTIME_ID) > bench_time(in_cache, items, CLOCK_THREAD_CPUTIME_ID);
    snprintf(name, sizeof name, "%s %s, %s limit", info->model->name, info->name,
             by_memory    ? "memory"
             : lanes == 1 ? "arithmetic"
                          : "packed arithmetic");
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
        for (size_t k = 0; k < pcm_config_type_count(config); k++) {
            const pcm_type *type = pcm_config_type_at(config, k);
            const size_t    lanes = unpacked_lanes(context, pcm_type_get_info(type)->model->name);
            for (size_t size = 1024; size <= (options->large ? 16777216 : 131072); size *= 128)
                measure(type, size, lanes);
        }
    }
}

/* SPDX-License-Identifier: MIT */
/* A .pcm file of many rules: the time to load it, with names resolved and values checked, and the memory of a rule. */
#include "bench.h"
#include "context_struct.h"
#include "open_config.h"
#include "parse.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct File {
    pcm_context *context;
    char        *text;
    size_t       length, names; /* bytes of the text and of its distinct names */
} File;

enum { N_TYPES = 100 };

/* Contact types, followed by one rule for each pair of surfaces. */
static void write_file(File *file, size_t n_rules)
{
    file->text = bench_allocate(n_rules * 96 + 4096);
    char *end = file->text;
    for (size_t i = 0; i < N_TYPES; i++) {
        const char *name = end + sizeof "ContactType";
        end += sprintf(end,
                       "ContactType Type%zu = ViscoelasticGround [{ GroundStiffness=%zu.5; GroundDamping=10 [N*s/m]; "
                       "Friction=0.8; }];\n",
                       i, 1000 + i);
        file->names += strcspn(name, " ");
    }
    for (size_t i = 0; i < n_rules; i++) {
        char name[32];
        end += sprintf(end, "SurfacePair Surface%zu * Surface%zu -> Type%zu;\n", i, i + 1, i % N_TYPES);
        file->names += (size_t)snprintf(name, sizeof name, "Surface%zu", i);
    }
    file->length = (size_t)(end - file->text);
}

static void load(void *work)
{
    const File *file = work;
    pcm_config_release(open_text(file->context, file->text, file->length));
}

static bool take_type(void *user, const pcm_type_node *type)
{
    (void)type;
    ++*(size_t *)user;
    return true;
}

static bool take_rule(void *user, const pcm_rule_node *rule)
{
    (void)rule;
    ++*(size_t *)user;
    return true;
}

/* Parses the text into statements and drops them. */
static void parse(void *work)
{
    const File        *file = work;
    size_t             statements = 0;
    bool               incomplete = false;
    pcm_sources        sources = {.arena.allocator = file->context->allocator};
    pcm_reports        reports;
    const pcm_listener listener = {&statements, take_type, take_rule, NULL, NULL, NULL, NULL, NULL};
    pcm_reports_start(&reports, &sources);
    const uint32_t index = pcm_sources_add(&sources, "rules", 5);
    if (pcm_source_take(&sources, index, file->text, file->length) != PCM_READ_OK ||
        !pcm_parse(&reports, index, &listener, &incomplete) || reports.errors > 0 || statements < N_TYPES)
        bench_fail("the rules could not be parsed");
    pcm_reports_free(&reports);
    pcm_sources_free(&sources);
}

static void measure(size_t n_rules)
{
    Account account = {0, 0};
    File    file = {0};
    file.context = open_context(&account);
    write_file(&file, n_rules);

    const size_t before = account.now;
    pcm_config  *config = open_text(file.context, file.text, file.length);
    const size_t kept = account.now - before;
    pcm_config_release(config);
    const double rules = (double)n_rules;
    bench_compare(&(bench_promise){.name = "lex and parse a byte",
                                   .size = n_rules,
                                   .items = (double)file.length,
                                   .bytes = 1,
                                   .kind = BENCH_NANOSECONDS,
                                   .goal = 10, /* 100 MB/s */
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){parse, NULL, &file}, (bench_way){0});
    bench_compare(&(bench_promise){.name = "load rules",
                                   .size = n_rules,
                                   .items = rules,
                                   .bytes = (double)file.length / rules,
                                   .kind = BENCH_NANOSECONDS,
                                   .goal = n_rules >= 1000000 ? 2e9 / rules : 0,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){load, NULL, &file}, (bench_way){0});
    bench_quantity("memory of a rule beyond the names", n_rules, ((double)kept - (double)file.names) / rules,
                   n_rules >= 1000000 ? 100 : 0);
    bench_quantity("peak memory of loading a rule", n_rules, (double)(account.peak - before) / rules, 0);
    pcm_context_free(file.context);
    free(file.text);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    measure(10000);
    measure(1000000);
}

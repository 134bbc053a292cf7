/* SPDX-License-Identifier: MIT */
/* summary.c - the table at the end of a run: the result of each rule. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "run.h"

static void rule_text(const pcm_rule_info *rule, char *text, size_t size)
{
    const char *type = pcm_type_get_info(rule->type)->name;
    if (rule->kind == PCM_DEFAULT_PAIR)
        (void)snprintf(text, size, "DefaultPair -> %s", type);
    else
        (void)snprintf(text, size, "%s %s * %s -> %s", rule->kind == PCM_OBJECT_PAIR ? "ObjectPair" : "SurfacePair",
                       rule->a, rule->b, type);
}

static size_t widest_rule(const pcm_config *config)
{
    size_t widest = strlen("rule");
    for (size_t i = 0; i < pcm_config_rule_count(config); i++) {
        char                text[256];
        const pcm_rule_info rule = pcm_config_rule_at(config, i);
        rule_text(&rule, text, sizeof text);
        widest = strlen(text) > widest ? strlen(text) : widest;
    }
    return widest;
}

/* Prints, for each contact type with a law of PCM, how its energy was stored and dissipated. */
static void print_energy(const run *r)
{
    (void)printf("\n%-20s %12s %12s %15s %12s %12s\n", "energy of", "work [J]", "stored [J]", "dissipated [J]",
                 "brought [J]", "residue [J]");
    for (size_t i = 0; i < pcm_config_type_count(r->config); i++) {
        const pcm_type *type = pcm_config_type_at(r->config, i);
        pcm_ledger      ledger = {.size = sizeof ledger};
        if (pcm_type_get_info(type)->model->flags & PCM_HOST_CONTACT ||
            pcm_world_type_ledger(pcm_mujoco_world(r->host), type, &ledger) != PCM_OK)
            continue;
        (void)printf("%-20s %12.4g %12.4g %15.4g %12.4g %12.4g\n", pcm_type_get_info(type)->name, ledger.work,
                     ledger.stored, ledger.dissipated, ledger.brought, ledger.residue);
    }
    (void)printf("\nwork: done on the bodies; brought: held by contacts that began deeper than motion took them; "
                 "residue: what the laws do not account for, and the error of the steps; below 0: energy that was "
                 "added\n");
}

void summary_print(const run *r)
{
    const int width = (int)widest_rule(r->config);
    (void)printf("simulated %.6g s of %s with %s\n\n", r->reached - r->start, r->options->scene, r->options->rules);
    (void)printf("%-*s  %-18s %6s %6s %6s  %10s %11s %10s\n", width, "rule", "law", "made", "parted", "broken",
                 "depth [m]", "slip [m/s]", "force [N]");
    for (size_t i = 0; i < pcm_config_rule_count(r->config); i++) {
        char                text[256];
        const pcm_rule_info rule = pcm_config_rule_at(r->config, i);
        const pcm_model    *model = pcm_type_get_info(rule.type)->model;
        pcm_rule_stats      stats = {.size = sizeof stats};
        rule_text(&rule, text, sizeof text);
        if (pcm_mujoco_rule_stats(r->host, i, &stats) != PCM_OK)
            continue;
        (void)printf("%-*s  %-18s %6" PRIu64 " %6" PRIu64 " %6" PRIu64 "  %10.3g %11.3g %10.3g\n", width, text,
                     model->flags & PCM_HOST_CONTACT ? "MuJoCo's own" : model->name, stats.made, stats.parted,
                     stats.broken, stats.max_depth, stats.max_slip, stats.max_force);
    }
    (void)printf(
        "\nmade: contacts that began; parted: that separated; broken: that their law ended; then the largest values\n");
    if (r->options->energy)
        print_energy(r);
}

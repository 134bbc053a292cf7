/* SPDX-License-Identifier: MIT */
/* world_setup.c - opens and closes worlds. */
#include "events.h"
#include "guard.h"
#include "near.h"
#include "ledger.h"
#include "objects.h"
#include "parallel.h"
#include "watch.h"
#include <pcm/amount.h>
#include <pcm/messages.h>

void pcm_world_defaults_into(pcm_world_def *def, size_t size)
{
    const pcm_world_def defaults = {.size = sizeof defaults, .isa = UINT32_MAX};
    pcm_info_fill(NULL, NULL, def, size, &defaults);
}

static pcm_block_run *pick_pipeline(uint32_t isa)
{
#ifdef PCM_HAVE_AVX
    if (isa >= PCM_ISA_AVX512)
        return pcm_block_run_avx512;
    if (isa >= PCM_ISA_AVX2)
        return pcm_block_run_avx2;
#endif
    (void)isa;
    return pcm_block_run_plain;
}

/* Which rule belongs to each group, or that several do. */
static void note_rules(pcm_world *world)
{
    for (size_t i = 0; i < world->n_rules; i++) {
        pcm_group *group = &world->groups[pcm_config_rule_at(world->config, i).type->info.index];
        group->shared = group->shared || group->rule != PCM_NO_RULE;
        group->rule = (uint32_t)i;
    }
}

static pcm_status open_world(pcm_world *world, const pcm_world_def *def)
{
    pcm_context *context = world->context;
    world->n_types = pcm_config_type_count(world->config);
    world->n_rules = pcm_config_rule_count(world->config);
    world->n_amounts = pcm_config_amount_count(world->config);
    world->stats = pcm_allocate(context, world->n_rules * sizeof *world->stats);
    world->logs = pcm_allocate(context, world->n_types * sizeof *world->logs);
    if ((world->n_types && !world->logs) || (world->n_rules && !world->stats) ||
        !pcm_grow(context, &world->groups, &world->group_capacity, world->n_types, sizeof *world->groups))
        return PCM_NO_MEMORY;
    world->isa = def->isa < context->isa ? def->isa : context->isa;
    world->run_block = pick_pipeline(world->isa);
    for (; world->n_groups < world->n_types; world->n_groups++) {
        pcm_group *group = &world->groups[world->n_groups];
        pcm_status status =
            pcm_group_open(context, group, pcm_config_type_at(world->config, world->n_groups), world->isa);
        if (status != PCM_OK)
            return status;
        group->n_ledger = def->ledger ? pcm_ledger_columns(group->model) : 0;
    }
    world->secret = pcm_hash_secret();
    world->ledger = def->ledger;
    world->sure_normals = def->sure_normals;
    world->ended = def->ended;
    world->ended_user = def->ended_user;
    note_rules(world);
    world->scratch = pcm_scratch_new(context, world->groups, world->n_groups);
    if (!world->scratch)
        return PCM_NO_MEMORY;
    pcm_status status = pcm_task_ranges_open(world, def);
    if (status != PCM_OK)
        return status;
    return pcm_logs_open(context, world->logs, world->config, def);
}

pcm_world *pcm_world_new(pcm_config *config, const pcm_world_def *def)
{
    if (!config)
        return NULL;
    pcm_context  *context = pcm_config_context(config);
    pcm_world_def filled = pcm_world_defaults();
    if (!pcm_def_fill(context, "pcm_world_def", &filled, def))
        return NULL;
    pcm_world *world = pcm_allocate(context, sizeof *world);
    if (!world) {
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a world");
        return NULL;
    }
    world->context = context;
    world->config = pcm_config_retain(config);
    world->told_surfaces.allocator = context->allocator;
    world->evaluation = 1;
    world->epoch = 2;
    world->committed_time = INFINITY;
    world->topology = 1;
    world->in_order = true;
    pcm_status status = open_world(world, &filled);
    if (status == PCM_OK)
        return world;
    if (status == PCM_NO_MEMORY)
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory for a world");
    pcm_world_free(world);
    return NULL;
}

pcm_config *pcm_world_config(const pcm_world *world) { return world->config; }

void pcm_world_free(pcm_world *world)
{
    if (!world || pcm_world_enter(world, true, __func__) != PCM_OK)
        return;
    pcm_context *context = world->context;
    pcm_world_report_uncommitted(world);
    if (world->logs)
        pcm_logs_close(context, world->logs, world->n_types);
    pcm_free(context, world->logs, world->n_types * sizeof *world->logs);
    pcm_world_free_objects(world);
    pcm_near_free(world);
    for (size_t i = 0; i < world->n_groups; i++)
        pcm_group_close(context, &world->groups[i]);
    pcm_free(context, world->groups, world->group_capacity * sizeof *world->groups);
    pcm_free(context, world->mixed_groups, world->mixed_capacity * sizeof *world->mixed_groups);
    pcm_free(context, world->settings, world->setting_capacity * sizeof *world->settings);
    pcm_events_free(world);
    pcm_names_free(&world->told_surfaces);
    pcm_free(context, world->stats, world->n_rules * sizeof *world->stats);
    pcm_task_ranges_close(world);
    pcm_scratch_free(context, world->scratch);
    pcm_free(context, world->slots, world->slot_capacity * sizeof *world->slots);
    pcm_free(context, world->tentative, world->tentative_capacity * sizeof *world->tentative);
    pcm_free(context, world->broken, world->broken_capacity * sizeof *world->broken);
    pcm_free(context, world->pairs, world->pair_capacity * sizeof *world->pairs);
    pcm_free(context, world->unassigned, world->unassigned_capacity * sizeof *world->unassigned);
    pcm_index_free(context, &world->contacts);
    pcm_index_free(context, &world->pair_index);
    pcm_config *config = world->config;
    pcm_free(context, world, sizeof *world);
    pcm_config_release(config);
}

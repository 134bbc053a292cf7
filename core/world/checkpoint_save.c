/* SPDX-License-Identifier: MIT */
#include "checkpoint.h"

static void save_doubles(pcm_writer *to, const double *values, size_t count)
{
    for (size_t i = 0; i < count; i++)
        pcm_write_double(to, values[i]);
}

static void save_config(pcm_writer *to, const pcm_world *world)
{
    pcm_write_u64(to, world->ledger);
    pcm_write_u64(to, world->n_groups);
    for (size_t g = 0; g < world->n_groups; g++) {
        const pcm_type_info *info = &world->groups[g].type->info;
        pcm_write_text(to, info->name);
        pcm_write_text(to, info->model->name);
        pcm_write_text(to, info->model->version ? info->model->version : "1");
        pcm_write_u64(to, pcm_type_fingerprint(world->groups[g].type));
    }
    pcm_write_u64(to, world->n_rules);
    pcm_write_u64(to, pcm_rules_fingerprint(world->config));
}

/* A Shell sort: unless objects have been removed they are in order already. */
uint32_t pcm_world_order(pcm_world *world)
{
    pcm_body *bodies = world->bodies;
    uint32_t  count = 0;
    for (uint32_t i = 0; i < world->n_bodies; i++)
        if (bodies[i].name)
            bodies[count++].nth = i;
    for (uint32_t gap = count / 2; gap > 0; gap /= 2)
        for (uint32_t i = gap; i < count; i++) {
            uint32_t body = bodies[i].nth, at = i;
            for (; at >= gap && bodies[bodies[at - gap].nth].serial > bodies[body].serial; at -= gap)
                bodies[at].nth = bodies[at - gap].nth;
            bodies[at].nth = body;
        }
    return count;
}

/* Whether the last update was accepted: its forces are then those of the last commit. */
static bool is_committed(const pcm_world *world) { return world->source != world->parity; }

static uint64_t place_of(const pcm_world *world, uint32_t object) { return world->bodies[object].place; }

static void save_objects(pcm_writer *to, pcm_world *world)
{
    uint32_t count = pcm_world_order(world);
    pcm_write_u64(to, count);
    for (uint32_t place = 0; place < count; place++) {
        uint32_t  i = world->bodies[place].nth;
        pcm_body *body = &world->bodies[i];
        body->place = place;
        size_t                newest = world->moved[i] == world->epoch ? 1 - world->front : world->front;
        const pcm_twist_line *twist = &world->twist[newest][i];
        const pcm_pose_line  *pose = &world->pose[newest][i];
        pcm_write_text(to, body->name);
        pcm_write_text(to, body->surface);
        pcm_write_u64(to, pose->hold);
        save_doubles(to, twist->linear, 3);
        save_doubles(to, twist->angular, 3);
        pcm_write_double(to, twist->curvature);
        pcm_write_double(to, twist->inverse_mass);
        save_doubles(to, pose->position, 3);
        save_doubles(to, pose->orientation, 4);
        const pcm_wrench_line wrench = is_committed(world) ? world->wrench[i] : (pcm_wrench_line){0};
        save_doubles(to, wrench.force, 3);
        save_doubles(to, wrench.torque, 3);
    }
}

static uint64_t told(const pcm_pair *pair)
{
    return (pair->warned_motion ? PCM_WARNED_MOTION : 0u) | (pair->warned_input ? PCM_WARNED_INPUT : 0u) |
           (pair->warned_unassigned ? PCM_WARNED_UNASSIGNED : 0u) | (pair->warned_energy ? PCM_WARNED_ENERGY : 0u) |
           (pair->warned_overlap ? PCM_WARNED_OVERLAP : 0u);
}

static void save_pairs(pcm_writer *to, const pcm_world *world)
{
    uint64_t count = 0;
    for (size_t i = 0; i < world->n_pairs; i++)
        count += world->pairs[i].low != world->pairs[i].high && told(&world->pairs[i]);
    pcm_write_u64(to, count);
    for (size_t i = 0; i < world->n_pairs; i++) {
        const pcm_pair *pair = &world->pairs[i];
        if (pair->low == pair->high || !told(pair))
            continue;
        pcm_write_u64(to, place_of(world, pair->low));
        pcm_write_u64(to, place_of(world, pair->high));
        pcm_write_u64(to, told(pair));
    }
    pcm_write_u64(to, world->n_broken);
    for (size_t i = 0; i < world->n_broken; i++) {
        const pcm_pair *pair = &world->pairs[world->broken[i].pair];
        pcm_write_u64(to, place_of(world, pair->low));
        pcm_write_u64(to, place_of(world, pair->high));
        pcm_write_u64(to, world->broken[i].feature);
    }
}

static void save_contact(pcm_writer *to, const pcm_world *world, const pcm_group *group, size_t row)
{
    const pcm_identity *identity = &group->identity[row];
    pcm_write_u64(to, place_of(world, pcm_side_object(group->record[row].base)));
    pcm_write_u64(to, place_of(world, pcm_side_object(group->record[row].follower)));
    pcm_write_u64(to, identity->feature);
    pcm_write_u64(to, identity->id);
    pcm_write_double(to, identity->since);
    pcm_write_u64(to, world->slots[identity->slot].flipped);
    for (uint32_t k = 0; k < group->n_state; k++)
        pcm_write_double(to, *pcm_group_state(group, world->parity, k, row));
    for (uint32_t k = 0; k < group->n_frame; k++)
        pcm_write_double(to, *pcm_group_frame(group, world->parity, k, row));
    for (uint32_t k = 0; k < group->n_host_inputs; k++)
        pcm_write_double(to, *pcm_group_host_input(group, k, row));
    for (uint32_t k = 0; k < group->n_ledger; k++)
        pcm_write_double(to, *pcm_group_ledger(group, k, row));
}

static void save_world(pcm_writer *to, pcm_world *world)
{
    save_config(to, world);
    pcm_write_double(to, world->time);
    pcm_write_double(to, world->dt);
    pcm_write_double(to, world->committed_time);
    pcm_write_u64(to, world->last_id);
    save_objects(to, world);
    save_pairs(to, world);
    for (size_t g = 0; g < world->n_groups; g++) {
        const pcm_group *group = &world->groups[g];
        pcm_write_u64(to, group->live);
        for (size_t row = 0; row < group->live; row++)
            save_contact(to, world, group, row);
        pcm_write_double(to, world->logs[g].last);
        save_doubles(to, (const double[]){group->ledger.work, group->ledger.stored, group->ledger.dissipated}, 3);
    }
    for (size_t i = 0; i < world->n_rules; i++) {
        const pcm_rule_stats *stats = &world->stats[i];
        pcm_write_u64(to, stats->made);
        pcm_write_u64(to, stats->parted);
        pcm_write_u64(to, stats->broken);
        save_doubles(to, (const double[]){stats->max_depth, stats->max_slip, stats->max_force}, 3);
    }
}

size_t pcm_world_checkpoint_size(pcm_world *world)
{
    pcm_writer counter = {NULL, PCM_CHECKPOINT_HEAD};
    save_world(&counter, world);
    return counter.count;
}

pcm_status pcm_world_checkpoint_save(pcm_world *world, void *bytes, size_t size)
{
    if (size != pcm_world_checkpoint_size(world))
        return PCM_BAD_ARGUMENT;
    pcm_writer body = {bytes, PCM_CHECKPOINT_HEAD}, head = {bytes, 0};
    save_world(&body, world);
    pcm_write_u64(&head, PCM_CHECKPOINT_MARK);
    pcm_write_u64(&head, PCM_CHECKPOINT_VERSION);
    pcm_write_u64(&head, size);
    uint64_t sum = pcm_checksum(PCM_CHECKSUM_START, bytes, head.count);
    sum = pcm_checksum(sum, (const uint8_t *)bytes + PCM_CHECKPOINT_HEAD, size - PCM_CHECKPOINT_HEAD);
    pcm_write_u64(&head, sum);
    return PCM_OK;
}

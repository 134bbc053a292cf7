/* SPDX-License-Identifier: MIT */
/* frame.c - poses and contacts, frame by frame. */
#include "recorder.h"

#include <math.h>
#include <string.h>

/* ---- Poses ----------------------------------------------------------------------------------------------------- */

static void pose_words(const pcm_pose *pose, uint32_t words[7])
{
    for (size_t k = 0; k < 3; k++)
        words[k] = pcm_replay_step(pose->position[k], PCM_REPLAY_LINEAR_LENGTH);
    pcm_replay_put_turn(words + 3, pose->orientation);
}

/* A row if the pose differs from the previous row. */
static void record_pose(pcm_replay *replay, uint32_t subject, uint32_t frame, const pcm_pose *pose)
{
    pcm_subject *s = &replay->subjects[subject];
    uint32_t     words[7];
    pose_words(pose, words);
    if (s->chunk == replay->chunk && memcmp(words, s->last, sizeof words) == 0)
        return;
    uint32_t *row = pcm_replay_table_add(&replay->poses);
    if (!row) {
        replay->lost = true;
        return;
    }
    row[PCM_POSE_SUBJECT] = subject;
    row[PCM_POSE_FRAME] = frame;
    memcpy(row + PCM_POSE_POSITION, words, sizeof words);
    memcpy(s->last, words, sizeof words);
    s->chunk = replay->chunk;
}

/* A removed subject has no pose: its last row in the chunk says so. */
static void record_poses(pcm_replay *replay, uint32_t frame)
{
    static const pcm_pose nowhere = {{NAN, NAN, NAN}, {1, 0, 0, 0}};
    for (uint32_t i = 0; i < replay->n_subjects; i++) {
        pcm_subject    *s = &replay->subjects[i];
        pcm_object_info info = {.size = sizeof info};
        if (s->gone)
            continue;
        s->gone = !s->seen;
        if (s->object.generation == 0)
            record_pose(replay, i, frame, &s->pose);
        else if (s->seen && pcm_world_object_info(replay->world, s->object, &info) == PCM_OK)
            record_pose(replay, i, frame, &info.pose);
        else if (s->chunk == replay->chunk)
            record_pose(replay, i, frame, &nowhere);
    }
}

/* ---- Contacts -------------------------------------------------------------------------------------------------- */

static uint32_t rule_of(size_t rule) { return rule < PCM_REPLAY_NONE ? (uint32_t)rule : PCM_REPLAY_NONE; }

/* What is written once per contact. */
typedef struct contact_facts {
    uint64_t id, feature;
    uint32_t a, b, rule;
    double   friction;
} contact_facts;

/* The contact's number in the chunk, where its first appearance describes it; PCM_REPLAY_NONE without memory. An event
 * does not give the type, so it is still unknown here. */
static uint32_t number_of(pcm_replay *replay, const pcm_contact_key *key, const contact_facts *facts)
{
    bool           is_new;
    const uint32_t number = pcm_contact_number(replay, key, &is_new);
    uint32_t      *row = is_new ? pcm_replay_table_add(&replay->contacts) : NULL;
    if (!row)
        return is_new ? PCM_REPLAY_NONE : number;
    row[PCM_TOUCH_NUMBER] = number;
    row[PCM_TOUCH_ID] = (uint32_t)facts->id;
    row[PCM_TOUCH_ID + 1] = (uint32_t)(facts->id >> 32);
    row[PCM_TOUCH_FEATURE] = (uint32_t)facts->feature;
    row[PCM_TOUCH_FEATURE + 1] = (uint32_t)(facts->feature >> 32);
    row[PCM_TOUCH_A] = facts->a;
    row[PCM_TOUCH_B] = facts->b;
    row[PCM_TOUCH_RULE] = facts->rule;
    row[PCM_TOUCH_TYPE] = PCM_REPLAY_NONE;
    row[PCM_TOUCH_FRICTION] = pcm_replay_step(facts->friction, PCM_REPLAY_LINEAR_NUMBER);
    return number;
}

static void put_steps(uint32_t *row, const double *values, size_t count, int linear)
{
    for (size_t i = 0; i < count; i++)
        row[i] = pcm_replay_step(values[i], linear);
}

static void put_numbers(uint32_t *row, const double *values, size_t count)
{
    put_steps(row, values, count, PCM_REPLAY_LINEAR_NUMBER);
}

/* The rotation that takes the world's axes to the columns of a row-major frame, scalar 0 or more. */
static void turn_of(const double m[9], double q[4])
{
    const double trace[4] = {m[0] + m[4] + m[8], m[0] - m[4] - m[8], m[4] - m[0] - m[8], m[8] - m[0] - m[4]};
    size_t       most = 0;
    for (size_t k = 1; k < 4; k++)
        most = trace[k] > trace[most] ? k : most;
    /* Row `most` of the matrix 4 q q^T, whose diagonal is 1 + trace. */
    const double products[4][4] = {{1 + trace[0], m[7] - m[5], m[2] - m[6], m[3] - m[1]},
                                   {m[7] - m[5], 1 + trace[1], m[1] + m[3], m[2] + m[6]},
                                   {m[2] - m[6], m[1] + m[3], 1 + trace[2], m[5] + m[7]},
                                   {m[3] - m[1], m[2] + m[6], m[5] + m[7], 1 + trace[3]}};
    const double scale = copysign(0.5 / sqrt(1 + trace[most]), products[most][0]);
    for (size_t k = 0; k < 4; k++)
        q[k] = scale * products[most][k];
}

static uint32_t *add_row(pcm_replay *replay, uint32_t contact, uint32_t frame, int64_t mode)
{
    uint32_t *row = contact == PCM_REPLAY_NONE ? NULL : pcm_replay_table_add(&replay->rows);
    if (!row) {
        replay->lost = true;
        return NULL;
    }
    row[PCM_ROW_CONTACT] = contact;
    row[PCM_ROW_FRAME] = frame;
    row[PCM_ROW_MODE] = (uint32_t)mode;
    return row;
}

static void record_contact(pcm_replay *replay, const pcm_contact_info *info, uint32_t frame)
{
    const pcm_contact_key key = {UINT64_MAX, info->id, 0};
    const contact_facts   facts = {info->id,
                                   info->feature,
                                   pcm_scene_object(replay, info->base),
                                   pcm_scene_object(replay, info->follower),
                                   rule_of(info->rule),
                                   NAN};
    const uint32_t        type = pcm_scene_type(replay, info->type), contact = number_of(replay, &key, &facts);
    uint32_t             *row = add_row(replay, contact, frame, info->mode);
    if (!row)
        return;
    double turn[4];
    turn_of(info->frame, turn);
    replay->contacts.words[contact * PCM_TOUCH_COLUMNS + PCM_TOUCH_TYPE] = type;
    put_steps(row + PCM_ROW_POINT, info->point, 3, PCM_REPLAY_LINEAR_LENGTH);
    pcm_replay_put_turn(row + PCM_ROW_FRAME_TURN, turn);
    put_numbers(row + PCM_ROW_FORCE, info->force, 3);
    put_numbers(row + PCM_ROW_MOMENT, info->moment, 3);
    put_numbers(row + PCM_ROW_DEPTH, &info->depth, 1);
    put_numbers(row + PCM_ROW_SLIP, info->slip, 2);
    put_numbers(row + PCM_ROW_ENERGY, &info->energy, 1);
    put_numbers(row + PCM_ROW_WORK, &info->ledger->work, 1);
    put_numbers(row + PCM_ROW_DISSIPATED, &info->ledger->dissipated, 1);
}

/* A frame about the normal, as worlds choose one if no frame is carried. */
static void frame_of(const double n[3], double frame[9])
{
    double x[3], length = 0;
    for (size_t axis = 0; axis < 2 && length < 1e-3; axis++) {
        for (size_t k = 0; k < 3; k++)
            x[k] = (k == axis) - n[axis] * n[k];
        length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    }
    for (size_t k = 0; k < 3; k++) {
        const size_t a = (k + 1) % 3, b = (k + 2) % 3;
        frame[3 * k] = x[k] / length;
        frame[3 * k + 1] = (n[a] * x[b] - n[b] * x[a]) / length;
        frame[3 * k + 2] = n[k];
    }
}

static uint32_t side_of(const pcm_replay *replay, pcm_object object, uint32_t body)
{
    return object.generation ? pcm_scene_object(replay, object) : body;
}

static void record_host_contact(pcm_replay *replay, const pcm_replay_contact *c, uint32_t frame)
{
    const uint32_t        a = side_of(replay, c->a, c->body_a), b = side_of(replay, c->b, c->body_b);
    const pcm_contact_key key = {a, b, c->feature};
    const contact_facts   facts = {0, c->feature, a, b, rule_of(c->rule), c->friction};
    double                axes[9], turn[4], force[3];
    uint32_t             *row = add_row(replay, number_of(replay, &key, &facts), frame, c->mode);
    if (!row)
        return;
    frame_of(c->normal, axes);
    turn_of(axes, turn);
    for (size_t k = 0; k < 3; k++)
        force[k] = axes[k] * c->force[0] + axes[3 + k] * c->force[1] + axes[6 + k] * c->force[2];
    put_steps(row + PCM_ROW_POINT, c->point, 3, PCM_REPLAY_LINEAR_LENGTH);
    pcm_replay_put_turn(row + PCM_ROW_FRAME_TURN, turn);
    put_numbers(row + PCM_ROW_FORCE, force, 3);
    put_numbers(row + PCM_ROW_DEPTH, &c->depth, 1);
    put_numbers(row + PCM_ROW_SLIP, &c->slip, 1);
}

static void record_contacts(pcm_replay *replay, uint32_t frame)
{
    const size_t count = pcm_world_contact_count(replay->world);
    for (size_t i = 0; i < count; i++) {
        pcm_contact_info info = {.size = sizeof info};
        if (pcm_world_contact_at(replay->world, i, &info) == PCM_OK && info.id)
            record_contact(replay, &info, frame);
    }
    for (size_t i = 0; i < replay->n_host_contacts; i++)
        record_host_contact(replay, &replay->host_contacts[i], frame);
}

/* ---- Frames ---------------------------------------------------------------------------------------------------- */

static void record_values(pcm_replay *replay, uint32_t frame)
{
    for (uint32_t i = 0; i < replay->n_values; i++) {
        uint32_t *row = pcm_replay_table_add(&replay->series);
        if (!row) {
            replay->lost = true;
            return;
        }
        row[PCM_VALUE_QUANTITY] = i;
        row[PCM_VALUE_FRAME] = frame;
        put_numbers(row + PCM_VALUE_NUMBER, &replay->values[i], 1);
    }
}

void pcm_frame_record(pcm_replay *replay)
{
    const uint32_t frame = replay->news[PCM_NEWS_FRAME].count;
    pcm_put_double(pcm_news_add(replay, PCM_NEWS_FRAME), pcm_world_time(replay->world));
    record_poses(replay, frame);
    record_contacts(replay, frame);
    record_values(replay, frame);
}

static void record_event(pcm_replay *replay, const pcm_contact_event *event)
{
    const pcm_contact_key key = {UINT64_MAX, event->id, 0};
    const contact_facts   facts = {event->id,
                                   event->feature,
                                   pcm_scene_object(replay, event->base),
                                   pcm_scene_object(replay, event->follower),
                                   rule_of(event->rule),
                                   NAN};
    const uint32_t        contact = number_of(replay, &key, &facts);
    uint32_t             *row = contact == PCM_REPLAY_NONE ? NULL : pcm_replay_table_add(&replay->events);
    uint64_t              time;
    if (!row) {
        replay->lost = true;
        return;
    }
    memcpy(&time, &event->time, sizeof time);
    row[PCM_HAPPENED_CHANGE] = (uint32_t)event->change;
    row[PCM_HAPPENED_TIME] = (uint32_t)(time >> 32);
    row[PCM_HAPPENED_TIME + 1] = (uint32_t)time;
    row[PCM_HAPPENED_CONTACT] = contact;
    row[PCM_HAPPENED_MODE_BEFORE] = (uint32_t)event->mode_before;
    row[PCM_HAPPENED_MODE] = (uint32_t)event->mode;
}

void pcm_frame_events(pcm_replay *replay)
{
    const size_t count = pcm_world_event_count(replay->world);
    for (size_t i = 0; i < count; i++) {
        pcm_contact_event event = {.size = sizeof event};
        if (pcm_world_event_at(replay->world, i, &event) == PCM_OK && (size_t)event.change < PCM_CHANGES)
            record_event(replay, &event);
    }
}

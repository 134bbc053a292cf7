/* SPDX-License-Identifier: MIT */
/* replay.c - opens and closes a recorder; writes chunks as they fill. */
#include "recorder.h"

#include <math.h>
#include <string.h>

void pcm_replay_defaults_into(pcm_replay_def *def, size_t size)
{
    const pcm_replay_def defaults = {.size = sizeof defaults, .every = 1.0 / 60};
    pcm_info_fill(NULL, NULL, def, size, &defaults);
}

/* ---- Chunks ---------------------------------------------------------------------------------------------------- */

static bool is_starved(const pcm_replay *replay)
{
    bool starved = replay->lost || replay->payload.starved;
    for (size_t i = 0; i < PCM_NEWS_KINDS; i++)
        starved = starved || replay->news[i].text.starved;
    return starved;
}

static void forget_chunk(pcm_replay *replay)
{
    for (size_t i = 0; i < PCM_NEWS_KINDS; i++) {
        replay->news[i].first += replay->news[i].count;
        replay->news[i].count = 0;
        replay->news[i].text.count = 0;
        replay->news[i].text.starved = false;
    }
    replay->contacts.rows = replay->events.rows = replay->poses.rows = replay->rows.rows = replay->series.rows = 0;
    replay->payload.count = 0;
    replay->payload.starved = replay->lost = false;
    replay->chunk++;
}

/* Writes the data gathered since the last chunk, or drops it if memory ran out for part of it. */
static pcm_status end_chunk(pcm_replay *replay)
{
    pcm_buffer  *payload = &replay->payload;
    const size_t contacts = replay->contacts.rows;
    pcm_put_u32(payload, PCM_REPLAY_VERSION);
    for (size_t i = 0; i < PCM_NEWS_KINDS; i++) {
        pcm_put_u32(payload, replay->news[i].first);
        pcm_put_u32(payload, replay->news[i].count);
        pcm_put_bytes(payload, replay->news[i].text.bytes, replay->news[i].text.count);
    }
    pcm_replay_table_put(&replay->contacts, contacts, payload);
    pcm_replay_table_put(&replay->events, PCM_CHANGES, payload);
    pcm_replay_table_put(&replay->poses, replay->n_subjects, payload);
    pcm_replay_table_put(&replay->rows, contacts, payload);
    pcm_replay_table_put(&replay->series, replay->n_values, payload);
    const bool large = payload->count > PCM_REPLAY_BYTES;
    replay->lost = replay->lost || large;
    if (!is_starved(replay))
        pcm_page_append(replay);
    const bool starved = is_starved(replay);
    if (starved && !replay->told_of_memory)
        pcm_report(replay->context, PCM_ERROR, large ? PCM_MSG_REPLAY_LARGE : PCM_MSG_OUT_OF_MEMORY,
                   "%s: %s for a chunk of the page: its frames are missing", replay->path,
                   large ? "more than 256 MiB" : "no memory");
    replay->told_of_memory = replay->told_of_memory || starved;
    forget_chunk(replay);
    return starved ? PCM_NO_MEMORY : PCM_OK;
}

/* ---- A recorder ------------------------------------------------------------------------------------------------ */

static void set_up(pcm_replay *replay)
{
    pcm_context *context = replay->context;
    for (size_t i = 0; i < PCM_NEWS_KINDS; i++)
        replay->news[i].text.context = context;
    replay->payload.context = replay->packed.context = context;
    replay->contacts = (pcm_replay_table){.context = context, .columns = PCM_TOUCH_COLUMNS};
    replay->events = (pcm_replay_table){.context = context, .columns = PCM_HAPPENED_COLUMNS};
    replay->poses = (pcm_replay_table){.context = context, .columns = PCM_POSE_COLUMNS};
    replay->rows = (pcm_replay_table){.context = context, .columns = PCM_ROW_COLUMNS};
    replay->series = (pcm_replay_table){.context = context, .columns = PCM_VALUE_COLUMNS};
    replay->chunk = 1;
}

static void tear_down(pcm_replay *replay)
{
    pcm_context *context = replay->context;
    for (size_t i = 0; i < PCM_NEWS_KINDS; i++)
        pcm_buffer_free(&replay->news[i].text);
    pcm_buffer_free(&replay->payload);
    pcm_buffer_free(&replay->packed);
    pcm_replay_table_free(&replay->contacts);
    pcm_replay_table_free(&replay->events);
    pcm_replay_table_free(&replay->poses);
    pcm_replay_table_free(&replay->rows);
    pcm_replay_table_free(&replay->series);
    pcm_free(context, replay->subjects, replay->subject_capacity * sizeof *replay->subjects);
    pcm_free(context, replay->by_object, replay->object_capacity * sizeof *replay->by_object);
    pcm_free(context, replay->listed, replay->listed_capacity * sizeof *replay->listed);
    pcm_free(context, replay->types, replay->type_capacity * sizeof *replay->types);
    pcm_free(context, replay->places, replay->n_places * sizeof *replay->places);
    pcm_free(context, replay->host_contacts, replay->host_contact_capacity * sizeof *replay->host_contacts);
    pcm_free(context, replay->values, replay->value_capacity * sizeof *replay->values);
    if (replay->path)
        pcm_free(context, replay->path, strlen(replay->path) + 1);
    pcm_free(context, replay, sizeof *replay);
}

static bool begin(pcm_replay *replay, const pcm_replay_def *def)
{
    if (!pcm_page_open(replay, def->path, def->viewer) || pcm_world_keep_events(replay->world, true) != PCM_OK)
        return false;
    const char *slash = strrchr(def->path, '/');
    pcm_scene_begin(replay, def->title ? def->title : slash ? slash + 1 : def->path);
    return pcm_scene_list_objects(replay);
}

pcm_replay *pcm_replay_new(pcm_world *world, const pcm_replay_def *def)
{
    pcm_context   *context = pcm_config_context(pcm_world_config(world));
    pcm_replay_def filled = pcm_replay_defaults();
    if (!pcm_def_fill(context, "pcm_replay_def", &filled, def))
        return NULL;
    if (!filled.path || !(filled.every >= 0)) {
        pcm_report(context, PCM_ERROR, PCM_MSG_REPLAY_FILE,
                   "a page needs a path, and a time between frames that is not negative");
        return NULL;
    }
    pcm_replay *replay = pcm_allocate(context, sizeof *replay);
    if (!replay)
        return NULL;
    *replay = (pcm_replay){.context = context, .config = pcm_world_config(world), .world = world};
    replay->every = filled.every;
    set_up(replay);
    if (begin(replay, &filled))
        return replay;
    if (replay->file)
        (void)fclose(replay->file);
    tear_down(replay);
    return NULL;
}

pcm_status pcm_replay_close(pcm_replay *replay)
{
    if (!replay)
        return PCM_OK;
    (void)end_chunk(replay);
    const bool       written = pcm_page_close(replay);
    const pcm_status whole = replay->told_of_memory ? PCM_NO_MEMORY : PCM_OK;
    (void)pcm_world_keep_events(replay->world, false);
    tear_down(replay);
    return written ? whole : PCM_BAD_FILE;
}

/* ---- Over time ------------------------------------------------------------------------------------------------- */

uint32_t pcm_replay_quantity(pcm_replay *replay, const char *name, const char *unit)
{
    if (!pcm_grow(replay->context, &replay->values, &replay->value_capacity, replay->n_values + 1,
                  sizeof *replay->values))
        return UINT32_MAX;
    pcm_buffer *to = pcm_news_add(replay, PCM_NEWS_QUANTITY);
    pcm_put_text(to, name);
    pcm_put_text(to, unit);
    replay->values[replay->n_values] = NAN;
    return (uint32_t)replay->n_values++;
}

pcm_status pcm_replay_set(pcm_replay *replay, uint32_t quantity, double value)
{
    if (quantity >= replay->n_values) {
        pcm_report(replay->context, PCM_ERROR, PCM_MSG_REPLAY_SHAPE, "%zu is no quantity of this page",
                   (size_t)quantity);
        return PCM_BAD_ARGUMENT;
    }
    replay->values[quantity] = value;
    return PCM_OK;
}

bool pcm_replay_due_at(const pcm_replay *replay, double time)
{
    const double slack = 1e-9 * replay->every;
    if (replay->failed)
        return false;
    return replay->frames == 0 || time < replay->last ||
           time >= replay->first + (double)replay->frames * replay->every - slack;
}

bool pcm_replay_due(const pcm_replay *replay) { return pcm_replay_due_at(replay, pcm_world_time(replay->world)); }

pcm_status pcm_replay_host_contact(pcm_replay *replay, const pcm_replay_contact *contact)
{
    pcm_replay_contact filled = {.size = sizeof filled, .rule = SIZE_MAX, .friction = NAN};
    if (!pcm_def_fill(replay->context, "pcm_replay_contact", &filled, contact))
        return PCM_BAD_ARGUMENT;
    if (!pcm_grow(replay->context, &replay->host_contacts, &replay->host_contact_capacity, replay->n_host_contacts + 1,
                  sizeof *replay->host_contacts))
        return PCM_NO_MEMORY;
    replay->host_contacts[replay->n_host_contacts++] = filled;
    return PCM_OK;
}

/* Frames are counted from the time at which the clock started or was last set back. */
static void count_frame(pcm_replay *replay)
{
    const double time = pcm_world_time(replay->world);
    if (replay->frames == 0 || time < replay->last) {
        replay->first = time;
        replay->frames = 0;
    }
    replay->frames =
        replay->every > 0 ? (uint64_t)((time - replay->first) / replay->every + 1e-9) + 1 : replay->frames + 1;
    replay->last = time;
}

static bool is_full(const pcm_replay *replay)
{
    return replay->news[PCM_NEWS_FRAME].count == PCM_REPLAY_FRAMES ||
           replay->poses.rows + replay->rows.rows >= PCM_REPLAY_ROWS;
}

pcm_status pcm_replay_frame(pcm_replay *replay)
{
    const bool due = pcm_replay_due(replay);
    if (replay->failed)
        return PCM_OK;
    if ((due || pcm_world_event_count(replay->world) > 0) && !pcm_scene_list_objects(replay))
        replay->lost = true;
    pcm_frame_events(replay);
    if (!due) {
        replay->n_host_contacts = 0;
        return PCM_OK;
    }
    if (replay->news[PCM_NEWS_TITLE].count > 0 && end_chunk(replay) != PCM_OK) /* the scene alone first */
        return PCM_NO_MEMORY;
    pcm_frame_record(replay);
    count_frame(replay);
    replay->n_host_contacts = 0;
    return is_full(replay) ? end_chunk(replay) : PCM_OK;
}

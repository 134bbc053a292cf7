/* SPDX-License-Identifier: MIT */
/* recorder.h - the parts of a recorder. */
#ifndef PCM_REPLAY_RECORDER_H
#define PCM_REPLAY_RECORDER_H

#include "buffer.h"
#include "format.h"
#include "table.h"
#include <pcm/event.h>
#include <pcm/messages.h>
#include <pcm/replay.h>
#include <stdio.h>

/* Data written once, in the chunk of its first use; the order is that of the file. */
typedef enum pcm_news_kind {
    PCM_NEWS_TITLE,
    PCM_NEWS_SOURCE,
    PCM_NEWS_TYPE,
    PCM_NEWS_RULE,
    PCM_NEWS_SUBJECT,
    PCM_NEWS_SHAPE,
    PCM_NEWS_CAMERA,
    PCM_NEWS_QUANTITY,
    PCM_NEWS_FRAME,
    PCM_NEWS_KINDS
} pcm_news_kind;

typedef struct pcm_news {
    uint32_t   first; /* number of the first entry: losing a chunk does not shift the numbers of another */
    uint32_t   count;
    pcm_buffer text;
} pcm_news;

/* A subject with a pose: an object of the world or a body of the recorder. */
typedef struct pcm_subject {
    pcm_object object; /* the zero handle: a body */
    bool       fixed, placed, seen, gone;
    pcm_pose   pose;    /* of a body */
    uint32_t   chunk;   /* the last chunk with a row of it */
    uint32_t   last[7]; /* words of that row */
} pcm_subject;

/* Finds a contact among those of the chunk. */
typedef struct pcm_contact_key {
    uint64_t a, b, feature;
} pcm_contact_key;

typedef struct pcm_contact_place {
    pcm_contact_key key;
    uint32_t        chunk; /* a different value means that the slot is free */
    uint32_t        number;
} pcm_contact_place;

/* A contact type as a page shows it. A world's own type changes whenever a parameter is set. */
typedef struct pcm_shown_type {
    const pcm_type *type;
    uint32_t        sets;
} pcm_shown_type;

struct pcm_replay {
    pcm_context *context;
    pcm_config  *config;
    pcm_world   *world;

    FILE *file;
    char *path;
    bool  failed, told_of_memory, lost;

    double   every, first, last; /* s; of the first frame, of the last */
    uint64_t frames;
    uint32_t chunk; /* counts from 1 */

    pcm_subject        *subjects;
    size_t              n_subjects, subject_capacity;
    uint32_t           *by_object; /* 1 + subject, by the index of a handle */
    size_t              object_capacity;
    pcm_object         *listed;
    size_t              listed_capacity;
    pcm_shown_type     *types;
    size_t              n_types, type_capacity;
    pcm_contact_place  *places; /* a power of two of them, open addressing */
    size_t              n_places;
    pcm_replay_contact *host_contacts; /* values for the next frame */
    size_t              n_host_contacts, host_contact_capacity;
    double             *values; /* of the quantities */
    size_t              n_values, value_capacity;

    pcm_news         news[PCM_NEWS_KINDS];
    pcm_replay_table contacts; /* repeated in each chunk, so that a damaged chunk does not spoil the others */
    pcm_replay_table events, poses, rows, series;
    pcm_buffer       payload, packed;
};

/* A new entry of that kind, for the caller to fill. */
pcm_buffer *pcm_news_add(pcm_replay *replay, pcm_news_kind kind);

/* file.c: the page. */
bool pcm_page_open(pcm_replay *replay, const char *path, const char *viewer);
void pcm_page_append(pcm_replay *replay); /* the payload, compressed */
bool pcm_page_close(pcm_replay *replay);

/* scene.c: data known before the first frame, and later additions. */
void     pcm_scene_begin(pcm_replay *replay, const char *title);
uint32_t pcm_scene_type(pcm_replay *replay, const pcm_type *type);
uint32_t pcm_scene_subject(pcm_replay *replay, const char *name, const char *surface, pcm_object object, bool fixed);
uint32_t pcm_scene_object(const pcm_replay *replay, pcm_object object); /* its subject; PCM_REPLAY_NONE: not known */
bool     pcm_scene_list_objects(pcm_replay *replay);

/* contacts.c: the number of a contact in the chunk, PCM_REPLAY_NONE without memory; *is_new: the caller must describe
 * it. */
uint32_t pcm_contact_number(pcm_replay *replay, const pcm_contact_key *key, bool *is_new);

/* frame.c */
void pcm_frame_events(pcm_replay *replay);
void pcm_frame_record(pcm_replay *replay);

#endif

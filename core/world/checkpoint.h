/* SPDX-License-Identifier: MIT */
/* checkpoint.h - a world as bytes: one description of the layout, by which checkpoints are counted, written, checked
 * and restored.
 *
 * Everything is a 64-bit word, little-endian, doubles by their bits; texts follow their length. The head: mark,
 * version, count of all bytes, checksum of the rest of the head and of all that follows. Then, as pcm_checkpoint_walk
 * goes: fingerprints of the configuration; parameters that were set; time and ids; the objects in the order of their
 * registration, first the motion of all, then the name and kind of each; surfaces that move on their bodies; pairs with
 * warnings that were reported; broken features; places of contacts that are known by them; for each contact type, of
 * the file and then between materials, its contacts, in the order in which their forces are summed, its log's clock and
 * its ledger; statistics of rules.
 *
 * What always holds:
 * - An object is identified by its index in the checkpoint's list, a pair by its two objects, a contact by its pair,
 *   base first. No index of the world that saved it is in a checkpoint, so that objects may be registered in any order.
 * - Each part of a kind has one struct below and one list of fields in checkpoint_layout.c. A walk hands the parts, one
 *   by one, to the functions of a side: when it writes they fill a part before its fields are written; when it reads
 *   they get it after that. Motion and contacts alone are handed on as bytes, those of all objects or of a group
 *   together.
 * - Contacts are laid out as in memory: in blocks of PCM_BLOCK, each with all its columns one after the other; the last
 *   block has the rest. A column is one copy.
 * - A world is restored in two walks. The first checks everything and reserves all memory; the second restores and
 *   cannot fail. */
#ifndef PCM_WORLD_CHECKPOINT_H
#define PCM_WORLD_CHECKPOINT_H

#include "bytes.h"
#include "ledger.h"
#include "model.h"
#include "near.h"
#include "world.h"

#define PCM_CHECKPOINT_MARK 0x544E494F504D4350u /* "PCMPOINT" */
enum { PCM_CHECKPOINT_VERSION = 7, PCM_CHECKPOINT_HEAD = 32 };

/* Older versions that are still read, and the first ones that have parameters that were set, and moving surfaces and
 * places. */
enum { PCM_CHECKPOINT_OLDEST = 5, PCM_CHECKPOINT_SETS = 6, PCM_CHECKPOINT_PLACES = 7 };

/* The kinds of parts. A PCM_SAVED_COUNT precedes a list of parts of the kind `counted`. */
typedef enum pcm_saved_kind {
    PCM_SAVED_CONFIG,
    PCM_SAVED_TYPE,
    PCM_SAVED_RULES,
    PCM_SAVED_MIXED,   /* a contact type between two materials */
    PCM_SAVED_SETTING, /* a parameter that was set */
    PCM_SAVED_CLOCK,
    PCM_SAVED_COUNT,
    PCM_SAVED_OBJECT,
    PCM_SAVED_SURFACE, /* one that moves on its body */
    PCM_SAVED_WARNED,  /* a pair */
    PCM_SAVED_BROKEN,  /* a feature */
    PCM_SAVED_NEAR,    /* the place of a contact */
    PCM_SAVED_CONTACT,
    PCM_SAVED_TYPE_END,
    PCM_SAVED_STATS, /* statistics of a rule */
    PCM_SAVED_KINDS
} pcm_saved_kind;

/* The columns of contacts: the indices of the two objects in one word, the contact's identity, and then the columns
 * that outlive a commit: states, frame, host inputs, ledger. */
enum { PCM_WORD_OBJECTS, PCM_WORD_FEATURE, PCM_WORD_ID, PCM_WORD_SINCE, PCM_WORD_COLUMNS };

/* The parts of PCM_WORD_OBJECTS: the base is in the lower half, the follower in the upper half except for the highest
 * bit, which says that the pair is flipped. */
enum { PCM_FOLLOWER_SHIFT = 32 };
#define PCM_PLACE_MASK   UINT64_C(0x7fffffff)
#define PCM_FLIPPED_MASK (UINT64_C(1) << 63)

/* The words of an object's motion: the first numbers of its lines; then of each amount its value, flow and inverse
 * capacity. */
enum {
    PCM_TWIST_WORDS = sizeof(pcm_twist_line) / sizeof(double),
    PCM_POSE_WORDS = offsetof(pcm_pose_line, hold) / sizeof(double),
    PCM_WRENCH_WORDS = offsetof(pcm_wrench_line, object) / sizeof(double),
    PCM_AMOUNT_WORDS = 3,
    PCM_WORD_TWIST = 0,
    PCM_WORD_POSE = PCM_WORD_TWIST + PCM_TWIST_WORDS,
    PCM_WORD_WRENCH = PCM_WORD_POSE + PCM_POSE_WORDS,
    PCM_WORD_AMOUNTS = PCM_WORD_WRENCH + PCM_WRENCH_WORDS
};

enum { PCM_SAVED_FRESH = 4 };

typedef union pcm_saved {
    struct {
        uint64_t ledger, n_types;
    } config;
    struct {
        pcm_bytes_view name, model, version;
        uint64_t       fingerprint;
    } type;
    struct {
        uint64_t count, fingerprint;
    } rules;
    struct {
        uint64_t       type;
        pcm_bytes_view material[2];
        uint64_t       fingerprint;
    } mixed;
    struct {
        uint64_t type, param;
        double   number;
    } setting;
    struct {
        double   time, dt, committed_time;
        uint64_t last_id;
    } clock;
    uint64_t count;
    struct {
        uint64_t       held; /* PCM_HOLD_..., with PCM_SAVED_FRESH if it is fresh */
        pcm_bytes_view name, surface;
    } object;
    struct {
        uint64_t  place; /* of the object */
        pcm_twist velocity;
    } surface;
    struct {
        uint64_t base, follower, feature, guessed;
        double   numbers[PCM_NEAR_NUMBERS];
    } near;
    struct {
        uint64_t place[2];
        uint64_t warned_or_feature;
        double   onset;              /* for a broken feature */
        double   created, exchanged; /* for a pair with reported warnings */
    } pair;
    struct {
        double log_last, work, stored, dissipated, brought;
    } type_end;
    struct {
        uint64_t made, parted, broken;
        double   max_depth, max_slip, max_force;
    } stats;
} pcm_saved;

typedef struct pcm_checkpoint_walk pcm_checkpoint_walk;

/* Fills a part that will be written, or checks one that was read. */
typedef pcm_status pcm_checkpoint_part(pcm_checkpoint_walk *walk, pcm_saved *saved);

/* Called with the bytes of the walk's next contacts, or of the motion of all objects; NULL: does nothing. */
typedef union pcm_checkpoint_rows {
    pcm_status (*read)(pcm_checkpoint_walk *walk, const char *bytes);
    void (*write)(pcm_checkpoint_walk *walk, uint8_t *bytes);
} pcm_checkpoint_rows;

/* The checksum of the bytes so far: several independent sums, each over every n-th word. */
typedef uint64_t pcm_two_words __attribute__((vector_size(16)));
enum { PCM_SUMS = 8, PCM_SUM_BYTES = PCM_SUMS * sizeof(pcm_two_words) };
typedef struct pcm_checkpoint_sums {
    pcm_two_words sum[PCM_SUMS];
    size_t        at; /* offset of the next words */
} pcm_checkpoint_sums;

struct pcm_checkpoint_walk {
    pcm_world                  *world;
    pcm_checkpoint_part *const *side; /* functions indexed by kind; NULL: nothing to do */
    pcm_checkpoint_rows         motion, contacts;
    bool                        reads;
    uint64_t                    version; /* of the layout that it reads */
    pcm_writer                  to;      /* with at = NULL, bytes are only counted */
    pcm_checkpoint_sums         sums;    /* sums of the bytes written, computed while these are in the cache */
    pcm_reader                  from;
    const uint8_t              *past_texts; /* the end of the objects' texts, which a second walk need not read again */
    size_t                      g;          /* the group whose contacts are being walked */
    size_t                      n_mixed;    /* number of groups between materials */
    const uint32_t             *groups;     /* the order of these groups; NULL: they are in order */
    pcm_saved_kind              counted;    /* set at PCM_SAVED_COUNT, valid until the next one */
    size_t                      count;      /* number of parts of the kind `counted` */
    size_t                      index;      /* index of the part among those of its kind */
    void                       *user;       /* user data of the side */
};

/* Groups may move in memory while pairs are looked up. */
static inline pcm_group *pcm_walk_group(const pcm_checkpoint_walk *walk) { return &walk->world->groups[walk->g]; }

/* Walks over everything after the head. PCM_BAD_CHECKPOINT with from.short_of set: the bytes end too early. */
pcm_status pcm_checkpoint_go(pcm_checkpoint_walk *walk);

/* The number of bytes for an object's motion. */
size_t pcm_saved_motion_size(const pcm_world *world);

/* The number of a group's columns that are saved, the number of bytes that they have per contact, and the address of
 * one column. */
uint32_t pcm_saved_columns(const pcm_group *group);
size_t   pcm_saved_contact_size(const pcm_group *group);
double  *pcm_saved_column(const pcm_world *world, const pcm_group *group, uint32_t k, size_t row);

/* A word of an object's motion, or of a column. */
static inline uint64_t pcm_saved_word(const char *words, size_t word) { return pcm_word_at(words + 8 * word); }

static inline double pcm_saved_double(const char *words, size_t word)
{
    const uint64_t bits = pcm_saved_word(words, word);
    double         value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* The number of contacts in the next block, of `left`, and the offset of a column in its bytes. */
static inline size_t pcm_saved_rows(size_t left) { return left < PCM_BLOCK ? left : PCM_BLOCK; }
static inline size_t pcm_saved_at(size_t rows, uint32_t column) { return 8 * rows * column; }

/* Prefetches bytes that are read later. Addresses beyond the end do no harm. */
static inline void pcm_ask_bytes(const char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i += 64)
        __builtin_prefetch(bytes + i);
}

/* Continues the checksum, up to some bytes before the end that must still follow. */
void pcm_checkpoint_sums_start(pcm_checkpoint_sums *sums);
void pcm_checkpoint_sums_go(pcm_checkpoint_sums *sums, const uint8_t *bytes, size_t end);

/* The sum of a checkpoint of that size, whose head is complete except for the sum itself. */
uint64_t pcm_checkpoint_sums_end(pcm_checkpoint_sums *sums, const uint8_t *bytes, size_t size);

/* The same from the start. */
uint64_t pcm_checkpoint_sum(const uint8_t *bytes, size_t size);

/* Numbers the objects for pcm_world_nth, which gives the object at an index in the order of registration. */
uint32_t pcm_world_order(pcm_world *world);

static inline uint32_t pcm_world_nth(const pcm_world *world, size_t place)
{
    return world->in_order ? (uint32_t)place : world->bodies[place].nth;
}

#endif

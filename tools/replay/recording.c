/* SPDX-License-Identifier: MIT */
#include "recording.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "command.h"

/* ---- Bytes of a chunk -------------------------------------------------------------------------------------------- */

/* The unread rest of a chunk. A read beyond the end returns zero and sets the state to damaged. */
typedef struct reader {
    const uint8_t *at, *end;
    chunk_state    state;
} reader;

static void fail(reader *from, chunk_state why)
{
    if (from->state == CHUNK_WHOLE)
        from->state = why;
}

static const uint8_t *take(reader *from, size_t count)
{
    if (count > (size_t)(from->end - from->at)) {
        fail(from, CHUNK_DAMAGED);
        from->at = from->end;
        return NULL;
    }
    from->at += count;
    return from->at - count;
}

static uint64_t take_number(reader *from, size_t bytes)
{
    const uint8_t *at = take(from, bytes);
    uint64_t       number = 0;
    for (size_t i = 0; at && i < bytes; i++)
        number |= (uint64_t)at[i] << 8 * i;
    return number;
}

static uint32_t take_u32(reader *from) { return (uint32_t)take_number(from, 4); }

static double take_double(reader *from)
{
    const uint64_t bits = take_number(from, 8);
    double         value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Reads the number of items that take at least this many bytes each. */
static size_t take_count(reader *from, size_t least)
{
    const size_t count = take_u32(from);
    if (count <= (size_t)(from->end - from->at) / least)
        return count;
    fail(from, CHUNK_DAMAGED);
    return 0;
}

/* A text of the chunk: its bytes and their number. */
typedef struct chunk_text {
    const uint8_t *bytes;
    size_t         length;
} chunk_text;

static chunk_text take_text(reader *from)
{
    const size_t   length = take_u32(from);
    const uint8_t *bytes = take(from, length);
    return (chunk_text){bytes, bytes ? length : 0};
}

static void skip_text(reader *from) { (void)take_text(from); }

/* Makes room for `more` items after `count`, of this many bytes each; false: no memory. */
static bool reserve(void **at, size_t *capacity, size_t count, size_t more, size_t size)
{
    size_t wanted = *capacity ? *capacity : 64;
    while (wanted < count + more)
        wanted *= 2;
    void *grown = wanted > *capacity ? realloc(*at, wanted * size) : *at;
    if (!grown)
        return false;
    *at = grown;
    *capacity = wanted;
    return true;
}

/* Makes room for this many more names of this many bytes in total. */
static bool reserve_names(reader *from, recording_names *names, size_t more, size_t bytes)
{
    void *at = names->at, *text = names->text;
    if (more > RECORDING_NAMES - names->count || bytes > RECORDING_TEXT - names->length) {
        fail(from, CHUNK_LARGE);
        return false;
    }
    const bool some = reserve(&at, &names->capacity, names->count, more, sizeof *names->at);
    const bool all = some && reserve(&text, &names->room, names->length, bytes, 1);
    names->at = at;
    names->text = text;
    if (!all)
        fail(from, CHUNK_STARVED);
    return all;
}

/* Adds this many names that are unknown. They refer to the empty name at the start of the text. */
static void add_empty(reader *from, recording_names *names, size_t count)
{
    if (!reserve_names(from, names, count, 1))
        return;
    if (names->length == 0)
        names->text[names->length++] = '\0';
    memset(names->at + names->count, 0, count * sizeof *names->at);
    names->count += count;
}

static void add_name(reader *from, recording_names *names, const void *text, size_t length)
{
    if (names->length == 0)
        add_empty(from, names, 0);
    if (from->state != CHUNK_WHOLE || !reserve_names(from, names, 1, length + 1))
        return;
    if (length)
        memcpy(names->text + names->length, text, length);
    names->text[names->length + length] = '\0';
    names->at[names->count++] = (uint32_t)names->length;
    names->length += length + 1;
}

static void take_name(reader *from, recording_names *names)
{
    const chunk_text text = take_text(from);
    add_name(from, names, text.bytes, text.length);
}

/* Reads the number of a list's new entries. names: the names of its entries, NULL: it has none; names from a lost chunk
 * become empty. */
static size_t take_list(reader *from, size_t least, recording_names *names)
{
    const size_t first = take_u32(from);
    if (names && first < names->count)
        fail(from, CHUNK_DAMAGED);
    else if (names && first > names->count)
        add_empty(from, names, first - names->count);
    return from->state == CHUNK_WHOLE ? take_count(from, least) : 0;
}

const uint32_t *recording_contact(const recording_chunk *chunk, uint32_t number)
{
    return chunk->contacts.words + (size_t)number * PCM_TOUCH_COLUMNS;
}

uint64_t recording_pair(const uint32_t *low) { return low[0] | (uint64_t)low[1] << 32; }

double recording_time(const uint32_t *row)
{
    const uint64_t bits = (uint64_t)row[PCM_HAPPENED_TIME] << 32 | row[PCM_HAPPENED_TIME + 1];
    double         time;
    memcpy(&time, &bits, sizeof time);
    return time;
}

double recording_number(uint32_t word)
{
    float single;
    memcpy(&single, &word, sizeof single);
    return (double)single;
}

const char *recording_name(const recording_names *names, uint32_t index)
{
    return index < names->count ? names->text + names->at[index] : "";
}

void recording_frame(const uint32_t *row, double axes[3][3])
{
    double       q[4];
    const double two = 2;
    for (size_t k = 0; k < 4; k++)
        q[k] = recording_number(row[PCM_ROW_FRAME_TURN + k]);
    const double w = q[0], x = q[1], y = q[2], z = q[3];
    const double columns[3][3] = {{1 - two * (y * y + z * z), two * (x * y + w * z), two * (x * z - w * y)},
                                  {two * (x * y - w * z), 1 - two * (x * x + z * z), two * (y * z + w * x)},
                                  {two * (x * z + w * y), two * (y * z - w * x), 1 - two * (x * x + y * y)}};
    memcpy(axes, columns, sizeof columns);
}

/* ---- Data that does not change over time ------------------------------------------------------------------------- */

static void read_types(recording *r, reader *from)
{
    enum { TEXTS_AFTER_NAME = 4, LEAST = 44 };
    for (size_t i = take_list(from, LEAST, &r->types); i > 0; i--) {
        take_name(from, &r->types);
        for (size_t k = 0; k < TEXTS_AFTER_NAME; k++) /* law, summary, equations, file */
            skip_text(from);
        (void)take_u32(from);
        skip_text(from); /* materials */
        skip_text(from);
        (void)take_u32(from);
        for (size_t values = take_count(from, 28); values > 0; values--) {
            for (size_t k = 0; k < 4; k++) /* name, value, unit, meaning */
                skip_text(from);
            (void)take_u32(from);
            skip_text(from);
            (void)take_u32(from);
        }
    }
}

static void read_rules(recording *r, reader *from)
{
    static const char *const kinds[] = {"ObjectPair", "SurfacePair", "DefaultPair"};
    for (size_t i = take_list(from, 24, &r->rules); i > 0; i--) {
        const uint32_t   kind = take_u32(from);
        const chunk_text a = take_text(from), b = take_text(from);
        const char      *to = recording_name(&r->types, take_u32(from));
        char             text[512];
        skip_text(from);
        (void)take_u32(from);
        if (from->state != CHUNK_WHOLE)
            return;
        const int length =
            snprintf(text, sizeof text, "%s %.*s%s%.*s -> %s", kinds[kind < 3 ? kind : 2], (int)a.length,
                     (const char *)a.bytes, b.length ? " * " : "", (int)b.length, (const char *)b.bytes, to);
        add_name(from, &r->rules, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
    }
}

static void read_scene(recording *r, reader *from)
{
    for (size_t i = take_list(from, 8, NULL); i > 0; i--) { /* title */
        skip_text(from);
        skip_text(from);
    }
    for (size_t i = take_list(from, 8, NULL); i > 0; i--) { /* sources */
        skip_text(from);
        skip_text(from);
    }
    read_types(r, from);
    read_rules(r, from);
    for (size_t i = take_list(from, 12, &r->subjects); i > 0; i--) { /* subjects */
        take_name(from, &r->subjects);
        skip_text(from);
        (void)take_u32(from);
    }
    for (size_t i = take_list(from, 72, NULL); i > 0; i--) { /* shapes */
        (void)take(from, 4 * (2 + 7 + 3 + 4 + 1));
        (void)take(from, (size_t)12 * take_u32(from));
        (void)take(from, (size_t)12 * take_u32(from));
    }
    for (size_t i = take_list(from, 32, NULL); i > 0; i--) { /* cameras */
        skip_text(from);
        (void)take(from, 28);
    }
    for (size_t i = take_list(from, 8, &r->quantities); i > 0; i--) {
        take_name(from, &r->quantities);
        skip_text(from);
    }
}

/* ---- Data over time ---------------------------------------------------------------------------------------------- */

/* Zeroed memory for this many items; NULL for none, or if there is no memory. */
static void *room(reader *from, size_t count, size_t size)
{
    void *made = count ? calloc(count, size) : NULL;
    if (count && !made)
        fail(from, CHUNK_STARVED);
    return made;
}

static void read_times(reader *from, recording_chunk *chunk)
{
    const size_t frames = take_list(from, 8, NULL);
    if (frames > PCM_REPLAY_FRAMES) {
        fail(from, CHUNK_DAMAGED);
        return;
    }
    chunk->times = room(from, frames, sizeof *chunk->times);
    for (; chunk->times && chunk->n_frames < frames; chunk->n_frames++)
        chunk->times[chunk->n_frames] = take_double(from);
}

/* Converts integers and scaled values to numbers; replay/table.c writes them. */
static double number_of_step(uint32_t word, int linear)
{
    const uint32_t size = word >> 31 ? 0 - word : word, binade = size / PCM_REPLAY_STEPS;
    const double   sign = word >> 31 ? -1 : 1;
    if (size >= PCM_REPLAY_INFINITE)
        return size == PCM_REPLAY_INFINITE ? sign * INFINITY : NAN;
    if (binade == 0)
        return sign * ldexp(size, linear - 16);
    return sign * ldexp(PCM_REPLAY_STEPS + size % PCM_REPLAY_STEPS, linear - 17 + (int)binade);
}

static uint32_t single_bits(double value)
{
    const float single = (float)value;
    uint32_t    bits;
    memcpy(&bits, &single, sizeof bits);
    return bits;
}

static void read_column(const uint8_t *from, const recording_table *table, size_t column)
{
    const size_t   rows = table->rows, columns = table->columns;
    const uint8_t  order = from[0], *planes = from + 1;
    const uint32_t follow_last = order > 0, follow_rise = order > 1;
    uint32_t       last = 0, rise = 0;
    for (size_t i = 0; i < rows; i++) {
        uint32_t *row = table->words + i * columns, missed = 0;
        for (size_t plane = 0; plane < 4; plane++)
            missed |= (uint32_t)planes[plane * rows + i] << (24 - 8 * plane);
        missed = missed >> 1 ^ (0 - (missed & 1));
        if (i == 0 || column == 0 || row[0] != row[-(ptrdiff_t)columns])
            rise = 0;
        row[column] = missed + follow_last * last + follow_rise * rise;
        rise = row[column] - last;
        last = row[column];
    }
}

/* Converts integers to numbers, by the letters of format.h. */
static void read_numbers(uint32_t *row, const char *kinds)
{
    for (size_t column = 0; kinds[column]; column++) {
        if (kinds[column] == 'w')
            row[column] += pcm_replay_scalar(row + column + 1);
        if (kinds[column] != 'i')
            row[column] = single_bits(number_of_step(row[column], kinds[column] == 'n'   ? PCM_REPLAY_LINEAR_NUMBER
                                                                  : kinds[column] == 'l' ? PCM_REPLAY_LINEAR_LENGTH
                                                                                         : PCM_REPLAY_LINEAR_TURN));
    }
}

/* keys, seconds: upper limits for columns 0 and `second`. */
static void read_table(reader *from, recording_table *table, const char *kinds, size_t keys, size_t second,
                       size_t seconds)
{
    const size_t   columns = strlen(kinds), rows = take_count(from, 4 * columns), bytes = 1 + 4 * rows;
    const uint8_t *at = rows ? take(from, bytes * columns) : NULL;
    *table = (recording_table){.columns = columns, .words = at ? room(from, rows * columns, 4) : NULL};
    if (!table->words)
        return;
    table->rows = rows;
    for (size_t column = 0; column < columns; column++)
        read_column(at + bytes * column, table, column);
    for (size_t i = 0; i < rows; i++) {
        uint32_t *row = table->words + i * columns;
        if (row[0] >= keys || row[second] >= seconds)
            fail(from, CHUNK_DAMAGED);
        read_numbers(row, kinds);
    }
}

static void free_chunk(recording_chunk *chunk)
{
    free(chunk->times);
    free(chunk->contacts.words);
    free(chunk->events.words);
    free(chunk->poses.words);
    free(chunk->rows.words);
    free(chunk->series.words);
}

size_t recording_pose_end(const recording_chunk *chunk, size_t row)
{
    const recording_table *poses = &chunk->poses;
    const uint32_t        *at = poses->words + row * PCM_POSE_COLUMNS, *next = at + PCM_POSE_COLUMNS;
    const bool             goes_on = row + 1 < poses->rows && next[PCM_POSE_SUBJECT] == at[PCM_POSE_SUBJECT];
    return goes_on ? next[PCM_POSE_FRAME] : chunk->n_frames;
}

/* The size of a chunk if each pose is written out for every frame in which it is valid. */
static uint64_t count_bytes(reader *from, const recording_chunk *chunk, size_t size)
{
    uint64_t bytes = size;
    for (size_t i = 0; i < chunk->poses.rows; i++) {
        const size_t first = chunk->poses.words[i * PCM_POSE_COLUMNS + PCM_POSE_FRAME];
        const size_t end = recording_pose_end(chunk, i);
        if (end < first)
            fail(from, CHUNK_DAMAGED);
        else
            bytes += (uint64_t)(end - first) * PCM_POSE_COLUMNS * 4;
    }
    return bytes;
}

static chunk_state parse(recording *r, recording_chunk *chunk)
{
    reader from = {r->page.bytes, r->page.bytes + r->page.size, CHUNK_WHOLE};
    if (take_u32(&from) != PCM_REPLAY_VERSION)
        return CHUNK_DAMAGED;
    read_scene(r, &from);
    read_times(&from, chunk);
    read_table(&from, &chunk->contacts, PCM_TOUCH_KINDS, UINT32_MAX, PCM_TOUCH_NUMBER, UINT32_MAX);
    const size_t contacts = chunk->contacts.rows, frames = chunk->n_frames;
    read_table(&from, &chunk->events, PCM_HAPPENED_KINDS, PCM_CHANGES, PCM_HAPPENED_CONTACT, contacts);
    read_table(&from, &chunk->poses, PCM_POSE_KINDS, r->subjects.count, PCM_POSE_FRAME, frames);
    read_table(&from, &chunk->rows, PCM_ROW_KINDS, contacts, PCM_ROW_FRAME, frames);
    read_table(&from, &chunk->series, PCM_VALUE_KINDS, r->quantities.count, PCM_VALUE_FRAME, frames);
    if (from.at != from.end)
        fail(&from, CHUNK_DAMAGED);
    r->bytes += count_bytes(&from, chunk, r->page.size);
    if (r->bytes > (uint64_t)RECORDING_GIB << 30 || r->frames + frames > RECORDING_FRAMES)
        fail(&from, CHUNK_LARGE);
    return from.state;
}

/* ---- The page ---------------------------------------------------------------------------------------------------- */

static bool tell_unreadable(const recording *r)
{
    command_error(PCM_MSG_REPLAY_FILE, "%s: the page could not be read: %s", r->path, strerror(errno));
    return false;
}

bool recording_open(recording *r, const char *path)
{
    *r = (recording){.path = path};
    if (!chunks_open(&r->page, path))
        return tell_unreadable(r);
    if (chunks_find(&r->page))
        return true;
    if (ferror(r->page.file))
        return tell_unreadable(r);
    command_error(PCM_MSG_REPLAY_FILE, "%s is not the page of a run: it has no chunk of one", path);
    return false;
}

static void free_names(recording_names *names)
{
    free(names->text);
    free(names->at);
}

void recording_close(recording *r)
{
    chunks_close(&r->page);
    free_names(&r->subjects);
    free_names(&r->types);
    free_names(&r->rules);
    free_names(&r->quantities);
}

/* Reports a chunk's state; returns whether reading can continue. */
static bool tell_state(recording *r, chunk_state state)
{
    switch (state) {
    case CHUNK_DAMAGED:
        r->damaged++;
        command_error(PCM_MSG_REPLAY_DAMAGED, "%s: chunk %zu is damaged: its frames are missing", r->path, r->chunks);
        return true;
    case CHUNK_LARGE:
        command_error(PCM_MSG_REPLAY_FILE,
                      "%s: chunk %zu takes the page beyond what one may hold, as docs/replay.md says: it is not read "
                      "any further; record fewer frames (--every)",
                      r->path, r->chunks);
        return false;
    case CHUNK_STARVED:
        command_error(PCM_MSG_OUT_OF_MEMORY, "%s: out of memory at chunk %zu", r->path, r->chunks);
        return false;
    default:
        return true;
    }
}

static bool read_chunk(recording *r, recording_visit *visit, void *user)
{
    recording_chunk chunk = {0};
    chunk_state     state = chunks_unpack(&r->page);
    r->chunks++;
    if (state == CHUNK_WHOLE)
        state = parse(r, &chunk);
    const bool good = tell_state(r, state) && (state != CHUNK_WHOLE || visit(user, r, &chunk));
    if (state == CHUNK_WHOLE)
        r->frames += chunk.n_frames;
    free_chunk(&chunk);
    return good;
}

bool recording_read(recording *r, recording_visit *visit, void *user)
{
    do
        if (!read_chunk(r, visit, user))
            return false;
    while (chunks_find(&r->page));
    return !ferror(r->page.file) || tell_unreadable(r);
}

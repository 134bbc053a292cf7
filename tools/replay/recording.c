/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE /* memmem */
#include "recording.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <pcm/messages.h>

#include "command.h"

/* ---- The file -------------------------------------------------------------------------------------------------- */

static bool read_file(recording *r)
{
    FILE *file = fopen(r->path, "rb");
    bool  whole = file && fseek(file, 0, SEEK_END) == 0;
    long  size = whole ? ftell(file) : -1;
    r->bytes = size >= 0 ? malloc((size_t)size + 1) : NULL;
    whole = r->bytes && fseek(file, 0, SEEK_SET) == 0 && fread(r->bytes, 1, (size_t)size, file) == (size_t)size;
    if (!whole)
        command_error(PCM_MSG_REPLAY_FILE, "%s: the page could not be read: %s", r->path, strerror(errno));
    if (whole) {
        r->size = (size_t)size;
        r->bytes[r->size] = '\0';
    }
    if (file)
        (void)fclose(file);
    return whole;
}

bool recording_open(recording *r, const char *path)
{
    *r = (recording){.path = path};
    if (!read_file(r))
        return false;
    if (memmem(r->bytes, r->size, PCM_REPLAY_MARK, strlen(PCM_REPLAY_MARK)))
        return true;
    command_error(PCM_MSG_REPLAY_FILE, "%s is no page of a run: it holds no chunk of one", path);
    return false;
}

static void free_names(recording_names *names)
{
    for (size_t i = 0; i < names->count; i++)
        free(names->at[i]);
    free(names->at);
}

void recording_close(recording *r)
{
    free(r->bytes);
    free_names(&r->subjects);
    free_names(&r->types);
    free_names(&r->rules);
    free_names(&r->quantities);
}

/* ---- Bytes of a chunk ------------------------------------------------------------------------------------------ */

/* What is left of a chunk. Past the end everything reads as zero, and `bad` says so. */
typedef struct reader {
    const uint8_t *at, *end;
    bool           bad;
} reader;

static const uint8_t *take(reader *from, size_t count)
{
    if (count > (size_t)(from->end - from->at)) {
        from->bad = true;
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

/* A count of things of which each takes at least so many bytes. */
static size_t take_count(reader *from, size_t least)
{
    const size_t count = take_u32(from);
    if (count <= (size_t)(from->end - from->at) / least)
        return count;
    from->bad = true;
    return 0;
}

static void skip_text(reader *from) { (void)take(from, take_u32(from)); }

static void add_name(reader *from, recording_names *names, const uint8_t *text, size_t length)
{
    char **grown = text ? realloc(names->at, (names->count + 1) * sizeof *names->at) : NULL;
    char  *copy = grown ? calloc(length + 1, 1) : NULL;
    if (grown)
        names->at = grown;
    if (!copy) {
        from->bad = true;
        return;
    }
    memcpy(copy, text, length);
    names->at[names->count++] = copy;
}

static void take_name(reader *from, recording_names *names)
{
    const size_t length = take_u32(from);
    add_name(from, names, take(from, length), length);
}

/* The count of a list's entries. names: theirs, of which those of a chunk that is lost become empty; NULL: none. */
static size_t take_list(reader *from, size_t least, recording_names *names)
{
    enum { MOST_LOST = 1 << 20 };
    const size_t first = take_u32(from);
    if (names && (first < names->count || first - names->count > MOST_LOST))
        from->bad = true;
    while (names && !from->bad && names->count < first)
        add_name(from, names, from->at, 0);
    return from->bad ? 0 : take_count(from, least);
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
    return index < names->count ? names->at[index] : "";
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

/* ---- What is said once ----------------------------------------------------------------------------------------- */

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
        recording_names part = {0};
        const uint32_t  kind = take_u32(from);
        take_name(from, &part);
        take_name(from, &part);
        const uint32_t type = take_u32(from);
        skip_text(from);
        (void)take_u32(from);
        const char *a = recording_name(&part, 0), *b = recording_name(&part, 1), *to = recording_name(&r->types, type);
        char        text[512];
        const int   length =
            snprintf(text, sizeof text, "    %s %s%s%s -> %s", kinds[kind < 3 ? kind : 2], a, *b ? " * " : "", b, to);
        const size_t shown = (size_t)length < sizeof text ? (size_t)length - 4 : sizeof text - 5;
        for (size_t k = 0; k < 4; k++)
            text[k] = (char)(shown >> 8 * k);
        reader made = {(const uint8_t *)text, (const uint8_t *)text + 4 + shown, false};
        take_name(&made, &r->rules);
        from->bad = from->bad || made.bad;
        free_names(&part);
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

/* ---- What comes over time -------------------------------------------------------------------------------------- */

/* Zeroed memory for so many; NULL where there are none, or no memory, which is bad. */
static void *room(reader *from, size_t count, size_t size)
{
    void *made = count ? calloc(count, size) : NULL;
    from->bad = from->bad || (count && !made);
    return made;
}

static void read_times(reader *from, recording_chunk *chunk)
{
    const size_t frames = take_list(from, 8, NULL);
    chunk->times = room(from, frames, sizeof *chunk->times);
    for (; chunk->times && chunk->n_frames < frames; chunk->n_frames++)
        chunk->times[chunk->n_frames] = take_double(from);
}

/* Numbers as integers, and scalars of turns: see replay/table.c, which writes them. */
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

/* Integers to what they stand for, by the letters of format.h. */
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

/* keys, seconds: what the columns 0 and `second` stay below. */
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
        from->bad = from->bad || row[0] >= keys || row[second] >= seconds;
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

static bool parse(recording *r, const uint8_t *bytes, size_t size, recording_chunk *chunk)
{
    reader from = {bytes, bytes + size, false};
    if (take_u32(&from) != PCM_REPLAY_VERSION)
        return false;
    read_scene(r, &from);
    read_times(&from, chunk);
    read_table(&from, &chunk->contacts, PCM_TOUCH_KINDS, UINT32_MAX, PCM_TOUCH_NUMBER, UINT32_MAX);
    const size_t contacts = chunk->contacts.rows, frames = chunk->n_frames;
    read_table(&from, &chunk->events, PCM_HAPPENED_KINDS, PCM_CHANGES, PCM_HAPPENED_CONTACT, contacts);
    read_table(&from, &chunk->poses, PCM_POSE_KINDS, r->subjects.count, PCM_POSE_FRAME, frames);
    read_table(&from, &chunk->rows, PCM_ROW_KINDS, contacts, PCM_ROW_FRAME, frames);
    read_table(&from, &chunk->series, PCM_VALUE_KINDS, r->quantities.count, PCM_VALUE_FRAME, frames);
    return !from.bad && from.at == from.end;
}

/* ---- Chunks of the page ---------------------------------------------------------------------------------------- */

/* Text of seven bits a character from *at on, up to the mark that ends it. Returns how many bytes it made. */
static size_t decode(const uint8_t *at, uint8_t *to, size_t room_for)
{
    enum { HIGHER = 0xc2 }; /* the first byte of a character that stands 128 higher */
    uint32_t word = 0, bits = 0;
    size_t   made = 0;
    for (; made < room_for && *at != '<' && *at != '\0'; at++) {
        if (*at == HIGHER)
            continue;
        word = word << 7 | (*at & 127u);
        bits += 7;
        if (bits >= 8) {
            bits -= 8;
            to[made++] = (uint8_t)(word >> bits);
        }
    }
    return made;
}

/* What gzip has packed, in memory of its own; NULL: it is damaged, or there is no memory. */
static uint8_t *unpack(const uint8_t *packed, size_t count, size_t *size)
{
    enum { GZIP = 16, WINDOW = 15 };
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed, .avail_in = (uInt)count};
    size_t   room_for = 4 * count + 4096;
    uint8_t *bytes = malloc(room_for);
    int      status = bytes && inflateInit2(&stream, GZIP + WINDOW) == Z_OK ? Z_OK : Z_MEM_ERROR;
    while (status == Z_OK) {
        stream.next_out = bytes + stream.total_out;
        stream.avail_out = (uInt)(room_for - stream.total_out);
        status = inflate(&stream, Z_NO_FLUSH);
        if (status == Z_OK && stream.avail_out == 0) {
            uint8_t *grown = realloc(bytes, room_for *= 2);
            status = grown ? Z_OK : Z_MEM_ERROR;
            bytes = grown ? grown : bytes;
        }
    }
    *size = stream.total_out;
    (void)inflateEnd(&stream);
    if (status == Z_STREAM_END)
        return bytes;
    free(bytes);
    return NULL;
}

/* The payload of the chunk whose element's attributes begin there; NULL: it is not what they say. */
static uint8_t *read_element(const uint8_t *at, const uint8_t *end, size_t *size)
{
    static const char middle[] = "\" data-crc=\"";
    char             *next;
    const size_t      length = strtoul((const char *)at, &next, 10);
    if (strncmp(next, middle, strlen(middle)) != 0 || length > (size_t)(end - at))
        return NULL;
    const unsigned long crc = strtoul(next + strlen(middle), &next, 16);
    if (strncmp(next, "\">", 2) != 0)
        return NULL;
    uint8_t     *packed = malloc(length + 1), *bytes = NULL;
    const size_t made = packed ? decode((const uint8_t *)next + 2, packed, length) : 0;
    if (made == length && crc32_z(0, packed, made) == crc)
        bytes = unpack(packed, made, size);
    free(packed);
    return bytes;
}

static bool read_chunk(recording *r, const uint8_t *at, recording_visit *visit, void *user)
{
    size_t          size = 0;
    recording_chunk chunk = {0};
    uint8_t        *bytes = read_element(at, r->bytes + r->size, &size);
    bool            good = true;
    r->chunks++;
    if (bytes && parse(r, bytes, size, &chunk)) {
        good = visit(user, r, &chunk);
        r->frames += chunk.n_frames;
    } else {
        r->damaged++;
        command_error(PCM_MSG_REPLAY_DAMAGED, "%s: chunk %zu is damaged: its frames are missing", r->path, r->chunks);
    }
    free_chunk(&chunk);
    free(bytes);
    return good;
}

bool recording_read(recording *r, recording_visit *visit, void *user)
{
    const size_t   mark = strlen(PCM_REPLAY_MARK);
    const uint8_t *at = r->bytes, *end = r->bytes + r->size;
    while ((at = memmem(at, (size_t)(end - at), PCM_REPLAY_MARK, mark)) != NULL) {
        at += mark;
        if (!read_chunk(r, at, visit, user))
            return false;
    }
    return true;
}

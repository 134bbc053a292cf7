/* SPDX-License-Identifier: MIT */
/* mesh.c - closed surfaces from files: Wavefront OBJ and STL, text and binary. */
#include "shape.h"
#include "table.h"
#include <pcm/messages.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_MAX     (1u << 30)
#define STL_HEADER   84u
#define STL_TRIANGLE 50u
#define POLYGON_MAX  256u

/* An object of the file; it ends where the next one begins. */
typedef struct object {
    char   name[32];
    size_t first; /* where its corners start in `used` */
    double volume;
} object;

typedef struct mesh {
    pcm_context *context;
    const char  *path;
    const char  *text; /* the file's bytes */
    size_t       length;
    double       scale;
    vec         *points; /* the corners; each place occurs once */
    size_t       count, capacity;
    uint32_t    *given; /* OBJ: the point of each v line */
    size_t       n_given, given_capacity;
    uint64_t     secret; /* odd; random per file, so that no file can provoke collisions */
    table        places; /* hash of a place -> point */
    table        sides;  /* pair of points -> how many polygons have that side */
    size_t       n_polygons;
    bool         by_parts; /* the members that follow are used */
    vec         *used;     /* the corners of all polygons, one after the other */
    size_t       n_used, used_capacity;
    object      *objects;
    size_t       n_objects, object_capacity;
} mesh;

static bool fail(const mesh *m, size_t line, const char *what)
{
    const pcm_place place = {.file = m->path, .line = (uint32_t)line, .column = line ? 1 : 0, .length = 1};
    pcm_report_at(m->context, PCM_ERROR, PCM_MSG_BAD_MESH, &place, "%s", what);
    return false;
}

static bool no_memory(const mesh *m)
{
    pcm_report(m->context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to read %s", m->path);
    return false;
}

/* ---- Points and polygons ----------------------------------------------------------------------------------------- */

static uint64_t place_hash(const mesh *m, vec p)
{
    uint64_t bits[3], h = 0;
    memcpy(bits, &p, sizeof bits);
    for (int k = 0; k < 3; k++) {
        h = (h ^ bits[k] * m->secret) * 0xFF51AFD7ED558CCDu;
        h ^= h >> 29;
    }
    return h >> 1;
}

/* Finds the point at a place, or adds one. */
static bool add_point(mesh *m, vec p, size_t line, uint32_t *point)
{
    p = add(scale(p, m->scale), (vec){0, 0, 0}); /* adding turns -0 into 0, which is the same place */
    if (!is_finite(p))
        return fail(m, line, "a coordinate is not a finite number");
    for (uint64_t hash = place_hash(m, p);; hash++) {
        const size_t known = m->places.count;
        uint32_t    *slot = table_put(m->context, &m->places, hash);
        if (!slot)
            return no_memory(m);
        if (m->places.count > known) {
            if (!geometry_grow(m->context, &m->points, sizeof *m->points, &m->capacity, m->count + 1))
                return no_memory(m);
            *slot = (uint32_t)m->count;
            m->points[m->count++] = p;
        }
        const vec q = m->points[*slot];
        if (q.x == p.x && q.y == p.y && q.z == p.z) {
            *point = *slot;
            return true;
        }
    }
}

/* Starts a new object. */
static bool begin_object(mesh *m, const char *name)
{
    if (!m->by_parts)
        return true;
    if (!geometry_grow(m->context, &m->objects, sizeof *m->objects, &m->object_capacity, m->n_objects + 1))
        return no_memory(m);
    object *o = &m->objects[m->n_objects++];
    *o = (object){.first = m->n_used};
    (void)snprintf(o->name, sizeof o->name, "%s", name);
    return true;
}

/* Adds the corners and volume of a polygon to its object: the volume is that of the cones from the object's first
 * corner. */
static bool add_to_object(mesh *m, const uint32_t *corners, uint32_t count)
{
    if (m->n_objects == 0 && !begin_object(m, ""))
        return false;
    if (!geometry_grow(m->context, &m->used, sizeof *m->used, &m->used_capacity, m->n_used + count))
        return no_memory(m);
    object *o = &m->objects[m->n_objects - 1];
    for (uint32_t k = 0; k < count; k++)
        m->used[m->n_used++] = m->points[corners[k]];
    const vec *polygon = m->used + m->n_used - count, from = m->used[o->first], p = sub(polygon[0], from);
    for (uint32_t k = 1; k + 1 < count; k++)
        o->volume += dot(p, cross(sub(polygon[k], from), sub(polygon[k + 1], from))) / 6;
    return true;
}

static bool add_polygon(mesh *m, const uint32_t *corners, uint32_t count)
{
    m->n_polygons++;
    if (m->by_parts && !add_to_object(m, corners, count))
        return false;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t a = corners[k], b = corners[(k + 1) % count];
        if (a == b)
            continue; /* a sliver that rounding has collapsed */
        const uint64_t side = a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
        uint32_t      *n = table_put(m->context, &m->sides, side * m->secret % UINT64_MAX);
        if (!n)
            return no_memory(m);
        ++*n;
    }
    return true;
}

static bool check_closed(const mesh *m)
{
    if (m->n_polygons == 0)
        return fail(m, 0, "the file has no face");
    for (size_t i = 0; i < m->sides.capacity; i++)
        if (m->sides.slots[i].value % 2 != 0)
            return fail(m, 0, "the surface is not closed: a side of a face is not shared with another face");
    return true;
}

/* ---- Text -------------------------------------------------------------------------------------------------------- */

typedef struct scan {
    const char *at, *end;
    size_t      line;
} scan;

static void skip_blanks(scan *s)
{
    while (s->at < s->end && (*s->at == ' ' || *s->at == '\t' || *s->at == '\r'))
        s->at++;
}

/* Copies the next word on the line into word, truncated to its size; false at the end of the line. */
static bool next_word(scan *s, char word[16])
{
    skip_blanks(s);
    size_t n = 0;
    for (; s->at < s->end && *s->at != ' ' && *s->at != '\t' && *s->at != '\r' && *s->at != '\n'; s->at++)
        if (n < 15)
            word[n++] = *s->at;
    word[n] = 0;
    return n > 0;
}

static bool next_line(scan *s)
{
    while (s->at < s->end && *s->at != '\n')
        s->at++;
    if (s->at == s->end)
        return false;
    s->at++;
    s->line++;
    return true;
}

static bool next_vec(scan *s, vec *p)
{
    double v[3];
    for (int k = 0; k < 3; k++) {
        skip_blanks(s);
        const size_t used = pcm_number_read(s->at, (size_t)(s->end - s->at), &v[k]);
        if (used == 0)
            return false;
        s->at += used;
    }
    *p = vec_of(v);
    return true;
}

/* The f line of an OBJ file: corners i, i/t, i/t/n, i//n, counted from 1 or, negative, back from the last v. */
static bool obj_face(mesh *m, scan *s)
{
    uint32_t corners[POLYGON_MAX];
    uint32_t n = 0;
    char     word[16];
    while (next_word(s, word)) {
        double       index;
        const size_t used = pcm_number_read(word, strlen(word), &index);
        const double from = index < 0 ? (double)m->n_given + index : index - 1;
        if (used == 0 || (word[used] != 0 && word[used] != '/') || !(from >= 0 && from < (double)m->n_given) ||
            from != (double)(uint32_t)from)
            return fail(m, s->line, "a face names a corner that no earlier v line defines");
        if (n == POLYGON_MAX)
            return fail(m, s->line, "a face has more than 256 corners");
        corners[n++] = m->given[(uint32_t)from];
    }
    return n >= 3 ? add_polygon(m, corners, n) : fail(m, s->line, "a face has fewer than 3 corners");
}

static bool read_obj(mesh *m)
{
    scan s = {m->text, m->text + m->length, 1};
    do {
        char word[16];
        vec  p;
        if (!next_word(&s, word))
            continue;
        if (strcmp(word, "v") == 0) {
            if (!next_vec(&s, &p))
                return fail(m, s.line, "a v line needs three numbers");
            if (!geometry_grow(m->context, &m->given, sizeof *m->given, &m->given_capacity, m->n_given + 1))
                return no_memory(m);
            if (!add_point(m, p, s.line, &m->given[m->n_given]))
                return false;
            m->n_given++;
        } else if (strcmp(word, "f") == 0 && !obj_face(m, &s)) {
            return false;
        } else if (strcmp(word, "o") == 0) {
            (void)next_word(&s, word);
            if (!begin_object(m, word))
                return false;
        }
    } while (next_line(&s));
    return true;
}

static bool read_stl_text(mesh *m)
{
    scan     s = {m->text, m->text + m->length, 1};
    uint32_t corners[3];
    uint32_t n = 0;
    do {
        char word[16];
        vec  p;
        if (!next_word(&s, word))
            continue;
        if (strcmp(word, "vertex") == 0) {
            if (n == 3 || !next_vec(&s, &p))
                return fail(m, s.line, n == 3 ? "a facet has more than 3 corners" : "a vertex needs three numbers");
            if (!add_point(m, p, s.line, &corners[n++]))
                return false;
        } else if (strcmp(word, "solid") == 0) {
            (void)next_word(&s, word);
            if (!begin_object(m, word))
                return false;
        } else if (strcmp(word, "endloop") == 0) {
            if (n != 3)
                return fail(m, s.line, "a facet has fewer than 3 corners");
            if (!add_polygon(m, corners, n))
                return false;
            n = 0;
        }
    } while (next_line(&s));
    return n == 0 || fail(m, s.line, "the file ends inside a facet");
}

/* ---- Binary ------------------------------------------------------------------------------------------------------ */

static uint32_t little_u32(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double little_float(const char *bytes)
{
    const uint32_t bits = little_u32(bytes);
    float          value;
    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

static bool is_stl_binary(const mesh *m)
{
    return m->length >= STL_HEADER &&
           m->length == STL_HEADER + (uint64_t)STL_TRIANGLE * little_u32(m->text + STL_HEADER - 4);
}

static bool read_stl_binary(mesh *m)
{
    for (const char *t = m->text + STL_HEADER; t < m->text + m->length; t += STL_TRIANGLE) {
        uint32_t corners[3];
        for (uint32_t k = 0; k < 3; k++) {
            const char *c = t + 12 + 12 * k; /* after the normal */
            const vec   p = {little_float(c), little_float(c + 4), little_float(c + 8)};
            if (!add_point(m, p, 0, &corners[k]))
                return false;
        }
        if (!add_polygon(m, corners, 3))
            return false;
    }
    return true;
}

/* ---- Files ------------------------------------------------------------------------------------------------------- */

/* Reads the whole file into *text, of *length bytes. */
static bool read_file(mesh *m, char **text)
{
    /* Not blocking: the name may belong to a pipe. */
    const int   opened = open(m->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    FILE       *file = opened < 0 ? NULL : fdopen(opened, "rb");
    struct stat about;
    if (!file || fstat(fileno(file), &about) != 0 || !S_ISREG(about.st_mode) || about.st_size > FILE_MAX ||
        about.st_size == 0) {
        if (file)
            fclose(file);
        else if (opened >= 0)
            close(opened);
        return fail(m, 0, "the mesh cannot be read: it must be a file of 1 byte to 1 GiB");
    }
    m->length = (size_t)about.st_size;
    *text = pcm_allocate(m->context, m->length);
    const bool whole = *text && fread(*text, 1, m->length, file) == m->length;
    fclose(file);
    if (!*text)
        return no_memory(m);
    m->text = *text;
    return whole || fail(m, 0, "the mesh ended while it was read");
}

static bool read_mesh(mesh *m)
{
    if (is_stl_binary(m))
        return read_stl_binary(m);
    return m->length >= 5 && memcmp(m->text, "solid", 5) == 0 ? read_stl_text(m) : read_obj(m);
}

static bool read_whole(mesh *m)
{
    char      *text = NULL;
    const bool good = read_file(m, &text) && read_mesh(m) && check_closed(m);
    pcm_free(m->context, text, m->length);
    pcm_free(m->context, m->given, m->given_capacity * sizeof *m->given);
    table_free(m->context, &m->places);
    table_free(m->context, &m->sides);
    return good;
}

static uint64_t some_secret(void)
{
    uint64_t secret;
    if (getentropy(&secret, sizeof secret) != 0)
        secret = (uint64_t)(uintptr_t)&secret * 0xD6E8FEB86659FD93u;
    return secret | 1;
}

bool mesh_read(pcm_context *context, const char *path, double unit, vec **points, size_t *count, size_t *capacity)
{
    mesh       m = {.context = context, .path = path, .scale = unit, .secret = some_secret()};
    const bool good = read_whole(&m);
    *points = m.points;
    *count = m.count;
    *capacity = m.capacity;
    return good;
}

bool mesh_read_parts(pcm_context *context, const char *path, double unit,
                     bool (*take)(void *user, const mesh_part *part), void *user)
{
    mesh m = {.context = context, .path = path, .scale = unit, .secret = some_secret(), .by_parts = true};
    bool good = read_whole(&m);
    for (size_t i = 0; i < m.n_objects && good; i++) {
        const object   *o = &m.objects[i];
        const size_t    end = i + 1 < m.n_objects ? o[1].first : m.n_used;
        const mesh_part part = {o->name, m.used + o->first, end - o->first, o->volume};
        if (part.count > 0)
            good = take(user, &part);
    }
    pcm_free(context, m.points, m.capacity * sizeof *m.points);
    pcm_free(context, m.used, m.used_capacity * sizeof *m.used);
    pcm_free(context, m.objects, m.object_capacity * sizeof *m.objects);
    return good;
}

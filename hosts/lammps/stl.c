/* SPDX-License-Identifier: MIT */
/* stl.c - triangles of an STL file, binary or text. */
#include "surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A binary file has a header, the number of triangles, and for each triangle a normal, three corners and two bytes. */
enum { HEAD = 80, COUNTED = 84, NORMAL = 12, FACET = 50 };

typedef struct triangles {
    size_t count, capacity;
    double (*corner)[3][3];
} triangles;

static bool add(triangles *t, double corner[3][3])
{
    if (t->count == t->capacity) {
        const size_t capacity = 2 * t->capacity + 64;
        double(*grown)[3][3] = realloc(t->corner, capacity * sizeof *grown);
        if (!grown)
            return false;
        t->corner = grown;
        t->capacity = capacity;
    }
    memcpy(t->corner[t->count++], corner, sizeof *t->corner);
    return true;
}

/* Reads the whole file and adds a terminating zero; NULL: it cannot be read. */
static char *read_all(const char *path, size_t *size)
{
    FILE  *file = fopen(path, "rb");
    char  *text = NULL;
    size_t capacity = 0;
    *size = 0;
    while (file) {
        if (*size + 1 >= capacity) {
            capacity = 2 * capacity + 65536;
            char *grown = realloc(text, capacity);
            if (!grown)
                break;
            text = grown;
        }
        const size_t got = fread(text + *size, 1, capacity - *size - 1, file);
        *size += got;
        text[*size] = '\0';
        if (got == 0)
            break;
    }
    const bool whole = file && text && feof(file) && !ferror(file);
    if (file)
        (void)fclose(file);
    if (!whole) {
        free(text);
        text = NULL;
    }
    return text;
}

static uint32_t little(const char *bytes)
{
    const unsigned char *b = (const unsigned char *)bytes;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static bool is_binary(const char *text, size_t size)
{
    return size >= COUNTED && size - COUNTED == (size_t)FACET * little(text + HEAD);
}

static bool read_binary(const char *text, triangles *t)
{
    const uint32_t count = little(text + HEAD);
    bool           good = true;
    for (uint32_t i = 0; good && i < count; i++) {
        const char *at = text + COUNTED + (size_t)FACET * i + NORMAL;
        double      corner[3][3];
        for (int k = 0; k < 9; k++) {
            const uint32_t bits = little(at + 4 * k);
            float          number;
            memcpy(&number, &bits, sizeof number);
            corner[k / 3][k % 3] = (double)number;
        }
        good = add(t, corner);
    }
    return good;
}

/* Each word `vertex` is followed by three numbers, and each three vertices are a triangle. False: no memory, or a word
 * that should be a number is not. */
static bool read_text(const char *text, triangles *t)
{
    static const char space[] = " \t\r\n";
    double            corner[3][3];
    int               n = 0;
    for (const char *word = text + strspn(text, space); *word; word += strspn(word, space)) {
        const size_t length = strcspn(word, space);
        const bool   is_corner = length == 6 && strncmp(word, "vertex", 6) == 0;
        word += length;
        for (int k = 0; is_corner && k < 3; k++) {
            word += strspn(word, space);
            const size_t digits = strcspn(word, space);
            if (digits == 0 || pcm_number_read(word, digits, &corner[n][k]) != digits)
                return false;
            word += digits;
        }
        n += is_corner;
        if (n == 3 && !add(t, corner))
            return false;
        n %= 3;
    }
    return n == 0;
}

static bool are_finite(const triangles *t)
{
    double zero = 0;
    for (size_t i = 0; i < t->count; i++)
        for (size_t k = 0; k < 9; k++)
            zero += 0 * t->corner[i][k / 3][k % 3];
    return zero == 0;
}

pcm_lammps_surface *pcm_lammps_surface_open(const char *path, double scale, char *error, size_t size)
{
    triangles t = {0, 0, NULL};
    size_t    length;
    char     *text = read_all(path, &length);
    if (!text) {
        (void)snprintf(error, size, "cannot read the STL file '%s'", path);
        return NULL;
    }
    const bool good = is_binary(text, length) ? read_binary(text, &t) : read_text(text, &t);
    free(text);
    pcm_lammps_surface *surface = NULL;
    if (!good || t.count == 0 || !are_finite(&t))
        (void)snprintf(error, size, "'%s' is not an STL file with triangles of finite corners", path);
    else if (!(surface = pcm_lammps_surface_new(t.count, t.corner, scale)))
        (void)snprintf(error, size, "'%s' has no triangle with an area, or more than memory holds", path);
    free(t.corner);
    return surface;
}

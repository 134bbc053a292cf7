/* SPDX-License-Identifier: MIT */
/* usage: fuzz_config_run FILE ...
 *
 * Some thousand mutations of the files, the same in every run: bytes changed, stretches left out, doubled, exchanged
 * between files, tokens of the language put in. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_FILES = 100, FILE_MOST = 1 << 13, ROUNDS = 20000 };

typedef struct pcm_seed {
    uint8_t text[FILE_MOST];
    size_t  length;
} pcm_seed;

static pcm_seed seeds[MOST_FILES];
static int      n_seeds;
static uint64_t random_state = 20040820;

static size_t any(size_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return below == 0 ? 0 : (size_t)(random_state >> 11) % below;
}

static const char *const tokens[] = {"ContactType",
                                     "ObjectPair",
                                     "SurfacePair",
                                     "DefaultPair",
                                     "Include",
                                     "Material",
                                     "->",
                                     "=",
                                     "[{",
                                     "}]",
                                     ";",
                                     ",",
                                     "*",
                                     "\"",
                                     "(",
                                     ")",
                                     "[kN/mm]",
                                     "1e-3",
                                     "\n",
                                     "#",
                                     "\"*\"",
                                     "Specimen",
                                     "K",
                                     "\xc3\xbc",
                                     "\xff",
                                     "/",
                                     "-",
                                     "1/0",
                                     "(1,2)",
                                     "Include \"x\";",
                                     "Method=Fancy",
                                     "Let ",
                                     "Surface ",
                                     "Surface A = \"*\", B;",
                                     "Let a = 2*b [mm];",
                                     "K = a",
                                     "sqrt(",
                                     "^",
                                     "^0.5",
                                     " + 1 [m]",
                                     "0,5",
                                     "%",
                                     "/*",
                                     "//",
                                     "{1, 2}",
                                     "\xe2\x80\x9c",
                                     "\xe2\x80\x9d",
                                     "'",
                                     ":="};

static void put(pcm_seed *text, size_t at, const void *bytes, size_t length)
{
    if (text->length + length > FILE_MOST)
        return;
    memmove(text->text + at + length, text->text + at, text->length - at);
    memcpy(text->text + at, bytes, length);
    text->length += length;
}

static void mutate(pcm_seed *text)
{
    size_t          at = any(text->length + 1), length = any(text->length - at + 1) % 40;
    const pcm_seed *other = &seeds[any((size_t)n_seeds)];
    const char     *token = tokens[any(sizeof tokens / sizeof *tokens)];
    uint8_t         copy[40];
    switch (any(5)) {
    case 0: /* change a byte */
        if (at < text->length)
            text->text[at] = (uint8_t)any(256);
        break;
    case 1: /* leave a stretch out */
        memmove(text->text + at, text->text + at + length, text->length - at - length);
        text->length -= length;
        break;
    case 2: /* double it */
        memcpy(copy, text->text + at, length);
        put(text, at, copy, length);
        break;
    case 3: /* a stretch of another file */
        at = any(other->length + 1);
        put(text, any(text->length + 1), other->text + at, any(other->length - at + 1) % 200);
        break;
    default:
        put(text, at, token, strlen(token));
    }
}

int main(int count, char **paths)
{
    static pcm_seed text;
    for (int i = 1; i < count && n_seeds < MOST_FILES; i++) {
        FILE *file = fopen(paths[i], "rb");
        if (file == NULL)
            return 2;
        seeds[n_seeds].length = fread(seeds[n_seeds].text, 1, FILE_MOST / 2, file);
        n_seeds++;
        fclose(file);
    }
    for (int round = 0; round < ROUNDS && n_seeds > 0; round++) {
        text = seeds[round % n_seeds];
        for (size_t i = any(6); i > 0; i--)
            mutate(&text);
        LLVMFuzzerTestOneInput(text.text, text.length);
    }
    printf("%d mutations of %d files\n", ROUNDS, n_seeds);
    return n_seeds == 0;
}

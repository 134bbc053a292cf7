/* SPDX-License-Identifier: MIT */
/* usage: fuzz_NAME_run ROUNDS DICTIONARY FOLDER ...
 *
 * Runs a target without libFuzzer: first with the files in the folders, then with that many mutations of them, which
 * are the same in every run: bytes changed, stretches deleted, doubled or exchanged between files, words of the
 * dictionary inserted. An input that ends the process is saved as fuzz-crash. */
#include "fuzz.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_FILES = 400, FILE_MOST = 1 << 13, MOST_WORDS = 200, WORD_MOST = 100 };

typedef struct pcm_seed {
    uint8_t text[FILE_MOST];
    size_t  length;
} pcm_seed;

static pcm_seed seeds[MOST_FILES], text;
static int      n_seeds, n_words;
static uint64_t random_state = 20040820;
static struct {
    uint8_t text[WORD_MOST];
    size_t  length;
} words[MOST_WORDS];

static size_t any(size_t below)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return below == 0 ? 0 : (size_t)(random_state >> 11) % below;
}

static void put(pcm_seed *to, size_t at, const void *bytes, size_t length)
{
    if (to->length + length > FILE_MOST)
        return;
    memmove(to->text + at + length, to->text + at, to->length - at);
    memcpy(to->text + at, bytes, length);
    to->length += length;
}

static void mutate(void)
{
    size_t          at = any(text.length + 1), length = any(text.length - at + 1) % 40;
    const pcm_seed *other = &seeds[any((size_t)n_seeds)];
    uint8_t         copy[40];
    switch (any(n_words > 0 ? 5 : 4)) {
    case 0: /* change a byte */
        if (at < text.length)
            text.text[at] = (uint8_t)any(256);
        break;
    case 1: /* delete a stretch */
        memmove(text.text + at, text.text + at + length, text.length - at - length);
        text.length -= length;
        break;
    case 2: /* double it */
        memcpy(copy, text.text + at, length);
        put(&text, at, copy, length);
        break;
    case 3: /* insert a stretch of another file */
        at = any(other->length + 1);
        put(&text, any(text.length + 1), other->text + at, any(other->length - at + 1) % 200);
        break;
    default:
        length = any((size_t)n_words);
        put(&text, at, words[length].text, words[length].length);
    }
}

static bool read_seed(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || n_seeds == MOST_FILES)
        return false;
    seeds[n_seeds].length = fread(seeds[n_seeds].text, 1, FILE_MOST, file);
    n_seeds++;
    return fclose(file) == 0;
}

static bool read_folder(const char *folder)
{
    char            path[4096];
    struct dirent **entries;
    bool            all = true;
    const int       count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        struct stat status;
        snprintf(path, sizeof path, "%s/%s", folder, entries[i]->d_name);
        if (stat(path, &status) == 0 && S_ISREG(status.st_mode))
            all = read_seed(path) && all;
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
    return all && count > 0;
}

/* A line is a quoted word, with \\, \" and \xNN in it, or empty, or a comment. */
static bool read_words(const char *path)
{
    char  line[4 * WORD_MOST];
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    for (; fgets(line, sizeof line, file) && n_words < MOST_WORDS; n_words += line[0] == '"') {
        size_t length = 0;
        for (const char *c = line + 1; line[0] == '"' && *c != '"' && *c && length < WORD_MOST; c++) {
            unsigned code = (unsigned char)*c;
            if (*c == '\\' && c[1] == 'x' && sscanf(c + 2, "%2x", &code) == 1)
                c += 3;
            else if (*c == '\\')
                code = (unsigned char)*++c;
            words[n_words].text[length++] = (uint8_t)code;
        }
        words[n_words].length = length;
    }
    return fclose(file) == 0;
}

static void leave(int cause)
{
    const int  file = open("fuzz-crash", O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const bool left = file >= 0 && write(file, text.text, text.length) == (ssize_t)text.length;
    if (left)
        (void)!write(STDOUT_FILENO, "the input is in fuzz-crash\n", 27);
    raise(cause);
}

int main(int count, char **arguments)
{
    if (count < 4 || !read_words(arguments[2]))
        return 2;
    for (int i = 3; i < count; i++)
        if (!read_folder(arguments[i]))
            return 2;
    const long       rounds = atol(arguments[1]);
    struct sigaction action = {.sa_handler = leave, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGABRT, &action, NULL);
    sigaction(SIGSEGV, &action, NULL);
    for (long round = 0; round < rounds + n_seeds; round++) {
        text = seeds[round % n_seeds];
        for (size_t i = round < n_seeds ? 0 : any(6) + 1; i > 0; i--)
            mutate();
        LLVMFuzzerTestOneInput(text.text, text.length);
    }
    printf("%ld mutations of %d files\n", rounds, n_seeds);
    return 0;
}

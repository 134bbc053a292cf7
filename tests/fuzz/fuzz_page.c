/* SPDX-License-Identifier: MIT */
/* The page of a run with the input as its bytes or, from the second byte on, as chunks with correct checksums. The page
 * is unpacked into tables and, if that makes few files, into files for ParaView, all of which are /dev/null. */
#include "fuzz.h"
#include "convert.h"
#include "element.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILES = 1200, FRAMES_MOST = 16 };

static void link_nowhere(const char *name, size_t number)
{
    char path[4096];
    demand(snprintf(path, sizeof path, name, FOLDER, number) < (int)sizeof path);
    demand(symlink("/dev/null", path) == 0 || errno == EEXIST);
}

static void make_folder(void)
{
    static const char *const once[] = {"%s/contacts.csv",   "%s/poses.csv",    "%s/events.csv",
                                       "%s/quantities.csv", "%s/contacts.pvd", "%s/objects.pvd"};
    demand(mkdir(FOLDER, 0777) == 0 || errno == EEXIST);
    for (size_t i = 0; i < sizeof once / sizeof *once; i++)
        link_nowhere(once[i], 0);
    for (size_t i = 0; i < FILES; i++) {
        link_nowhere("%s/contacts_%06zu.vtp", i);
        link_nowhere("%s/objects_%06zu.vtp", i);
    }
}

static bool count_frames(void *user, const recording *r, const recording_chunk *chunk)
{
    (void)r;
    *(size_t *)user += chunk->n_frames;
    return true;
}

static size_t frames_of(const char *path)
{
    recording r;
    size_t    frames = 0;
    if (recording_open(&r, path))
        (void)recording_read(&r, count_frames, &frames);
    demand(r.damaged <= r.chunks && r.frames <= RECORDING_FRAMES);
    recording_close(&r);
    return frames;
}

static void take_out(const char *path, bool convert(recording *r, const char *directory))
{
    recording r;
    if (recording_open(&r, path))
        (void)convert(&r, FOLDER);
    recording_close(&r);
}

/* Chunks of as many bytes as the two bytes before each say. */
static void put_chunks(FILE *to, const uint8_t *data, size_t size)
{
    while (size >= 2) {
        const size_t length = data[0] | (size_t)data[1] << 8, all = size - 2, part = length < all ? length : all;
        demand(element_put(to, data + 2, part));
        data += 2 + part;
        size -= 2 + part;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static bool made;
    char       *text = NULL;
    size_t      length = 0;
    FILE       *page = size && data[0] % 2 ? open_memstream(&text, &length) : NULL;
    if (!made)
        make_folder();
    made = true;
    if (page) {
        put_chunks(page, data + 1, size - 1);
        demand(fclose(page) == 0);
    }
    const char  *path = page ? fuzz_file(text, length) : fuzz_file(data, size);
    const size_t frames = frames_of(path);
    take_out(path, convert_to_csv);
    if (frames <= FRAMES_MOST)
        take_out(path, convert_to_vtk);
    free(text);
    return 0;
}

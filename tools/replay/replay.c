/* SPDX-License-Identifier: MIT */
/* replay.c - pcm replay: converts the page of a run to files. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <pcm/messages.h>

#include "browser.h"
#include "command.h"
#include "convert.h"

bool convert_path(char *path, size_t size, const char *directory, const char *file)
{
    const int length = snprintf(path, size, "%s/%s", directory, file);
    if (length > 0 && (size_t)length < size)
        return true;
    command_error(PCM_MSG_REPLAY_FILE, "%s/%s: the path is too long", directory, file);
    return false;
}

static bool make_directory(const char *path)
{
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        return true;
    command_error(PCM_MSG_REPLAY_FILE, "%s: the directory could not be created: %s", path, strerror(errno));
    return false;
}

typedef bool convert(recording *r, const char *directory);

/* Converts intact chunks even if others are damaged; the exit status shows that. */
static int take_out(const char *path, const char *directory, convert *to)
{
    recording  r = {0};
    const bool good = make_directory(directory) && recording_open(&r, path) && to(&r, directory);
    const bool whole = good && r.damaged == 0;
    if (good)
        (void)printf("%s: %zu frames in %zu chunks, %zu of them damaged\n", directory, r.frames, r.chunks, r.damaged);
    recording_close(&r);
    return whole ? EXIT_GOOD : EXIT_WRONG;
}

int replay_run(int argc, char **argv)
{
    const char  *csv = NULL, *vtk = NULL;
    page_picture picture = PAGE_PICTURE_NONE;
    option       table[] = {
              {.name = "--csv",
               .value = "DIR",
               .doc = "write contacts, poses, events and quantities as tables",
               .text = &csv},
              {.name = "--vtk",
               .value = "DIR",
               .doc = "write contacts and objects for ParaView: .pvd and .vtp",
               .text = &vtk},
              OPTION_PICTURE(&picture, "write", "run"),
    };
    const command_line line = {
        .name = "replay",
        .usage = "FILE.html --csv DIR | --vtk DIR | --image OUT.png | --video OUT.webm",
        .about =
            "Converts the recording in the page of a run (pcm run --replay) to tables, to files for ParaView, or to\n"
            "pictures. To see it, open the page in a browser.",
        .examples = "  pcm run configs/climber/climber.xml configs/climber/climber.pcm \\\n"
                    "      --ctrl configs/climber/climber.csv --time 1 --replay climber.html\n"
                    "  pcm replay climber.html --csv tables",
        OPTIONS(table),
        .min_words = 1,
        .max_words = 1,
    };
    option_texts words = {0};
    int          status;
    if (options_read(&line, argc, argv, &words, &status)) {
        const bool any = csv || vtk || picture.image || picture.video;
        status = any ? EXIT_GOOD : options_refuse(&line, "one of --csv, --vtk, --image and --video is needed");
        if (csv)
            status = take_out(words.at[0], csv, convert_to_csv);
        if (vtk && status == EXIT_GOOD)
            status = take_out(words.at[0], vtk, convert_to_vtk);
        if (status == EXIT_GOOD && !browser_picture(words.at[0], &picture))
            status = EXIT_WRONG;
    }
    free(words.at);
    return status;
}

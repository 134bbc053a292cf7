/* SPDX-License-Identifier: MIT */
/* speech.c - messages of the C libraries in the words of Python: the names of functions. */
#include "extension.h"
#include <ctype.h>
#include <string.h>

/* None is longer in Python. */
static const struct {
    const char *c, *python;
} names[] = {
    {"pcm_mujoco_attach", "pcm.attach()"},
    {"pcm_mujoco_checkpoint_restore", "host.restore()"},
    {"pcm_mujoco_checkpoint_save", "host.save()"},
    {"pcm_mujoco_ease", "host.ease()"},
    {"pcm_mujoco_fork", "host.fork()"},
    {"pcm_mujoco_free", "host.close()"},
    {"pcm_mujoco_implicit", "host.implicit(True)"},
    {"pcm_mujoco_sense", "host.sense()"},
    {"pcm_mujoco_set", "host.set()"},
    {"pcm_mujoco_step", "host.step()"},
    {"pcm_world_commit", "world.commit()"},
};

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

static const char *python_of(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strlen(names[i].c) == length && memcmp(names[i].c, word, length) == 0)
            return names[i].python;
    return NULL;
}

void speak_python(char *text)
{
    char *to = text;
    while (text && *text) {
        const size_t length = word_length(text);
        const char  *python = python_of(text, length);
        const size_t written = python ? strlen(python) : length ? length : 1;
        memmove(to, python ? python : text, written);
        to += written;
        text += length ? length : 1;
    }
    if (to)
        *to = '\0';
}

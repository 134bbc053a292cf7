/* SPDX-License-Identifier: MIT */
/* record.c - the page of a run. */
#define _GNU_SOURCE /* secure_getenv */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <pcm/messages.h>
#include <pcm/replay_mujoco.h>

struct page {
    pcm_replay        *replay;
    pcm_replay_mujoco *scene;
    bool               own_energies; /* computed only for frames, whose times are known before their steps */
};

/* A larger page is slow in a browser. */
static const off_t large = 200000000;

/* The model's own name, or that of its file. */
static const char *title_of(const run *r)
{
    const char *slash = strrchr(r->options->scene, '/');
    const bool  named = r->model->names[0] && strcmp(r->model->names, "MuJoCo Model") != 0;
    return named ? r->model->names : slash ? slash + 1 : r->options->scene;
}

static pcm_replay *open_page(const run *r)
{
    char           folder[4096], viewer[4200];
    pcm_replay_def def = pcm_replay_defaults();
    def.path = r->options->replay;
    def.title = title_of(r);
    def.every = r->options->every > 0 ? r->options->every : def.every;
    if (!secure_getenv("PCM_REPLAY_VIEWER") && command_folder("web", PCM_PAGES_FROM_PREFIX, folder, sizeof folder)) {
        (void)snprintf(viewer, sizeof viewer, "%s/replay.html", folder);
        def.viewer = viewer;
    }
    return pcm_replay_new(pcm_mujoco_world(r->host), &def);
}

bool record_begin(run *r)
{
    if (!r->options->replay)
        return true;
    r->page = calloc(1, sizeof *r->page);
    if (!r->page)
        return false;
    r->page->own_energies =
        !(r->model->opt.enableflags & mjENBL_ENERGY) && r->model->opt.integrator != mjINT_RK4; /* it evaluates often */
    r->model->opt.enableflags |= mjENBL_ENERGY; /* makes MuJoCo compute energies, and changes nothing else */
    r->page->replay = open_page(r);
    r->page->scene = r->page->replay ? pcm_replay_mujoco_new(r->page->replay, r->host, r->options->collisions) : NULL;
    return r->page->scene;
}

void record_energies(run *r)
{
    if (!r->page || !r->page->own_energies)
        return;
    r->model->opt.enableflags &= ~mjENBL_ENERGY;
    if (pcm_replay_due_at(r->page->replay, r->data->time))
        r->model->opt.enableflags |= mjENBL_ENERGY;
}

/* On a failure, which has been reported, the run continues, and record_end returns false. */
void record_step(run *r)
{
    if (r->page)
        (void)pcm_replay_mujoco_frame(r->page->scene);
}

static void tell_size(const run *r)
{
    const double every = r->options->every > 0 ? r->options->every : pcm_replay_defaults().every;
    struct stat  facts;
    if (stat(r->options->replay, &facts) != 0)
        return;
    (void)printf("\n%s: %.0f kB; open it in a browser\n", r->options->replay, (double)facts.st_size / 1000);
    if (facts.st_size > large)
        command_message(PCM_WARNING, PCM_MSG_REPLAY_LARGE, NULL,
                        "the page has more than 200 MB, which browsers open slowly: --every %s halves it",
                        pcm_number(2 * every, 3).text);
}

bool record_end(run *r)
{
    struct page *page = r->page;
    if (!page)
        return true;
    const bool begun = page->scene;
    pcm_replay_mujoco_free(page->scene);
    const bool whole = page->replay && pcm_replay_close(page->replay) == PCM_OK;
    if (begun && whole)
        tell_size(r);
    free(page);
    r->page = NULL;
    return whole;
}

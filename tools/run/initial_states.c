/* SPDX-License-Identifier: MIT */
/* initial_states.c - the initial states of contacts, from a table with the columns a and b, the objects in either
 * order, and one column per state, named as in the log. Each row applies to all contacts of its pair at the start. */
#include <stdlib.h>
#include <string.h>
#include <pcm/messages.h>

#include "run.h"

typedef struct held {
    pcm_contact_info info;
    double          *values; /* its states */
} held;

typedef struct starting {
    run        *r;
    csv_reader *reader;
    held       *contacts;
    size_t      n_contacts, column_a, column_b;
} starting;

static bool is_cell(const csv_cell *cell, const char *text)
{
    return strlen(text) == cell->length && memcmp(cell->text, text, cell->length) == 0;
}

static bool is_pair(const starting *s, const pcm_contact_info *info)
{
    const csv_cell *a = &s->reader->cells[s->column_a], *b = &s->reader->cells[s->column_b];
    return (is_cell(a, info->base_name) && is_cell(b, info->follower_name)) ||
           (is_cell(b, info->base_name) && is_cell(a, info->follower_name));
}

/* Overwrites the contact's states with the columns of the table. */
static bool read_states(const starting *s, const held *contact)
{
    const pcm_model *model = pcm_type_get_info(contact->info.type)->model;
    size_t           found = 0;
    for (uint32_t entry = 0, at = 0; entry < model->states.count; entry++) {
        const pcm_state *state = pcm_model_state(model, entry);
        const bool       tangent = state->shape == PCM_TANGENT;
        for (int k = 0; k < (tangent ? 2 : 1); k++, at++) {
            char name[128];
            (void)snprintf(name, sizeof name, "%s%s", state->name, !tangent ? "" : k ? "_y" : "_x");
            const size_t column = csv_find(s->reader, name);
            if (column == s->reader->columns)
                continue;
            found++;
            if (!csv_number(s->reader, column, &contact->values[at]))
                return false;
        }
    }
    if (found == 0)
        csv_error(s->reader, PCM_MSG_START, s->column_a, "no column is named after a state of %s", model->name);
    return found > 0;
}

static bool read_rows(const starting *s)
{
    if (s->column_a == s->reader->columns || s->column_b == s->reader->columns) {
        csv_error(s->reader, PCM_MSG_START, 0, "the columns 'a' and 'b' must name the objects of a pair");
        return false;
    }
    csv_result result;
    while ((result = csv_next(s->reader)) == CSV_ROW) {
        bool met = false;
        for (size_t i = 0; i < s->n_contacts; i++) {
            if (!is_pair(s, &s->contacts[i].info))
                continue;
            met = true;
            if (!read_states(s, &s->contacts[i]))
                return false;
        }
        if (!met) {
            csv_error(s->reader, PCM_MSG_START, s->column_a, "row %zu: this pair is not in contact at the start",
                      s->reader->row);
            return false;
        }
    }
    return result == CSV_END;
}

/* ---- The contacts ------------------------------------------------------------------------------------------------ */

static bool list_contacts(starting *s)
{
    pcm_world   *world = pcm_mujoco_world(s->r->host);
    const size_t count = pcm_world_contact_count(world);
    s->contacts = calloc(count + 1, sizeof *s->contacts);
    for (; s->contacts && s->n_contacts < count; s->n_contacts++) {
        held *contact = &s->contacts[s->n_contacts];
        contact->info.size = sizeof contact->info;
        if (pcm_world_contact_at(world, s->n_contacts, &contact->info) != PCM_OK)
            return false;
        const size_t n_state = pcm_type_get_info(contact->info.type)->n_state;
        contact->values = calloc(n_state + 1, sizeof *contact->values);
        if (!contact->values)
            break;
        if (n_state)
            memcpy(contact->values, contact->info.state, n_state * sizeof *contact->values);
    }
    if (!s->contacts || s->n_contacts < count)
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
    return s->contacts && s->n_contacts == count;
}

static void free_contacts(starting *s)
{
    for (size_t i = 0; i < s->n_contacts; i++)
        free(s->contacts[i].values);
    free(s->contacts);
}

static pcm_status try_states(void *user)
{
    const starting *s = user;
    pcm_status      status = PCM_OK;
    for (size_t i = 0; status == PCM_OK && i < s->n_contacts; i++)
        status = pcm_world_try_state(pcm_mujoco_world(s->r->host), s->contacts[i].info.handle, s->contacts[i].values);
    return status;
}

/* Commits twice at the same time: the first commit creates the contacts, the second sets their states. */
static bool settle(starting *s)
{
    const pcm_mujoco_solver solver = {.size = sizeof solver, .user = s, .before = try_states};
    pcm_mujoco_use_solver(s->r->host, &solver);
    const bool done = pcm_mujoco_forward(s->r->host) == PCM_OK && pcm_mujoco_commit(s->r->host) == PCM_OK;
    pcm_mujoco_use_solver(s->r->host, NULL);
    return done;
}

bool run_start_contacts(run *r)
{
    if (!r->options->states)
        return true;
    csv_reader reader;
    bool       done = csv_open(&reader, r->options->states);
    if (done) {
        starting s = {
            .r = r, .reader = &reader, .column_a = csv_find(&reader, "a"), .column_b = csv_find(&reader, "b")};
        done = settle(&s) && list_contacts(&s) && read_rows(&s) && settle(&s);
        free_contacts(&s);
    }
    csv_close(&reader);
    return done;
}

/* SPDX-License-Identifier: MIT */
/* history.c - the history of contacts, stored with the atoms. An atom that moves within the rank's arrays keeps its
 * place in the pool; one that arrives gets a new place at the end. The pool is rebuilt when contacts write their
 * history back. */
#include "host.h"

#include <stdlib.h>
#include <string.h>

bool pcm_lammps_history_grow(pcm_lammps_history *history, size_t n_atoms)
{
    if (n_atoms <= history->n_atoms)
        return true;
    int *count = realloc(history->count, n_atoms * sizeof *count);
    history->count = count ? count : history->count;
    size_t *first = realloc(history->first, n_atoms * sizeof *first);
    history->first = first ? first : history->first;
    int *known = realloc(history->known, n_atoms * sizeof *known);
    history->known = known ? known : history->known;
    uint8_t *committed = realloc(history->committed, n_atoms);
    history->committed = committed ? committed : history->committed;
    if (!count || !first || !known || !committed)
        return false;
    for (size_t i = history->n_atoms; i < n_atoms; i++) {
        count[i] = 0;
        first[i] = 0;
        known[i] = 0;
        committed[i] = 0;
    }
    history->n_atoms = n_atoms;
    return true;
}

static void forget_identities(pcm_lammps_history *history)
{
    for (size_t i = 0; i < history->n_laws; i++)
        free(history->identity[i]);
    free(history->identity);
    history->identity = NULL;
    history->n_laws = 0;
}

void pcm_lammps_history_close(pcm_lammps_history *history)
{
    free(history->count);
    free(history->first);
    free(history->known);
    free(history->committed);
    free(history->pool);
    forget_identities(history);
    *history = (pcm_lammps_history){.width = history->width};
}

bool pcm_lammps_history_reserve(pcm_lammps_history *history, size_t records)
{
    if (records <= history->capacity)
        return true;
    const size_t capacity = records + records / 8;
    double      *pool = realloc(history->pool, capacity * pcm_lammps_record_size(history) * sizeof *pool);
    if (!pool)
        return false;
    history->pool = pool;
    history->capacity = capacity;
    return true;
}

/* A message has the number of records, the atom's standing (pcm_lammps_history_standing), and the records. */
enum { COUNT, STANDING, HEAD };

double pcm_lammps_history_standing(const pcm_lammps_history *history, size_t atom)
{
    return 2.0 * history->known[atom] + history->committed[atom];
}

void pcm_lammps_history_stand(pcm_lammps_history *history, size_t atom, double standing)
{
    const int64_t bits = (int64_t)standing;
    history->known[atom] = (int)(bits >> 1);
    history->committed[atom] = bits & 1;
}

size_t pcm_lammps_history_size(const pcm_lammps_history *history, size_t atom)
{
    return HEAD + (size_t)history->count[atom] * pcm_lammps_record_size(history);
}

size_t pcm_lammps_history_pack(const pcm_lammps_history *history, size_t atom, double *numbers)
{
    const size_t size = pcm_lammps_history_size(history, atom);
    numbers[COUNT] = history->count[atom];
    numbers[STANDING] = pcm_lammps_history_standing(history, atom);
    if (size > HEAD)
        memcpy(numbers + HEAD, pcm_lammps_record(history, atom, 0), (size - HEAD) * sizeof *numbers);
    return size;
}

bool pcm_lammps_history_unpack(pcm_lammps_history *history, size_t atom, const double *numbers, size_t *n_read)
{
    const size_t count = (size_t)numbers[COUNT];
    if (!pcm_lammps_history_reserve(history, history->used + count))
        return false;
    history->count[atom] = (int)count;
    history->first[atom] = history->used;
    pcm_lammps_history_stand(history, atom, numbers[STANDING]);
    history->used += count;
    *n_read = pcm_lammps_history_size(history, atom);
    if (count > 0)
        memcpy(pcm_lammps_record(history, atom, 0), numbers + HEAD, (*n_read - HEAD) * sizeof *numbers);
    return true;
}

/* ---- Laws that change their numbers between runs ----------------------------------------------------------------- */

bool pcm_lammps_history_name_law(pcm_lammps_history *history, const char *identity)
{
    char **grown = realloc(history->identity, (history->n_laws + 1) * sizeof *grown);
    if (!grown)
        return false;
    history->identity = grown;
    grown[history->n_laws] = malloc(strlen(identity) + 1);
    if (!grown[history->n_laws])
        return false;
    memcpy(grown[history->n_laws++], identity, strlen(identity) + 1);
    return true;
}

static size_t find_law(const pcm_lammps_laws *laws, const char *identity)
{
    size_t i = 0;
    while (i < laws->n_laws && strcmp(laws->law[i].identity, identity) != 0)
        i++;
    return i;
}

static bool is_current(const pcm_lammps_history *history, const pcm_lammps_laws *laws, uint32_t width)
{
    bool same = history->width == width && history->n_laws == laws->n_laws;
    for (size_t i = 0; same && i < laws->n_laws; i++)
        same = strcmp(history->identity[i], laws->law[i].identity) == 0;
    return same;
}

/* Rewrites the records with the laws' width and indices. Returns the first law that no longer exists, or NULL. */
static const char *move_records(const pcm_lammps_history *history, const pcm_lammps_laws *laws, uint32_t width,
                                double *pool)
{
    const size_t old_size = pcm_lammps_record_size(history), new_size = PCM_LAMMPS_RECORD + width;
    const size_t common = old_size < new_size ? old_size : new_size;
    for (size_t i = 0; i < history->used; i++) {
        const double  *from = history->pool + i * old_size;
        pcm_lammps_key key = pcm_lammps_key_of(from);
        const char    *identity = history->identity[key.law];
        const size_t   law = find_law(laws, identity);
        if (law == laws->n_laws)
            return identity;
        memset(pool + i * new_size, 0, new_size * sizeof *pool);
        memcpy(pool + i * new_size, from, common * sizeof *pool);
        key.law = (uint16_t)law;
        pool[i * new_size + PCM_LAMMPS_KEY] = pcm_lammps_key_number(key);
    }
    return NULL;
}

bool pcm_lammps_history_adopt(pcm_lammps_history *history, pcm_lammps_laws *laws, uint32_t width)
{
    if (is_current(history, laws, width))
        return true;
    double *pool = calloc(history->used + 1, (PCM_LAMMPS_RECORD + width) * sizeof *pool);
    if (!pool)
        return pcm_lammps_fail(laws, "no memory is left");
    const char *lost = move_records(history, laws, width, pool);
    if (lost) {
        free(pool);
        return pcm_lammps_fail(laws,
                               "contacts remember the law \"%s\", which no two atom types have any more: give it back "
                               "its name, law and states, or write `history new` behind the file in pair_style pcm to "
                               "have all contacts begin anew",
                               lost);
    }
    free(history->pool);
    history->pool = pool;
    history->capacity = history->used + 1;
    history->width = width;
    forget_identities(history);
    for (size_t i = 0; i < laws->n_laws; i++)
        if (!pcm_lammps_history_name_law(history, laws->law[i].identity))
            return pcm_lammps_fail(laws, "no memory is left");
    return true;
}

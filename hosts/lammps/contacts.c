/* SPDX-License-Identifier: MIT */
/* contacts.c - pairs of atoms from one neighbour list to the next: taken with what the atoms remember, and given back.
 */
#include "host.h"
#include "step.h"

#include <stdlib.h>
#include <string.h>

enum { NEIGHBOUR_MASK = 0x3FFFFFFF }; /* LAMMPS keeps kinds of bonds in the upper two bits */

/* Room for `wanted` elements of `size` bytes; what was there stays. */
static bool reserve(void *array, size_t *capacity, size_t wanted, size_t size)
{
    if (wanted <= *capacity)
        return true;
    const size_t more = wanted + wanted / 8;
    void        *grown = realloc(*(void **)array, more * size);
    if (!grown)
        return false;
    *(void **)array = grown;
    *capacity = more;
    return true;
}

void pcm_lammps_contacts_close(pcm_lammps_contacts *contacts)
{
    free(contacts->pairing);
    free(contacts->memory);
    free(contacts->row);
    pcm_lammps_scratch_free(contacts->scratch);
    *contacts = (pcm_lammps_contacts){.laws = contacts->laws, .history = contacts->history};
}

size_t pcm_lammps_contacts_bytes(const pcm_lammps_contacts *contacts)
{
    const pcm_lammps_history *history = contacts->history;
    return contacts->capacity * sizeof *contacts->pairing + contacts->memory_capacity * sizeof *contacts->memory +
           contacts->row_capacity * sizeof *contacts->row +
           history->capacity * pcm_lammps_record_size(history) * sizeof *history->pool +
           history->n_atoms * (sizeof *history->count + sizeof *history->first + sizeof *history->committed);
}

bool pcm_lammps_contacts_reserve(pcm_lammps_contacts *contacts, size_t pairings, size_t n_local)
{
    return reserve(&contacts->pairing, &contacts->capacity, pairings, sizeof *contacts->pairing) &&
           reserve(&contacts->memory, &contacts->memory_capacity, pairings * contacts->width + 1,
                   sizeof *contacts->memory) &&
           reserve(&contacts->row, &contacts->row_capacity, 2 * n_local + 1, sizeof *contacts->row);
}

/* ---- Build ----------------------------------------------------------------------------------------------------- */

static size_t count_neighbours(const pcm_lammps_list *list)
{
    size_t count = 0;
    for (int i = 0; i < list->n; i++)
        count += (size_t)list->count[list->atom[i]];
    return count;
}

/* Whether two atoms can come within a law's separation while the list is used. */
static bool within_reach(const pcm_lammps_atoms *atoms, int a, int b, double reach)
{
    const double *p = atoms->x + 3 * (size_t)a, *q = atoms->x + 3 * (size_t)b;
    const double  x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2], far = atoms->radius[a] + atoms->radius[b] + reach;
    return x * x + y * y + z * z < far * far;
}

/* What an atom remembers of a partner under a law; NULL: nothing. */
static const double *find_record(const pcm_lammps_history *history, int atom, int partner, size_t law)
{
    for (int i = 0; i < history->count[atom]; i++) {
        const double        *record = pcm_lammps_record(history, (size_t)atom, i);
        const pcm_lammps_key key = pcm_lammps_key_of(record);
        if (key.partner == partner && key.law == law)
            return record;
    }
    return NULL;
}

static void add_pairing(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, int a, int b, size_t at)
{
    const pcm_lammps_laws *laws = contacts->laws;
    const uint32_t         width = contacts->width;
    const int8_t           order = laws->order[at];
    const size_t           law = (size_t)laws->of_pair[at] - 1;
    const bool             base_is_a = order != 0 ? order > 0 : atoms->tag[a] < atoms->tag[b];
    const double          *record = find_record(contacts->history, a, atoms->tag[b], law);
    double                *memory = contacts->memory + contacts->count * width;
    contacts->pairing[contacts->count++] = (pcm_lammps_pairing){
        .base = base_is_a ? a : b,
        .follower = base_is_a ? b : a,
        .law = (uint16_t)law,
        .life = record ? pcm_lammps_key_of(record).life : (uint8_t)PCM_LAMMPS_NONE,
        .fresh = !contacts->history->committed[a] && !contacts->history->committed[b],
    };
    if (record)
        memcpy(memory, record + PCM_LAMMPS_RECORD, width * sizeof *memory);
}

bool pcm_lammps_contacts_build(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms,
                               const pcm_lammps_list *list, double skin)
{
    pcm_lammps_laws *laws = contacts->laws;
    const size_t     most = count_neighbours(list), n_local = (size_t)atoms->n_local;
    contacts->count = 0;
    contacts->width = contacts->history->width;
    if (!pcm_lammps_contacts_reserve(contacts, most, n_local))
        return pcm_lammps_fail(laws, "no memory is left for %zu pairs of neighbours", most);
    memset(contacts->row, 0, 2 * n_local * sizeof *contacts->row);
    for (int i = 0; i < list->n; i++) {
        const int a = list->atom[i], *neighbours = list->neighbours[a];
        contacts->row[2 * a] = contacts->count;
        for (int k = 0; k < list->count[a]; k++) {
            const int    b = neighbours[k] & NEIGHBOUR_MASK;
            const size_t at = pcm_lammps_pair_index(laws, atoms->type[a], atoms->type[b]);
            if (within_reach(atoms, a, b, laws->law[laws->of_pair[at] - 1].separation + skin))
                add_pairing(contacts, atoms, a, b, at);
        }
        contacts->row[2 * a + 1] = contacts->count;
    }
    contacts->kept = true;
    contacts->stepped = false;
    return true;
}

/* ---- Keep ------------------------------------------------------------------------------------------------------ */

static void write_record(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, int owner, int partner, size_t i)
{
    pcm_lammps_history       *history = contacts->history;
    const pcm_lammps_pairing *pairing = &contacts->pairing[i];
    if (owner >= atoms->n_local)
        return;
    double   *record = pcm_lammps_record(history, (size_t)owner, history->count[owner]++);
    const int with = partner >= PCM_LAMMPS_FACE ? partner - PCM_LAMMPS_FACE : atoms->tag[partner];
    record[PCM_LAMMPS_KEY] = pcm_lammps_key_number((pcm_lammps_key){with, pairing->law, pairing->life});
    memcpy(record + PCM_LAMMPS_RECORD, contacts->memory + i * history->width, history->width * sizeof *record);
}

/* Gives every atom of the rank its place in the pool; returns how many records there are. */
static size_t place_records(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms)
{
    pcm_lammps_history *history = contacts->history;
    const int           n_local = atoms->n_local;
    for (int i = 0; i < n_local; i++)
        history->count[i] = 0;
    for (size_t i = 0; i < contacts->count; i++) {
        const pcm_lammps_pairing *pairing = &contacts->pairing[i];
        if (pairing->life == PCM_LAMMPS_NONE)
            continue;
        if (pairing->base < n_local)
            history->count[pairing->base]++;
        if (pairing->follower < n_local)
            history->count[pairing->follower]++;
    }
    size_t used = 0;
    for (int i = 0; i < n_local; i++) {
        history->first[i] = used;
        used += (size_t)history->count[i];
        history->count[i] = 0;
    }
    return used;
}

bool pcm_lammps_contacts_keep(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms)
{
    pcm_lammps_history *history = contacts->history;
    if (contacts->kept)
        return true;
    history->used = place_records(contacts, atoms);
    if (!pcm_lammps_history_reserve(history, history->used))
        return pcm_lammps_fail(contacts->laws, "no memory is left for %zu contacts", history->used);
    for (size_t i = 0; i < contacts->count; i++) {
        const pcm_lammps_pairing *pairing = &contacts->pairing[i];
        if (pairing->life == PCM_LAMMPS_NONE)
            continue;
        write_record(contacts, atoms, pairing->base, pairing->follower, i);
        write_record(contacts, atoms, pairing->follower, pairing->base, i);
    }
    if (contacts->stepped)
        memset(history->committed, 1, (size_t)atoms->n_local);
    contacts->kept = true;
    return true;
}

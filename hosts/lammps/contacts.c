/* SPDX-License-Identifier: MIT */
/* contacts.c - builds the pairs of atoms for a neighbour list, with the history that the atoms store, and writes the
 * history back before the next list. */
#include "host.h"
#include "step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    NEIGHBOUR_MASK = 0x3FFFFFFF, /* LAMMPS stores the kind of bond in the upper two bits */
    FILL = PCM_LAMMPS_CHUNK - 4  /* the most contacts of a chunk as it is built, so that others can join it later */
};

/* Makes room for `wanted` elements of `size` bytes; the contents stay. */
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

/* The same for the history of contacts, whose columns begin at cache lines: a load of several lanes then needs only one
 * line. */
static bool reserve_memory(pcm_lammps_contacts *contacts, size_t wanted)
{
    const size_t line = 64 / sizeof *contacts->memory, more = (wanted + wanted / 8) / line * line + line;
    if (wanted <= contacts->memory_capacity)
        return true;
    double *grown = aligned_alloc(64, more * sizeof *grown);
    if (!grown)
        return false;
    if (contacts->memory_capacity > 0)
        memcpy(grown, contacts->memory, contacts->memory_capacity * sizeof *grown);
    free(contacts->memory);
    contacts->memory = grown;
    contacts->memory_capacity = more;
    return true;
}

void pcm_lammps_contacts_close(pcm_lammps_contacts *contacts)
{
    free(contacts->pairing);
    free(contacts->memory);
    free(contacts->section);
    free(contacts->chunk);
    free(contacts->row);
    free(contacts->by_base);
    free(contacts->held);
    pcm_lammps_scratch_free(contacts->scratch);
    *contacts = (pcm_lammps_contacts){.laws = contacts->laws, .history = contacts->history};
}

size_t pcm_lammps_contacts_bytes(const pcm_lammps_contacts *contacts)
{
    const pcm_lammps_history *history = contacts->history;
    return contacts->capacity * sizeof *contacts->pairing + contacts->memory_capacity * sizeof *contacts->memory +
           contacts->section_capacity * sizeof *contacts->section + contacts->chunk_capacity * sizeof *contacts->chunk +
           contacts->row_capacity * sizeof *contacts->row + contacts->by_base_capacity * sizeof *contacts->by_base +
           contacts->held_capacity * sizeof *contacts->held +
           history->capacity * pcm_lammps_record_size(history) * sizeof *history->pool +
           history->n_atoms *
               (sizeof *history->count + sizeof *history->first + sizeof *history->known + sizeof *history->committed);
}

bool pcm_lammps_contacts_reserve(pcm_lammps_contacts *contacts, size_t pairings, size_t n_atoms)
{
    const size_t chunks = pairings / PCM_LAMMPS_CHUNK + 1, rows = chunks * PCM_LAMMPS_CHUNK;
    return reserve(&contacts->pairing, &contacts->capacity, rows + PCM_LAMMPS_LANES, sizeof *contacts->pairing) &&
           reserve_memory(contacts, rows * contacts->width) &&
           reserve(&contacts->chunk, &contacts->chunk_capacity, chunks, sizeof *contacts->chunk) &&
           reserve(&contacts->row, &contacts->row_capacity, 2 * n_atoms + 1, sizeof *contacts->row);
}

/* ---- Build ------------------------------------------------------------------------------------------------------- */

/* Whether two atoms may come within `reach` of each other while the list is used. */
static bool within_reach(const pcm_lammps_atoms *atoms, int a, int b, double reach)
{
    const double *p = atoms->x + 3 * (size_t)a, *q = atoms->x + 3 * (size_t)b;
    const double  x = q[0] - p[0], y = q[1] - p[1], z = q[2] - p[2], far = atoms->radius[a] + atoms->radius[b] + reach;
    return x * x + y * y + z * z < far * far;
}

/* The record that an atom has of a partner under a law; NULL: none. */
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

static pcm_lammps_chunk *chunk_of(const pcm_lammps_contacts *contacts, size_t row)
{
    return &contacts->chunk[row / PCM_LAMMPS_CHUNK];
}

/* Takes a row of the section's last chunk, or of a new chunk if the last one has `most` contacts. */
static size_t take_row(pcm_lammps_contacts *contacts, pcm_lammps_section *section, int most, int lowest)
{
    if (section->live == section->first || chunk_of(contacts, section->live - 1)->count >= most) {
        *chunk_of(contacts, section->live) = (pcm_lammps_chunk){.lowest = lowest};
        section->live += PCM_LAMMPS_CHUNK;
    }
    return section->live - PCM_LAMMPS_CHUNK + chunk_of(contacts, section->live - 1)->count++;
}

static void add_pairing(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, int a, int b, size_t at)
{
    const pcm_lammps_laws *laws = contacts->laws;
    const int8_t           order = laws->order[at];
    const size_t           law = (size_t)laws->of_pair[at] - 1;
    const int             *known = contacts->history->known;
    pcm_lammps_section    *section = &contacts->section[law];
    const double          *record = find_record(contacts->history, a, known[b], law);
    const pcm_lammps_key   key = record ? pcm_lammps_key_of(record) : (pcm_lammps_key){.life = PCM_LAMMPS_NONE};
    const uint8_t          life = key.life;
    const bool             is_lower = record ? (known[a] < known[b]) != key.turned : atoms->tag[a] < atoms->tag[b];
    const bool             base_is_a = order != 0 ? order > 0 : is_lower;
    const int              lowest = a < b ? a : b;
    const size_t           row = life == PCM_LAMMPS_LIVE ? take_row(contacts, section, FILL, lowest) : --section->apart;
    double                *memory = pcm_lammps_memory(contacts, row);
    contacts->pairing[row] = (pcm_lammps_pairing){
        .base = base_is_a ? a : b,
        .follower = base_is_a ? b : a,
        .law = (uint16_t)law,
        .life = life,
        .fresh = laws->law[law].bonds || (!contacts->history->committed[a] && !contacts->history->committed[b]),
    };
    for (size_t k = 0; life == PCM_LAMMPS_LIVE && k < contacts->width; k++)
        memory[k * PCM_LAMMPS_CHUNK] = record[PCM_LAMMPS_RECORD + k];
}

/* Adds the pairs within reach, or only counts them for each law, in the sections' `end`. */
static void take_pairs(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, const pcm_lammps_list *list,
                       double skin, bool adds)
{
    const pcm_lammps_laws *laws = contacts->laws;
    for (int i = 0; i < list->n; i++) {
        const int a = list->atom[i], *neighbours = list->neighbours[a];
        for (int k = 0; k < list->count[a]; k++) {
            const int    b = neighbours[k] & NEIGHBOUR_MASK;
            const size_t at = pcm_lammps_pair_index(laws, atoms->type[a], atoms->type[b]);
            const size_t law = (size_t)laws->of_pair[at] - 1;
            if (!within_reach(atoms, a, b, laws->law[law].separation + skin))
                continue;
            if (adds)
                add_pairing(contacts, atoms, a, b, at);
            else
                contacts->section[law].end++;
        }
    }
}

/* Gives each law its rows, all free: as many as were counted, in chunks of FILL contacts, and two more chunks. */
static bool lay_sections(pcm_lammps_contacts *contacts, size_t n_atoms)
{
    contacts->count = 0;
    for (size_t law = 0; law < contacts->laws->n_laws; law++) {
        pcm_lammps_section *section = &contacts->section[law];
        section->first = section->live = contacts->count;
        contacts->count += (section->end / FILL + 3) * PCM_LAMMPS_CHUNK;
        section->apart = section->far = section->end = contacts->count;
    }
    if (!pcm_lammps_contacts_reserve(contacts, contacts->count, n_atoms))
        return pcm_lammps_fail(contacts->laws, "no memory is left for %zu pairs of neighbours", contacts->count);
    memset(contacts->pairing, 0, (contacts->count + PCM_LAMMPS_LANES) * sizeof *contacts->pairing);
    return true;
}

bool pcm_lammps_contacts_build(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms,
                               const pcm_lammps_list *list, double skin)
{
    const size_t n_laws = contacts->laws->n_laws;
    contacts->count = 0;
    contacts->width = contacts->history->width;
    if (!reserve(&contacts->section, &contacts->section_capacity, n_laws, sizeof *contacts->section))
        return pcm_lammps_fail(contacts->laws, "no memory is left for %zu laws", n_laws);
    memset(contacts->section, 0, n_laws * sizeof *contacts->section);
    take_pairs(contacts, atoms, list, skin, false);
    if (!lay_sections(contacts, (size_t)atoms->n_all))
        return false;
    if (!reserve(&contacts->held, &contacts->held_capacity, 6 * (size_t)atoms->n_all, sizeof *contacts->held))
        return pcm_lammps_fail(contacts->laws, "no memory is left for %d atoms", atoms->n_all);
    take_pairs(contacts, atoms, list, skin, true);
    for (size_t law = 0; law < n_laws; law++)
        contacts->section[law].built = contacts->section[law].live;
    contacts->skin = skin;
    contacts->clear = contacts->looks = contacts->strayed = contacts->period = 0;
    contacts->widest = INFINITY;
    contacts->divides = true;
    contacts->sorted = false;
    contacts->kept = true;
    contacts->stepped = false;
    return true;
}

/* ---- Moving rows ------------------------------------------------------------------------------------------------- */

/* Moves the last contact of a chunk to a free row; if that is its own row, only removes it. */
static void move_last(pcm_lammps_contacts *contacts, pcm_lammps_chunk *from, size_t to)
{
    const size_t last = (size_t)(from - contacts->chunk) * PCM_LAMMPS_CHUNK + --from->count;
    double      *memory = pcm_lammps_memory(contacts, to), *moved = pcm_lammps_memory(contacts, last);
    contacts->pairing[to] = contacts->pairing[last];
    for (size_t k = 0; last != to && k < contacts->width; k++)
        memory[k * PCM_LAMMPS_CHUNK] = moved[k * PCM_LAMMPS_CHUNK];
    memset(&contacts->pairing[last], 0, sizeof *contacts->pairing);
    from->own = 0;
}

/* Fills all chunks but the last with contacts of later chunks; after that at least two chunks of rows are free. */
static void squeeze(pcm_lammps_contacts *contacts, pcm_lammps_section *section)
{
    for (size_t row = section->first; row < section->live; row += PCM_LAMMPS_CHUNK) {
        pcm_lammps_chunk *to = chunk_of(contacts, row);
        while (to->count < PCM_LAMMPS_CHUNK && row + PCM_LAMMPS_CHUNK < section->live) {
            pcm_lammps_chunk *from = chunk_of(contacts, section->live - 1);
            if (from->count == 0) {
                section->live -= PCM_LAMMPS_CHUNK;
                continue;
            }
            move_last(contacts, from, row + to->count++);
            to->begins = to->begins || from->begins;
            to->ended = to->ended || from->ended;
            to->own = 0;
        }
    }
    section->built = section->built < section->live ? section->built : section->live;
}

/* The chunk that was built with contacts of atoms close to the given one. */
static size_t find_chunk(const pcm_lammps_contacts *contacts, const pcm_lammps_section *section, int32_t atom)
{
    size_t low = section->first / PCM_LAMMPS_CHUNK, high = section->built / PCM_LAMMPS_CHUNK;
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (contacts->chunk[middle].lowest <= atom)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* A row for a new contact: in the chunk of its neighbours if that has room, else in the chunks after those that were
 * built. */
static size_t find_room(pcm_lammps_contacts *contacts, pcm_lammps_section *section, int32_t lowest)
{
    if (section->built > section->first) {
        const size_t      at = find_chunk(contacts, section, lowest);
        pcm_lammps_chunk *chunk = &contacts->chunk[at];
        if (chunk->count < PCM_LAMMPS_CHUNK)
            return at * PCM_LAMMPS_CHUNK + chunk->count++;
    }
    if (section->apart - section->live < PCM_LAMMPS_CHUNK)
        squeeze(contacts, section);
    return take_row(contacts, section, PCM_LAMMPS_CHUNK, lowest);
}

void pcm_lammps_contacts_join(pcm_lammps_contacts *contacts, pcm_lammps_section *section, size_t row)
{
    const pcm_lammps_pairing joins = contacts->pairing[row];
    contacts->pairing[row] = contacts->pairing[section->apart];
    memset(&contacts->pairing[section->apart++], 0, sizeof joins);
    const size_t to = find_room(contacts, section, joins.base < joins.follower ? joins.base : joins.follower);
    contacts->pairing[to] = joins;
    chunk_of(contacts, to)->begins = true;
    chunk_of(contacts, to)->own = 0;
    contacts->sorted = false;
}

/* Moves a contact that has ended to the pairs that are apart; the last contact of its chunk takes its row. */
static void part(pcm_lammps_contacts *contacts, pcm_lammps_section *section, size_t row)
{
    const pcm_lammps_pairing parts = contacts->pairing[row];
    move_last(contacts, chunk_of(contacts, row), row);
    contacts->pairing[--section->apart] = parts;
    contacts->sorted = false;
}

void pcm_lammps_contacts_part(pcm_lammps_contacts *contacts, pcm_lammps_section *section)
{
    for (size_t row = section->live; row > section->first; row -= PCM_LAMMPS_CHUNK) {
        if (!chunk_of(contacts, row - 1)->ended)
            continue;
        if (section->apart - section->live < PCM_LAMMPS_CHUNK) {
            squeeze(contacts, section);
            row = row < section->live ? row : section->live;
        }
        pcm_lammps_chunk *chunk = chunk_of(contacts, row - 1);
        for (size_t i = chunk->count; i-- > 0;)
            if (contacts->pairing[row - PCM_LAMMPS_CHUNK + i].life != PCM_LAMMPS_LIVE)
                part(contacts, section, row - PCM_LAMMPS_CHUNK + i);
        chunk->ended = false;
    }
}

bool pcm_lammps_contacts_sort(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms)
{
    const size_t n = (size_t)atoms->n_all;
    size_t      *row = contacts->row, begin = 0;
    if (contacts->sorted)
        return true;
    if (!reserve(&contacts->by_base, &contacts->by_base_capacity, contacts->count, sizeof *contacts->by_base))
        return pcm_lammps_fail(contacts->laws, "no memory is left for %zu pairs of neighbours", contacts->count);
    memset(row, 0, 2 * n * sizeof *row);
    for (size_t i = 0; i < contacts->count; i++)
        row[2 * contacts->pairing[i].base + 1]++;
    for (size_t atom = 0; atom < n; atom++) {
        row[2 * atom] = begin;
        begin += row[2 * atom + 1];
        row[2 * atom + 1] = row[2 * atom];
    }
    for (size_t i = 0; i < contacts->count; i++)
        contacts->by_base[row[2 * contacts->pairing[i].base + 1]++] = (uint32_t)i;
    contacts->sorted = true;
    return true;
}

/* ---- Writing the history back ------------------------------------------------------------------------------------ */

static void write_record(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms, int owner, int partner, size_t i)
{
    pcm_lammps_history       *history = contacts->history;
    const pcm_lammps_pairing *pairing = &contacts->pairing[i];
    if (owner >= atoms->n_local)
        return;
    double        *record = pcm_lammps_record(history, (size_t)owner, history->count[owner]++);
    const bool     on_wall = partner >= PCM_LAMMPS_FACE;
    pcm_lammps_key key = {on_wall ? partner - PCM_LAMMPS_FACE : atoms->tag[partner], pairing->law, pairing->life,
                          false};
    const double  *memory = pcm_lammps_memory(contacts, i);
    key.turned = !on_wall && atoms->tag[pairing->base] > atoms->tag[pairing->follower];
    record[PCM_LAMMPS_KEY] = pcm_lammps_key_number(key);
    for (size_t k = 0; k < history->width; k++)
        record[PCM_LAMMPS_RECORD + k] = pairing->life == PCM_LAMMPS_LIVE ? memory[k * PCM_LAMMPS_CHUNK] : 0;
}

/* Gives every atom of the rank its place in the pool; returns the number of records. */
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

/* The number of live contacts that an atom has on record with a partner under a law. */
static int count_records(const pcm_lammps_history *history, int atom, int partner, uint16_t law)
{
    int n = 0;
    for (int k = 0; k < history->count[atom]; k++) {
        const pcm_lammps_key key = pcm_lammps_key_of(pcm_lammps_record(history, (size_t)atom, k));
        n += key.partner == partner && key.law == law && key.life == PCM_LAMMPS_LIVE;
    }
    return n;
}

/* Contacts with two images of the same atom have the same ID, so their records cannot be told apart: an error. Contacts
 * that merely touch, as in a layer as thick as a sphere, have nothing to store and are allowed. */
static bool find_twins(pcm_lammps_contacts *contacts, const pcm_lammps_atoms *atoms)
{
    for (size_t i = 0; i < contacts->count; i++) {
        const pcm_lammps_pairing *pairing = &contacts->pairing[i];
        const pcm_lammps_law     *law = &contacts->laws->law[pairing->law];
        const int                 base = pairing->base, follower = pairing->follower;
        const double              slight = 1e-9 * (atoms->radius[base] + atoms->radius[follower]);
        if (pairing->life != PCM_LAMMPS_LIVE || (law->n_state == 0 && !law->carries) ||
            !within_reach(atoms, base, follower, law->separation - slight))
            continue;
        const int owner = base < atoms->n_local ? base : follower, partner = owner == base ? follower : base;
        if (count_records(contacts->history, owner, atoms->tag[partner], pairing->law) > 1)
            return pcm_lammps_fail(contacts->laws,
                                   "atoms %d and %d touch across two sides of the periodic box, and which contact "
                                   "remembers what cannot be told: make the box longer than two diameters",
                                   atoms->tag[owner], atoms->tag[partner]);
    }
    return true;
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
    for (int i = 0; i < atoms->n_local; i++)
        history->known[i] = atoms->tag[i];
    contacts->kept = true;
    return !contacts->narrow || find_twins(contacts, atoms);
}

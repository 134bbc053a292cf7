/* SPDX-License-Identifier: MIT */
/* wall.c - planes, boxes, cylinders and surfaces of triangles that spheres touch, and their motion. Contacts are found
 * in the wall's own axes, as it was at its start. */
#include "step.h"
#include "surface.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tau = 6.283185307179586;

/* ---- Reading the script's words ---------------------------------------------------------------------------------- */

typedef struct words {
    int                n, next;
    const char *const *word;
    bool               good; /* all words so far that should be numbers are numbers */
} words;

static bool is_next(words *w, const char *keyword)
{
    const bool is = w->next < w->n && strcmp(w->word[w->next], keyword) == 0;
    w->next += is;
    return is;
}

static double number(words *w)
{
    double value = NAN;
    if (!w->good) /* the first wrong word stays the last one read */
        return value;
    const char  *text = w->next < w->n ? w->word[w->next++] : "";
    const size_t length = strlen(text);
    w->good = w->good && length > 0 && pcm_number_read(text, length, &value) == length && isfinite(value);
    return value;
}

static void vector(words *w, double v[3])
{
    for (int k = 0; k < 3; k++)
        v[k] = number(w);
}

static void make_unit(words *w, double v[3])
{
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    w->good = w->good && length > 0;
    for (int k = 0; k < 3; k++)
        v[k] /= length;
}

static void read_side(words *w, pcm_lammps_wall *wall)
{
    wall->inside = is_next(w, "inside");
    w->good = w->good && (wall->inside || is_next(w, "outside"));
}

static void read_box(words *w, pcm_lammps_wall *wall)
{
    for (int k = 0; k < 3; k++) {
        wall->low[k] = number(w);
        wall->high[k] = number(w);
        w->good = w->good && wall->low[k] < wall->high[k];
    }
    read_side(w, wall);
}

static void read_cylinder(words *w, pcm_lammps_wall *wall)
{
    static const char *const axes[] = {"x", "y", "z"};
    wall->axis = 0;
    while (wall->axis < 3 && !is_next(w, axes[wall->axis]))
        wall->axis++;
    w->good = w->good && wall->axis < 3;
    for (int k = 0; w->good && k < 3; k++)
        if (k != wall->axis)
            wall->at[k] = number(w);
    wall->radius = number(w);
    w->good = w->good && wall->radius > 0;
    read_side(w, wall);
}

/* Reads an STL file; the reason goes to error where the file is invalid. */
static void read_stl(words *w, pcm_lammps_wall *wall, char *error, size_t size)
{
    const char  *path = w->next < w->n ? w->word[w->next++] : "";
    const double scale = is_next(w, "scale") ? number(w) : 1;
    w->good = w->good && path[0] != '\0' && scale > 0;
    if (w->good)
        wall->surface = pcm_lammps_surface_open(path, scale, error, size);
    w->good = wall->surface;
}

static bool read_shape(words *w, pcm_lammps_wall *wall, char *error, size_t size)
{
    if (is_next(w, "plane")) {
        wall->shape = PCM_LAMMPS_PLANE;
        vector(w, wall->at);
        vector(w, wall->normal);
        make_unit(w, wall->normal);
    } else if (is_next(w, "box")) {
        wall->shape = PCM_LAMMPS_BOX;
        read_box(w, wall);
    } else if (is_next(w, "cylinder")) {
        wall->shape = PCM_LAMMPS_CYLINDER;
        read_cylinder(w, wall);
    } else if (is_next(w, "stl")) {
        wall->shape = PCM_LAMMPS_STL;
        read_stl(w, wall, error, size);
    } else {
        return false;
    }
    return w->good;
}

static void read_amount(words *w, pcm_lammps_wall *wall)
{
    const char *name = w->next < w->n ? w->word[w->next++] : "";
    w->good = wall->n_given < PCM_LAMMPS_AMOUNTS && strlen(name) < sizeof wall->given[0].name;
    if (!w->good)
        return;
    pcm_lammps_given *given = &wall->given[wall->n_given++];
    (void)snprintf(given->name, sizeof given->name, "%s", name);
    given->value = number(w);
}

static bool read_motion(words *w, pcm_lammps_wall *wall)
{
    if (is_next(w, "velocity")) {
        vector(w, wall->velocity);
    } else if (is_next(w, "shear")) {
        vector(w, wall->shear);
    } else if (is_next(w, "wiggle")) {
        vector(w, wall->amplitude);
        wall->period = number(w);
        w->good = w->good && wall->period > 0;
    } else if (is_next(w, "rotate")) {
        vector(w, wall->pivot);
        vector(w, wall->turns);
        make_unit(w, wall->turns);
        wall->rate = number(w);
    } else if (is_next(w, "amount")) {
        read_amount(w, wall);
    } else {
        return false;
    }
    return w->good;
}

bool pcm_lammps_wall_read(pcm_lammps_wall *wall, int n_words, const char *const *word, char *error, size_t size)
{
    words w = {n_words, 0, word, true};
    error[0] = '\0';
    bool good = read_shape(&w, wall, error, size);
    while (good && w.next < w.n)
        good = read_motion(&w, wall);
    if (!good && error[0] == '\0')
        (void)snprintf(error, size,
                       "write fix ID GROUP wall/pcm NAME[:SURFACE] plane X Y Z NX NY NZ | box XLO XHI YLO YHI ZLO ZHI "
                       "inside|outside | cylinder x|y|z C1 C2 R inside|outside | stl FILE [scale S], then any of "
                       "velocity VX VY VZ, shear VX "
                       "VY VZ, wiggle AX AY AZ PERIOD, rotate PX PY PZ AX AY AZ RATE, amount NAME VALUE; the error is "
                       "near `%s`",
                       w.next > 0 && w.next <= n_words ? word[w.next - 1]
                       : n_words > 0                   ? word[0]
                                                       : "");
    return good;
}

void pcm_lammps_wall_close(pcm_lammps_wall *wall)
{
    pcm_lammps_contacts_close(&wall->contacts);
    pcm_lammps_contacts_close(&wall->found);
    pcm_lammps_surface_free(wall->surface);
    wall->surface = NULL;
    free(wall->place);
    wall->place = NULL;
    wall->place_capacity = 0;
}

uint64_t pcm_lammps_wall_print(const pcm_lammps_wall *wall, uint64_t print)
{
    return wall->surface ? pcm_lammps_surface_print(wall->surface, print) : print;
}

/* ---- The wall's pose --------------------------------------------------------------------------------------------- */

static void turn_matrix(const double axis[3], double angle, double turn[3][3])
{
    const double s = sin(angle), c = 2 * sin(angle / 2) * sin(angle / 2); /* 1 - cos, without loss of digits */
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            turn[i][j] = (i == j) + c * (axis[i] * axis[j] - (i == j));
    for (int i = 0; i < 3; i++) {
        turn[i][(i + 1) % 3] -= s * axis[(i + 2) % 3];
        turn[i][(i + 2) % 3] += s * axis[(i + 1) % 3];
    }
}

static pcm_lammps_pose pose_at(const pcm_lammps_wall *wall, double time)
{
    const double    t = time - wall->start, phase = wall->period > 0 ? tau * t / wall->period : 0;
    pcm_lammps_pose pose;
    turn_matrix(wall->turns, wall->rate * t, pose.turn);
    for (int k = 0; k < 3; k++) {
        const double swing = wall->period > 0 ? wall->amplitude[k] * tau / wall->period * sin(phase) : 0;
        pose.pivot[k] = wall->pivot[k];
        pose.at[k] = wall->pivot[k] + wall->velocity[k] * t + wall->amplitude[k] * (1 - cos(phase));
        pose.omega[k] = wall->rate * wall->turns[k];
        pose.velocity[k] = wall->velocity[k] + swing + wall->shear[k];
    }
    return pose;
}

/* ---- Faces near a sphere ----------------------------------------------------------------------------------------- */

enum { MOST_FACES = 64 };

/* The vector from the nearest point of a face to the centre. A centre in a face or on its wrong side counts as just
 * above the right side: it is pushed back. */
typedef struct nearby {
    int      n, face[MOST_FACES];
    double   away[MOST_FACES][3];
    uint64_t had;     /* a bit for each row of an earlier face that another face here has taken over */
    bool     crowded; /* there are more faces than there is room for */
} nearby;

/* Adds a face with this unit normal; `height` is that of the centre above it. */
static void take(nearby *faces, int face, double height, const double normal[3], double radius, double reach)
{
    const double h = height > 1e-9 * radius ? height : 1e-9 * radius;
    if (h > radius + reach)
        return;
    faces->face[faces->n] = face;
    for (int k = 0; k < 3; k++)
        faces->away[faces->n][k] = h * normal[k];
    faces->n++;
}

static void near_inside_of_box(const pcm_lammps_wall *wall, const double y[3], double radius, double reach,
                               nearby *faces)
{
    for (int k = 0; k < 3; k++) {
        const double up[3] = {k == 0, k == 1, k == 2}, down[3] = {-up[0], -up[1], -up[2]};
        take(faces, 2 * k, y[k] - wall->low[k], up, radius, reach);
        take(faces, 2 * k + 1, wall->high[k] - y[k], down, radius, reach);
    }
}

/* The face through which a centre within the box leaves it by the shortest way. */
static void leave_box(const pcm_lammps_wall *wall, const double y[3], double radius, double reach, nearby *faces)
{
    double least = INFINITY, normal[3] = {0, 0, 0};
    for (int k = 0; k < 3; k++)
        for (int side = -1; side <= 1; side += 2) {
            const double within = side < 0 ? y[k] - wall->low[k] : wall->high[k] - y[k];
            if (within < least) {
                least = within;
                memset(normal, 0, sizeof normal);
                normal[k] = side;
            }
        }
    take(faces, 0, -least, normal, radius, reach);
}

static void near_outside_of_box(const pcm_lammps_wall *wall, const double y[3], double radius, double reach,
                                nearby *faces)
{
    double away[3], square = 0;
    for (int k = 0; k < 3; k++) {
        away[k] = y[k] < wall->low[k] ? y[k] - wall->low[k] : y[k] > wall->high[k] ? y[k] - wall->high[k] : 0;
        square += away[k] * away[k];
    }
    if (square == 0) {
        leave_box(wall, y, radius, reach, faces);
        return;
    }
    const double height = sqrt(square);
    for (int k = 0; k < 3; k++)
        away[k] /= height;
    take(faces, 0, height, away, radius, reach);
}

static void near_cylinder(const pcm_lammps_wall *wall, const double y[3], double radius, double reach, nearby *faces)
{
    double out[3], square = 0;
    for (int k = 0; k < 3; k++) {
        out[k] = k == wall->axis ? 0 : y[k] - wall->at[k];
        square += out[k] * out[k];
    }
    const double from_axis = sqrt(square), side = wall->inside ? -1 : 1;
    if (from_axis == 0) /* all of the wall is equally near: there is no normal */
        return;
    for (int k = 0; k < 3; k++)
        out[k] *= side / from_axis;
    take(faces, 0, side * (from_axis - wall->radius), out, radius, reach);
}

static void near_surface(const pcm_lammps_wall *wall, const double y[3], double radius, double reach, nearby *faces)
{
    pcm_lammps_spot spot[MOST_FACES + 1];
    const int       n = pcm_lammps_surface_near(wall->surface, y, radius + reach, MOST_FACES + 1, spot);
    faces->crowded = n > MOST_FACES;
    for (int i = 0; i < n && i < MOST_FACES; i++)
        take(faces, spot[i].face, spot[i].height, spot[i].normal, radius, reach);
}

static void find_nearby(const pcm_lammps_wall *wall, const double y[3], double radius, double reach, nearby *faces)
{
    const double *at = wall->at, *n = wall->normal;
    faces->n = 0;
    faces->had = 0;
    faces->crowded = false;
    switch (wall->shape) {
    case PCM_LAMMPS_PLANE:
        take(faces, 0, (y[0] - at[0]) * n[0] + (y[1] - at[1]) * n[1] + (y[2] - at[2]) * n[2], n, radius, reach);
        break;
    case PCM_LAMMPS_BOX:
        (wall->inside ? near_inside_of_box : near_outside_of_box)(wall, y, radius, reach, faces);
        break;
    case PCM_LAMMPS_CYLINDER:
        near_cylinder(wall, y, radius, reach, faces);
        break;
    case PCM_LAMMPS_STL:
        near_surface(wall, y, radius, reach, faces);
        break;
    }
}

/* ---- Contacts ---------------------------------------------------------------------------------------------------- */

static pcm_lammps_pairing make_pairing(const pcm_lammps_wall *wall, const pcm_lammps_atoms *atoms, int atom, int face)
{
    const pcm_lammps_laws *laws = wall->contacts.laws;
    const size_t           at = pcm_lammps_pair_index(laws, wall->number, atoms->type[atom]);
    const size_t           law = (size_t)laws->of_pair[at] - 1;
    const int32_t          side = PCM_LAMMPS_FACE + face;
    return (pcm_lammps_pairing){.base = laws->order[at] > 0 ? side : atom,
                                .follower = laws->order[at] > 0 ? atom : side,
                                .law = (uint16_t)law,
                                .fresh =
                                    laws->law[law].bonds || (!wall->used && !wall->contacts.history->committed[atom])};
}

static int face_of(const pcm_lammps_pairing *pairing)
{
    return (pairing->base >= PCM_LAMMPS_FACE ? pairing->base : pairing->follower) - PCM_LAMMPS_FACE;
}

bool pcm_lammps_wall_build(pcm_lammps_wall *wall, const pcm_lammps_atoms *atoms)
{
    pcm_lammps_contacts      *contacts = &wall->contacts;
    const pcm_lammps_history *history = contacts->history;
    const size_t              n_local = (size_t)atoms->n_local;
    size_t                    records = 0;
    for (size_t i = 0; i < n_local; i++)
        records += (size_t)history->count[i];
    contacts->width = wall->found.width = history->width;
    contacts->count = 0;
    if (!pcm_lammps_contacts_reserve(contacts, records, n_local))
        return pcm_lammps_fail(contacts->laws, "no memory is left for %zu contacts of a wall", records);
    for (size_t i = 0; i < n_local; i++) {
        contacts->row[2 * i] = contacts->count;
        for (int k = 0; k < history->count[i]; k++) {
            const double        *record = pcm_lammps_record(history, i, k);
            const pcm_lammps_key key = pcm_lammps_key_of(record);
            double              *memory = pcm_lammps_memory(contacts, contacts->count);
            contacts->pairing[contacts->count] = make_pairing(wall, atoms, (int)i, key.partner);
            contacts->pairing[contacts->count].law = key.law;
            contacts->pairing[contacts->count++].life = key.life;
            for (size_t l = 0; l < contacts->width; l++)
                memory[l * PCM_LAMMPS_CHUNK] = record[PCM_LAMMPS_RECORD + l];
        }
        contacts->row[2 * i + 1] = contacts->count;
    }
    contacts->kept = true;
    contacts->stepped = false;
    return true;
}

static bool is_near(const nearby *faces, int face)
{
    bool near = false;
    for (int i = 0; i < faces->n; i++)
        near = near || faces->face[i] == face;
    return near;
}

/* The row that the atom had in the last step with this face, or with a face that it has left since and that shares a
 * corner with this one: as a sphere moves over a surface its contact passes from triangle to triangle. The end if there
 * is none. Each row is taken over once. */
static size_t find_row(const pcm_lammps_wall *wall, int atom, const pcm_lammps_pairing *pairing, nearby *faces)
{
    const pcm_lammps_contacts *before = &wall->contacts;
    const size_t               first = before->row[2 * (size_t)atom], end = before->row[2 * (size_t)atom + 1];
    const int                  face = face_of(pairing);
    size_t                     heritage = before->count;
    for (size_t row = first; row < end; row++) {
        const int other = face_of(&before->pairing[row]);
        if (before->pairing[row].law != pairing->law)
            continue;
        if (other == face)
            return row;
        if (wall->surface && row - first < MOST_FACES && !(faces->had >> (row - first) & 1) && !is_near(faces, other) &&
            pcm_lammps_surface_meet(wall->surface, face, other))
            heritage = row;
    }
    if (heritage < before->count)
        faces->had |= UINT64_C(1) << (heritage - first);
    return heritage;
}

static bool room_for(pcm_lammps_wall *wall, size_t n_local)
{
    const size_t wanted = wall->found.count + MOST_FACES;
    if (!pcm_lammps_contacts_reserve(&wall->found, wanted, n_local))
        return false;
    if (wanted <= wall->place_capacity)
        return true;
    const size_t capacity = wanted + wanted / 2;
    double(*place)[6] = realloc(wall->place, capacity * sizeof *place);
    if (!place)
        return false;
    wall->place = place;
    wall->place_capacity = capacity;
    return true;
}

/* Adds a contact at a point that lies `away` from the centre, in the wall's own axes. row: its row in the last step. */
static void add_contact(pcm_lammps_wall *wall, const pcm_lammps_atoms *atoms, const pcm_lammps_pose *pose,
                        const pcm_lammps_pairing *pairing, int atom, size_t row, const double away[3])
{
    double *place = wall->place[wall->found.count], *memory = pcm_lammps_memory(&wall->found, wall->found.count);
    double  arm[3];
    for (int k = 0; k < 3; k++) {
        place[k] = pose->turn[k][0] * away[0] + pose->turn[k][1] * away[1] + pose->turn[k][2] * away[2];
        arm[k] = atoms->x[3 * atom + k] - place[k] - pose->at[k];
    }
    for (int k = 0; k < 3; k++) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        place[3 + k] = pose->velocity[k] + pose->omega[l] * arm[m] - pose->omega[m] * arm[l];
    }
    wall->found.pairing[wall->found.count] = *pairing;
    if (row < wall->contacts.count) {
        const double *before = pcm_lammps_memory(&wall->contacts, row);
        wall->found.pairing[wall->found.count].life = wall->contacts.pairing[row].life;
        for (size_t k = 0; k < wall->found.width; k++)
            memory[k * PCM_LAMMPS_CHUNK] = before[k * PCM_LAMMPS_CHUNK];
    }
    wall->found.count++;
}

/* Whether there is a contact to evaluate, or a broken one that remains broken. */
static bool is_contact(const pcm_lammps_wall *wall, const pcm_lammps_law *law, size_t row, double gap)
{
    const bool live = row < wall->contacts.count && wall->contacts.pairing[row].life == PCM_LAMMPS_LIVE;
    return gap <= (live ? law->separation : law->onset) || (live && law->lingers);
}

/* How far from a sphere there may be a contact. On a surface of triangles a lingering contact ends at this reach:
 * otherwise all triangles would have to be tested. */
static double reach_of(const pcm_lammps_wall *wall, const pcm_lammps_law *law)
{
    if (law->lingers && !wall->surface)
        return INFINITY;
    return law->separation > law->onset ? law->separation : law->onset;
}

static bool find_contacts(pcm_lammps_wall *wall, const pcm_lammps_atoms *atoms, const pcm_lammps_pose *pose, int atom)
{
    const pcm_lammps_law *law = &wall->contacts.laws->law[make_pairing(wall, atoms, atom, 0).law];
    const double          radius = atoms->radius[atom];
    double                from[3], y[3];
    nearby                faces;
    for (int k = 0; k < 3; k++)
        from[k] = atoms->x[3 * atom + k] - pose->at[k];
    for (int k = 0; k < 3; k++)
        y[k] = pose->pivot[k] + pose->turn[0][k] * from[0] + pose->turn[1][k] * from[1] + pose->turn[2][k] * from[2];
    find_nearby(wall, y, radius, reach_of(wall, law), &faces);
    if (faces.crowded)
        return pcm_lammps_fail(wall->contacts.laws,
                               "atom %d touches more than %d triangles of the wall at once: they are too fine for it, "
                               "or fit it all around",
                               atoms->tag[atom], (int)MOST_FACES);
    for (int i = 0; i < faces.n; i++) {
        const double            *away = faces.away[i];
        const double             gap = sqrt(away[0] * away[0] + away[1] * away[1] + away[2] * away[2]) - radius;
        const pcm_lammps_pairing pairing = make_pairing(wall, atoms, atom, faces.face[i]);
        const size_t             row = find_row(wall, atom, &pairing, &faces);
        if (is_contact(wall, law, row, gap))
            add_contact(wall, atoms, pose, &pairing, atom, row, away);
    }
    return true;
}

/* Whether the type has a law: types without a name belong to another pair style. */
static bool has_law(const pcm_lammps_wall *wall, int type)
{
    const pcm_lammps_laws *laws = wall->contacts.laws;
    return laws->of_pair[pcm_lammps_pair_index(laws, wall->number, type)] > 0;
}

static bool find_all(pcm_lammps_wall *wall, const pcm_lammps_atoms *atoms, const pcm_lammps_pose *pose, int group)
{
    wall->found.count = 0;
    wall->found.width = wall->contacts.width;
    for (int i = 0; i < atoms->n_local; i++) {
        if (!room_for(wall, (size_t)atoms->n_local))
            return pcm_lammps_fail(wall->contacts.laws, "no memory is left for contacts of a wall");
        wall->found.row[2 * (size_t)i] = wall->found.count;
        if (atoms->mask[i] & group && has_law(wall, atoms->type[i]) && !find_contacts(wall, atoms, pose, i))
            return false;
        wall->found.row[2 * (size_t)i + 1] = wall->found.count;
    }
    return true;
}

bool pcm_lammps_wall_step(pcm_lammps_wall *wall, const pcm_lammps_atoms *atoms, int group, pcm_lammps_step *step)
{
    const pcm_lammps_pose pose = pose_at(wall, step->time);
    const pcm_lammps_pass pass = {.contacts = &wall->found, .atoms = atoms, .step = step, .wall = wall, .pose = &pose};
    memset(wall->force, 0, sizeof wall->force);
    memset(wall->torque, 0, sizeof wall->torque);
    memset(wall->flow, 0, sizeof wall->flow);
    if (!find_all(wall, atoms, &pose, group) || !pcm_lammps_begin(&wall->found, step))
        return false;
    for (size_t i = 0; i < wall->found.count; i++)
        if (wall->found.pairing[i].life != PCM_LAMMPS_BROKEN && !pcm_lammps_add(&pass, i))
            return false;
    if (!pcm_lammps_finish(&pass))
        return false;
    wall->drive = 0;
    for (size_t k = 0; k < 3; k++)
        wall->drive -= wall->force[k] * pose.velocity[k] + wall->torque[k] * pose.omega[k];
    if (step->advance) {
        const pcm_lammps_contacts before = wall->contacts;
        wall->contacts = wall->found;
        wall->found = before;
        wall->used = true;
    }
    return true;
}

/* SPDX-License-Identifier: MIT */
/* list.c - contacts of laws in mjData.contact, outside MuJoCo's solver.
 *
 * They are listed like MuJoCo's own contacts inside the gap: with exclude = 1, and with the parameters that MuJoCo
 * would mix for the pair. In releases that allow it (pcm_release_adds) they are added during MuJoCo's search, with
 * their true distance. In others MuJoCo gets them with a distance beyond any margin, which keeps them out of the
 * solver, and the distance is corrected after constraints are made. Adhesion actuators pull at listed contacts, whether
 * or not these are in the solver, and so they pull at ours in both cases. */
#include "detection.h"
#include <string.h>

/* ---- Parameters -------------------------------------------------------------------------------------------------- */

static int pair_of(const mjModel *model, int geom_a, int geom_b)
{
    for (int i = 0; i < (int)model->npair; i++)
        if ((model->pair_geom1[i] == geom_a && model->pair_geom2[i] == geom_b) ||
            (model->pair_geom1[i] == geom_b && model->pair_geom2[i] == geom_a))
            return i;
    return -1;
}

static void spread_friction(const double of_geom[3], double friction[5])
{
    const double five[5] = {of_geom[0], of_geom[0], of_geom[1], of_geom[2], of_geom[2]};
    memcpy(friction, five, sizeof five);
}

/* The weight of the first geom's solver parameters. */
static double mix_of(const mjModel *model, int a, int b)
{
    const double first = model->geom_solmix[a], second = model->geom_solmix[b];
    if (first >= mjMINVAL && second >= mjMINVAL)
        return first / (first + second);
    return first >= mjMINVAL ? 1 : second >= mjMINVAL ? 0 : 0.5;
}

static void mix(double of_first, const double *first, const double *second, int count, double *mixed)
{
    for (int i = 0; i < count; i++)
        mixed[i] = of_first * first[i] + (1 - of_first) * second[i];
}

static void parameters_of_one(const mjModel *model, int geom, mjContact *contact)
{
    contact->dim = model->geom_condim[geom];
    memcpy(contact->solref, model->geom_solref + mjNREF * geom, sizeof contact->solref);
    memcpy(contact->solimp, model->geom_solimp + mjNIMP * geom, sizeof contact->solimp);
    spread_friction(model->geom_friction + 3 * geom, contact->friction);
}

static void parameters_of_two(const mjModel *model, int a, int b, mjContact *contact)
{
    const double *ref_a = model->geom_solref + mjNREF * a, *ref_b = model->geom_solref + mjNREF * b;
    const double *rub_a = model->geom_friction + 3 * a, *rub_b = model->geom_friction + 3 * b;
    const double  part = mix_of(model, a, b);
    const double  rub[3] = {fmax(rub_a[0], rub_b[0]), fmax(rub_a[1], rub_b[1]), fmax(rub_a[2], rub_b[2])};
    contact->dim = model->geom_condim[a] > model->geom_condim[b] ? model->geom_condim[a] : model->geom_condim[b];
    spread_friction(rub, contact->friction);
    mix(part, model->geom_solimp + mjNIMP * a, model->geom_solimp + mjNIMP * b, mjNIMP, contact->solimp);
    if (ref_a[0] > 0 && ref_b[0] > 0)
        mix(part, ref_a, ref_b, mjNREF, contact->solref);
    else
        for (int i = 0; i < mjNREF; i++)
            contact->solref[i] = fmin(ref_a[i], ref_b[i]);
}

static void parameters_of_pair(const mjModel *model, int pair, mjContact *contact)
{
    contact->dim = model->pair_dim[pair];
    memcpy(contact->solref, model->pair_solref + mjNREF * pair, sizeof contact->solref);
    memcpy(contact->solimp, model->pair_solimp + mjNIMP * pair, sizeof contact->solimp);
    memcpy(contact->friction, model->pair_friction + 5 * pair, sizeof contact->friction);
    pcm_release_friction_ref(model, pair, contact);
}

/* The members that all contacts of two geoms share; margin: the margin of MuJoCo's search. */
static mjContact contact_of(const mjModel *model, int geom_a, int geom_b, double margin)
{
    mjContact contact = {.efc_address = -1, .exclude = 1, .geom1 = geom_a, .geom2 = geom_b};
    const int pair = pair_of(model, geom_a, geom_b);
    const int order = model->geom_priority[geom_a] - model->geom_priority[geom_b];
    if (pair >= 0)
        parameters_of_pair(model, pair, &contact);
    else if (order)
        parameters_of_one(model, order > 0 ? geom_a : geom_b, &contact);
    else
        parameters_of_two(model, geom_a, geom_b, &contact);
    const double gap = pair >= 0 ? model->pair_gap[pair] : pcm_release_gap(model, geom_a, geom_b);
    contact.includemargin = margin - gap;
    if (model->opt.enableflags & mjENBL_OVERRIDE) {
        memcpy(contact.solref, model->opt.o_solref, sizeof contact.solref);
        memcpy(contact.solimp, model->opt.o_solimp, sizeof contact.solimp);
        pcm_release_override(model, &contact);
    }
    for (int i = 0; i < 5; i++)
        contact.friction[i] = fmax(contact.friction[i], mjMINMU);
    pcm_release_geoms(&contact);
    return contact;
}

/* ---- Listing ----------------------------------------------------------------------------------------------------- */

/* m, added to distances: a power of two, so that they lose at most 2^-33 m. */
#define BEYOND 1048576.0

static int give(pcm_found *contacts, const pcm_found *found, int count)
{
    for (int i = 0; i < count; i++) {
        contacts[i] = found[i];
        contacts[i].dist += BEYOND;
    }
    return count;
}

/* Adds the contacts to MuJoCo's list, so that none is left for MuJoCo to add. */
static int add(const mjModel *model, mjData *data, const pcm_found *found, int count, mjContact *contact)
{
    for (int i = 0; i < count; i++) {
        contact->dist = found[i].dist;
        memcpy(contact->pos, found[i].pos, sizeof contact->pos);
        pcm_frame_along(pcm_found_normal(&found[i]), pcm_found_tangent(&found[i]), contact->frame);
        mj_addContact(model, data, contact);
    }
    return 0;
}

int pcm_list_pair(pcm_mujoco *host, pcm_collision_data *data, pcm_found *contacts, int geom_a, int geom_b,
                  double margin)
{
    const mjModel *model = host->model;
    const uint32_t pair = *pcm_pair_of(host, geom_a, geom_b) - 1;
    if ((!host->detection->lists && !pcm_sleep_wakes(host, data, geom_a, geom_b)) ||
        !pcm_release_has_room(model, data, data->ncon + 1))
        return 0;
    pcm_found found[mjMAXCONPAIR];
    int       listed = pcm_found_list(host, data, pair, geom_a, geom_b, found);
    const int room = pcm_release_pair_room(model, geom_a, geom_b);
    listed = listed < room ? listed : room;
    while (listed > 0 && !pcm_release_has_room(model, data, data->ncon + listed))
        listed--;
    if (!pcm_release_adds(data))
        return give(contacts, found, listed);
    if (listed == 0)
        return 0;
    mjContact contact = contact_of(model, geom_a, geom_b, margin);
    return add(model, (mjData *)data, found, listed, &contact);
}

void pcm_list_settle(mjData *data)
{
    for (int i = 0; i < data->ncon && !pcm_release_adds(data); i++)
        if (data->contact[i].exclude == 1 && data->contact[i].dist > 0.5 * BEYOND)
            data->contact[i].dist -= BEYOND;
}

/* Completes a frame as MuJoCo does. */
void pcm_frame_along(const double normal[3], const double tangent[3], double frame[9])
{
    mju_copy3(frame, normal);
    mju_copy3(frame + 3, tangent);
    if (pcm_dot(tangent, tangent) < 0.25) {
        const bool along_y = fabs(normal[1]) >= 0.5;
        mju_zero3(frame + 3);
        frame[along_y ? 5 : 4] = 1;
    }
    mju_addToScl3(frame + 3, frame, -pcm_dot(frame, frame + 3));
    mju_normalize3(frame + 3);
    mju_cross(frame + 6, frame, frame + 3);
}

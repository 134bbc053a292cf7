/* SPDX-License-Identifier: MIT */
/* sense.c - what MuJoCo measures of contacts, with ours among them.
 *
 * Touch sensors sum the contacts in MuJoCo's solver, and cfrc_ext those and xfrc_applied: ours are in neither. Both are
 * computed anew here, from all contacts of the last evaluation, and so are contact sensors (counted.c). */
#include "host.h"
#include <pcm/messages.h>
#include <string.h>

/* ---- Touch sensors --------------------------------------------------------------------------------------------- */

typedef struct touch_zone {
    const mjModel *model;
    const mjData  *data;
    int            site, body;
    double         sum; /* N */
} touch_zone;

/* MuJoCo's rule: a contact counts where the ray from its point out of the sensor's body meets the site's shape. */
static void add_contact(touch_zone *zone, const double point[3], const double normal[3], int body_a, int body_b,
                        double force)
{
    if ((zone->body != body_a && zone->body != body_b) || !(force > 0))
        return;
    const double sign = zone->body == body_a ? 1 : -1, out[3] = {sign * normal[0], sign * normal[1], sign * normal[2]};
    if (pcm_release_ray(zone->model, zone->data, zone->site, point, out) >= 0)
        zone->sum += force;
}

static void add_native(touch_zone *zone)
{
    for (int i = 0; i < zone->data->ncon; i++) {
        const mjContact *contact = &zone->data->contact[i];
        if (contact->efc_address < 0 || contact->geom1 < 0 || contact->geom2 < 0)
            continue;
        double force[6];
        mj_contactForce(zone->model, zone->data, i, force);
        add_contact(zone, contact->pos, contact->frame, zone->model->geom_bodyid[contact->geom1],
                    zone->model->geom_bodyid[contact->geom2], force[0]);
    }
}

static void add_served(const pcm_mujoco *host, touch_zone *zone)
{
    pcm_contact_info info = {.size = sizeof info};
    for (size_t i = 0; i < pcm_world_contact_count(host->world); i++) {
        if (pcm_world_contact_at(host->world, i, &info) != PCM_OK)
            continue;
        const double normal[3] = {info.frame[2], info.frame[5], info.frame[8]};
        add_contact(zone, info.point, normal, host->by_handle[info.base.index]->body,
                    host->by_handle[info.follower.index]->body, info.force[2]);
    }
}

static void sense_touch(pcm_mujoco *host)
{
    const mjModel *model = host->model;
    mjData        *data = host->data;
    for (int i = 0; host->touches && i < model->nsensor; i++) {
        if (model->sensor_type[i] != mjSENS_TOUCH)
            continue;
        const int  site = model->sensor_objid[i];
        touch_zone zone = {.model = model, .data = data, .site = site, .body = model->site_bodyid[site]};
        add_native(&zone);
        add_served(host, &zone);
        const double cutoff = model->sensor_cutoff[i];
        data->sensordata[model->sensor_adr[i]] = cutoff > 0 ? fmin(zone.sum, cutoff) : zone.sum;
    }
}

void pcm_sense_all(pcm_mujoco *host)
{
    if (host->model->opt.disableflags & mjDSBL_SENSOR)
        return;
    pcm_follow_lock(host);
    sense_touch(host);
    pcm_count_contacts(host);
    pcm_follow_unlock(host);
}

/* ---- For the user ---------------------------------------------------------------------------------------------- */

static void measure(void *user)
{
    pcm_mujoco *host = user;
    mj_rnePostConstraint(host->model, host->data);
}

pcm_status pcm_mujoco_sense(pcm_mujoco *host)
{
    if (!pcm_model_stands(host))
        return PCM_BAD_HOST;
    const pcm_stack_mark stack = pcm_release_stack(host->data);
    host->told_of_sensors = true;
    pcm_follow_lock(host);
    pcm_mujoco_share(host, host->data);
    pcm_follow_unlock(host);
    const bool done = pcm_process_guard(host->context, measure, host);
    if (!done)
        pcm_release_unwind(host->data, stack);
    pcm_mujoco_withdraw(host, host->data);
    pcm_sense_all(host);
    return done ? PCM_OK : PCM_BAD_HOST;
}

/* ---- What is not served ---------------------------------------------------------------------------------------- */

static const char *name_of(const mjModel *model, int kind, int id)
{
    const char *name = mj_id2name(model, kind, id);
    return name ? name : "(unnamed)";
}

void pcm_sense_find(pcm_mujoco *host)
{
    const mjModel *model = host->model;
    for (int i = 0; i < model->nsensor; i++) {
        const int type = model->sensor_type[i];
        host->senses |= type == mjSENS_FORCE || type == mjSENS_TORQUE || type == mjSENS_USER;
        int           fields;
        pcm_reduction reduction;
        const bool touches = type == mjSENS_TOUCH, counts = pcm_release_contact_sensor(model, i, &fields, &reduction);
        host->touches |= touches;
        host->counts |= counts;
        if ((touches || counts) && host->n_pairs && pcm_release_late_sensor(model, i))
            pcm_report(host->context, PCM_WARNING, PCM_MSG_UNSERVED,
                       "sensor '%s' has a delay, an interval or a history, which know MuJoCo's own contacts alone",
                       name_of(model, mjOBJ_SENSOR, i));
    }
    for (int i = 0; i < model->nu && !host->lists; i++) {
        if (model->actuator_trntype[i] != mjTRN_BODY || !host->served_body[model->actuator_trnid[2 * i]])
            continue;
        pcm_report(
            host->context, PCM_WARNING, PCM_MSG_UNSERVED,
            "actuator '%s' holds on by listed contacts alone, and those of '%s' that the rules give to a law are not "
            "listed: attach with list_contacts",
            name_of(model, mjOBJ_ACTUATOR, i), name_of(model, mjOBJ_BODY, model->actuator_trnid[2 * i]));
    }
}

void pcm_sense_tell(pcm_mujoco *host)
{
    if (host->source || host->told_of_sensors || !(host->senses || host->touches || host->counts))
        return;
    host->told_of_sensors = true;
    pcm_report(host->context, PCM_NOTE, PCM_MSG_UNSERVED,
               "force, torque, touch and contact sensors know nothing of laws' forces after mj_step alone: %s",
               host->senses ? "call pcm_mujoco_step in its place"
                            : "call pcm_mujoco_sense after it, or pcm_mujoco_step in its place");
}

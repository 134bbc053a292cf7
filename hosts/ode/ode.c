/* SPDX-License-Identifier: MIT */
#include "../engine/engine.h"
#include <pcm/messages.h>
#include <pcm/ode.h>

#include <stdlib.h>

struct pcm_ode {
    pcm_context *context;
    pcm_engine  *engine;
    pcm_ode_def  def;
    pcm_status   status; /* the first of touches since the last push */
};

pcm_ode *pcm_ode_attach(pcm_context *context, pcm_config *config, const pcm_ode_def *def)
{
    pcm_ode_def filled = {.size = sizeof filled};
    if (!context || !config || !pcm_def_fill(context, "pcm_ode_def", &filled, def))
        return NULL;
    if (!dCheckConfiguration("ODE_double_precision")) {
        pcm_report(context, PCM_ERROR, PCM_MSG_PRECISION,
                   "this libode computes in single precision, and PCM was built for double precision");
        return NULL;
    }
    pcm_ode *host = calloc(1, sizeof *host);
    if (!host) {
        pcm_report(context, PCM_ERROR, PCM_MSG_OUT_OF_MEMORY, "no memory to attach to ODE");
        return NULL;
    }
    host->context = context;
    host->def = filled;
    host->engine = pcm_engine_new(context, config,
                                  &(const pcm_engine_def){.ledger = filled.ledger,
                                                          .advise_step = !filled.silent_of_step,
                                                          .log_directory = filled.log_directory,
                                                          .name = "ODE"});
    if (host->engine)
        return host;
    free(host);
    return NULL;
}

void pcm_ode_free(pcm_ode *host)
{
    if (!host)
        return;
    pcm_engine_free(host->engine);
    free(host);
}

pcm_world *pcm_ode_world(pcm_ode *host) { return pcm_engine_world(host->engine); }

bool pcm_ode_forget(pcm_ode *host, dGeomID geom) { return pcm_engine_remove(host->engine, geom); }

/* ---- Geoms ------------------------------------------------------------------------------------------------------- */

static pcm_engine_object *object_of(pcm_ode *host, dGeomID geom)
{
    pcm_engine_object *known = pcm_engine_find(host->engine, geom);
    if (known)
        return known;
    const pcm_ode_def *def = &host->def;
    pcm_engine_shape   shape = {.key = geom, .body = dGeomGetBody(geom)};
    dMass              mass;
    shape.name = def->name ? def->name(def->user, geom) : dGeomGetData(geom);
    shape.surface = def->surface ? def->surface(def->user, geom) : NULL;
    if (dGeomGetClass(geom) == dSphereClass)
        shape.radius = dGeomSphereGetRadius(geom);
    if (shape.body && !dBodyIsKinematic(shape.body)) {
        dBodyGetMass(shape.body, &mass);
        shape.mass = mass.mass;
    }
    return pcm_engine_add(host->engine, &shape);
}

static pcm_status move(pcm_ode *host, dGeomID geom, pcm_engine_object *object)
{
    if (!pcm_engine_wants(host->engine, object))
        return PCM_OK;
    pcm_pose    pose = {{0}, {1, 0, 0, 0}};
    pcm_twist   twist = {{0}, {0}};
    dQuaternion turn;
    if (dGeomGetClass(geom) != dPlaneClass) { /* which has no place of its own */
        const dReal *at = dGeomGetPosition(geom);
        dGeomGetQuaternion(geom, turn);
        for (int k = 0; k < 3; k++)
            pose.position[k] = at[k];
        for (int k = 0; k < 4; k++)
            pose.orientation[k] = turn[k];
    }
    if (object->body) {
        dVector3     velocity;
        const dReal *spin = dBodyGetAngularVel(object->body);
        dBodyGetPointVel(object->body, pose.position[0], pose.position[1], pose.position[2], velocity);
        for (int k = 0; k < 3; k++) {
            twist.angular[k] = spin[k];
            twist.linear[k] = velocity[k];
        }
    }
    return pcm_world_move(pcm_engine_world(host->engine), object->handle, &pose, &twist);
}

/* ---- Steps ------------------------------------------------------------------------------------------------------- */

enum { POINTS = PCM_NEAR_MOST };

/* ODE's normal points into the first geom. */
static size_t find_points(dGeomID a, dGeomID b, pcm_touch touches[POINTS])
{
    dContactGeom points[POINTS];
    const int    count = dCollide(a, b, POINTS, points, sizeof *points);
    for (int i = 0; i < count; i++) {
        touches[i] = (pcm_touch){.depth = points[i].depth};
        for (int k = 0; k < 3; k++) {
            touches[i].point[k] = points[i].pos[k];
            touches[i].normal[k] = -points[i].normal[k];
        }
    }
    return count > 0 ? (size_t)count : 0;
}

bool pcm_ode_touch(pcm_ode *host, dGeomID a, dGeomID b)
{
    if (dGeomIsSpace(a) || dGeomIsSpace(b) || (dGeomGetBody(a) && dGeomGetBody(a) == dGeomGetBody(b)))
        return false;
    pcm_touch touches[POINTS];
    (void)object_of(host, a); /* the second may move the first in memory */
    pcm_engine_object *second = object_of(host, b), *first = pcm_engine_find(host->engine, a);
    if (!first || !second || !pcm_engine_serves(host->engine, first, second))
        return false;
    pcm_engine_note(&host->status, move(host, a, first));
    pcm_engine_note(&host->status, move(host, b, second));
    pcm_engine_note(&host->status, pcm_engine_touch(host->engine, first, second, touches, find_points(a, b, touches)));
    return true;
}

static void push(void *user, const pcm_engine_object *object, const pcm_wrench *wrench)
{
    dBodyID      body = object->body;
    const dReal *at = dGeomGetPosition((dGeomID)object->key);
    (void)user;
    if (dBodyIsKinematic(body))
        return;
    dBodyAddForceAtPos(body, wrench->force[0], wrench->force[1], wrench->force[2], at[0], at[1], at[2]);
    dBodyAddTorque(body, wrench->torque[0], wrench->torque[1], wrench->torque[2]);
}

pcm_status pcm_ode_push(pcm_ode *host, double step)
{
    if (!host)
        return PCM_BAD_ARGUMENT;
    const pcm_status touched = host->status;
    host->status = PCM_OK;
    const pcm_status status = pcm_engine_update(host->engine, step, push, host);
    return touched == PCM_OK ? status : touched;
}

pcm_status pcm_ode_commit(pcm_ode *host) { return host ? pcm_engine_commit(host->engine) : PCM_BAD_ARGUMENT; }

/* SPDX-License-Identifier: MIT */
#include "engines.h"
#include <pcm/ode.h>

#include <stdlib.h>

typedef struct simulation {
    dWorldID      world;
    dSpaceID      space;
    dJointGroupID joints;
    pcm_ode      *host; /* NULL: contacts are joints */
} simulation;

static void *make(size_t boxes, pcm_context *context, pcm_config *config)
{
    simulation *s = calloc(1, sizeof *s);
    dMass       mass;
    if (!s)
        return NULL;
    dInitODE2(0);
    s->world = dWorldCreate();
    s->space = dHashSpaceCreate(NULL);
    s->joints = dJointGroupCreate(0);
    dWorldSetGravity(s->world, 0, 0, -9.81);
    dGeomSetData(dCreatePlane(s->space, 0, 0, 1, 0), "Ground");
    dMassSetBoxTotal(&mass, 1, 0.2, 0.2, 0.1);
    for (size_t i = 0; i < boxes; i++) {
        dBodyID body = dBodyCreate(s->world);
        dGeomID geom = dCreateBox(s->space, 0.2, 0.2, 0.1);
        dBodySetMass(body, &mass);
        dGeomSetBody(geom, body);
        dGeomSetData(geom, "Box");
        dBodySetPosition(body, ENGINE_GAP * (double)(i % ENGINE_ROW), ENGINE_GAP * (double)(i / ENGINE_ROW), 0.04997);
    }
    s->host = config ? pcm_ode_attach(context, config, NULL) : NULL;
    return s;
}

static void near(void *user, dGeomID a, dGeomID b)
{
    simulation *s = user;
    dContact    contacts[8];
    if (s->host && pcm_ode_touch(s->host, a, b))
        return;
    const int count = dCollide(a, b, 8, &contacts[0].geom, sizeof *contacts);
    for (int i = 0; i < count; i++) {
        contacts[i].surface = (dSurfaceParameters){.mode = dContactApprox1, .mu = 0.5};
        dJointAttach(dJointCreateContact(s->world, s->joints, &contacts[i]), dGeomGetBody(a), dGeomGetBody(b));
    }
}

static pcm_status step(void *scene)
{
    simulation *s = scene;
    dSpaceCollide(s->space, s, near);
    pcm_status status = s->host ? pcm_ode_push(s->host, 1e-3) : PCM_OK;
    dWorldQuickStep(s->world, 1e-3);
    dJointGroupEmpty(s->joints);
    if (status == PCM_OK && s->host)
        status = pcm_ode_commit(s->host);
    return status;
}

static size_t contacts(void *scene) { return pcm_world_contact_count(pcm_ode_world(((simulation *)scene)->host)); }

static void free_scene(void *scene)
{
    simulation *s = scene;
    pcm_ode_free(s->host);
    dJointGroupDestroy(s->joints);
    dSpaceDestroy(s->space);
    dWorldDestroy(s->world);
    free(s);
    dCloseODE();
}

const engine_kind engine_ode = {"step in ODE", make, step, contacts, free_scene};

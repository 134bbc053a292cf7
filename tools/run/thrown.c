/* SPDX-License-Identifier: MIT */
#include "thrown.h"

#include <math.h>
#include <pcm/event.h>
#include <pcm/messages.h>
#include <stdio.h>
#include <stdlib.h>

#include "command.h"

/* s: the length of an interval. Contacts that store energy for longer than this store little. */
static const double STRETCH = 1;

/* A step that is slightly too large lets bodies bounce higher than they fell: this share of their kinetic energy, and
 * of the energy from other trees, is tolerated. */
static const double BOUNCE = 0.5;

/* ---- Trees ------------------------------------------------------------------------------------------------------- */

static bool is_sprung(const mjModel *model, int joint)
{
#ifdef mjNPOLY
    for (int i = 0; i < mjNPOLY; i++)
        if (model->jnt_stiffnesspoly[mjNPOLY * joint + i] != 0)
            return true;
#endif
    return model->jnt_stiffness[joint] != 0;
}

static void add_to_springs(thrown *t, bool *sprung, int body)
{
    const int tree = t->tree_of[body];
    sprung[tree] = tree != 0;
    t->springs = t->springs ? t->springs : tree;
}

static int body_of_wrap(const mjModel *model, int wrap)
{
    const int id = model->wrap_objid[wrap];
    switch (model->wrap_type[wrap]) {
    case mjWRAP_JOINT:
        return model->jnt_bodyid[id];
    case mjWRAP_SITE:
        return model->site_bodyid[id];
    case mjWRAP_SPHERE:
    case mjWRAP_CYLINDER:
        return model->geom_bodyid[id];
    default:
        return 0;
    }
}

/* Joins all bodies with springs into one tree: MuJoCo gives the energy of all springs as one sum. sprung: nbody, all
 * false. */
static void join_springs(thrown *t, bool *sprung)
{
    const mjModel *model = t->model;
    for (int i = 0; i < model->njnt; i++)
        if (is_sprung(model, i))
            add_to_springs(t, sprung, model->jnt_bodyid[i]);
    for (int i = 0; i < model->nwrap; i++)
        add_to_springs(t, sprung, body_of_wrap(model, i));
#if mjVERSION_HEADER >= 300
    for (int i = 1; i < model->nbody && model->nflex > 0; i++)
        add_to_springs(t, sprung, i);
#endif
    for (int i = 1; i < model->nbody; i++)
        t->tree_of[i] = sprung[t->tree_of[i]] ? t->springs : t->tree_of[i];
}

static double size_of(const mjModel *model, int body)
{
    double size = 0;
    for (int i = 0; i < model->body_geomnum[body]; i++)
        size = fmax(size, model->geom_rbound[model->body_geomadr[body] + i]);
    return size;
}

static bool find_trees(thrown *t)
{
    const mjModel *model = t->model;
    const double   gravity = mju_norm3(model->opt.gravity);
    bool          *sprung = calloc((size_t)model->nbody, sizeof *sprung);
    if (!sprung)
        return false;
    for (int i = 1; i < model->nbody; i++) {
        const int above = t->tree_of[model->body_parentid[i]];
        t->tree_of[i] = model->body_weldid[i] == 0 ? 0 : above ? above : i;
    }
    join_springs(t, sprung);
    free(sprung);
    for (int i = 1; i < model->nbody; i++) {
        thrown_tree *tree = &t->trees[t->tree_of[i]];
        tree->mass += model->body_mass[i];
        tree->lift += (gravity > 0 ? gravity : 9.81) * model->body_mass[i] * size_of(model, i);
    }
    return true;
}

/* ---- Energy ------------------------------------------------------------------------------------------------------ */

/* J: the body's energy of gravity, as far as gravity acts on it; whole: all of it, as MuJoCo counts it. */
static double height_of(const mjModel *model, const mjData *data, int body, bool whole)
{
    double mass = model->opt.disableflags & mjDSBL_GRAVITY ? 0 : model->body_mass[body];
#if mjVERSION_HEADER >= 237
    mass *= whole ? 1 : 1 - model->body_gravcomp[body];
#else
    (void)whole;
#endif
    return -mass * mju_dot3(model->opt.gravity, data->xipos + 3 * body);
}

static double energy_of_springs(mjModel *model, mjData *data)
{
    const int enabled = model->opt.enableflags;
    model->opt.enableflags |= mjENBL_ENERGY;
    mj_energyPos(model, data);
    model->opt.enableflags = enabled;
    double energy = data->energy[0];
    for (int i = 1; i < model->nbody; i++)
        energy -= height_of(model, data, i, true);
    return energy;
}

static void find_energies(thrown *t)
{
    const mjModel *model = t->model;
    for (int i = 1; i < model->nbody; i++) {
        t->trees[i].energy = -t->trees[i].given;
        t->trees[i].motion = 0;
    }
    if (t->springs)
        t->trees[t->springs].energy += energy_of_springs(t->model, t->data);
    for (int i = 1; i < model->nbody; i++)
        t->trees[t->tree_of[i]].energy += height_of(model, t->data, i, false);
    mj_mulM(model, t->data, t->work, t->data->qvel);
    for (int i = 0; i < (int)model->nv; i++) {
        thrown_tree *tree = &t->trees[t->tree_of[model->dof_bodyid[i]]];
        tree->motion += 0.5 * t->work[i] * t->data->qvel[i];
        tree->energy += 0.5 * t->work[i] * t->data->qvel[i];
    }
}

/* Finds the energies at the start, without contacts. Every bit of qpos is restored, although MuJoCo normalises its
 * quaternions: a resumed run continues from them. */
static void find_first_energies(thrown *t)
{
    const int disabled = t->model->opt.disableflags;
    mju_copy(t->work, t->data->qpos, (int)t->model->nq);
    t->model->opt.disableflags |= mjDSBL_CONTACT;
    mj_fwdPosition(t->model, t->data);
    t->model->opt.disableflags = disabled;
    mju_copy(t->data->qpos, t->work, (int)t->model->nq);
    find_energies(t);
}

/* W: a lower bound of the power dissipated by a joint's damping, from the velocities at both ends of the step. */
static double swallowed(const mjModel *model, int dof, double square_before, double square_now)
{
    return model->dof_damping[dof] * fmax(fmin(square_before, square_now), 0);
}

void thrown_step(thrown *t, double seconds)
{
    const mjData *data = t->data;
    if (!t->trees)
        return;
    for (int i = 1; i < t->model->nbody; i++)
        t->trees[i].power = 0;
    for (int i = 0; i < (int)t->model->nv; i++) {
        thrown_tree *tree = &t->trees[t->tree_of[t->model->dof_bodyid[i]]];
        const double mean = 0.5 * (t->before[i] + data->qvel[i]);
        tree->power += (data->qfrc_actuator[i] + data->qfrc_constraint[i]) * mean;
        tree->given -= seconds * swallowed(t->model, i, t->before[i] * mean, data->qvel[i] * mean);
        t->before[i] = data->qvel[i];
    }
    for (int i = 1; i < t->model->nbody; i++)
        t->trees[i].given += fmax(t->trees[i].power * seconds, 0);
}

/* ---- Groups of trees that touch ---------------------------------------------------------------------------------- */

static int kin_of(const thrown *t, int tree)
{
    while (t->trees[tree].kin != tree)
        tree = t->trees[tree].kin;
    return tree;
}

static void join(thrown *t, pcm_object a, pcm_object b)
{
    const int trees[2] = {t->tree_of[pcm_mujoco_body(t->host, a)], t->tree_of[pcm_mujoco_body(t->host, b)]};
    for (int side = 0; side < 2; side++)
        t->trees[trees[side]].touched = true;
    if (trees[0] && trees[1])
        t->trees[kin_of(t, trees[0])].kin = kin_of(t, trees[1]);
}

/* Starts an interval, with contacts included. */
static void begin_stretch(thrown *t)
{
    pcm_world *world = pcm_mujoco_world(t->host);
    for (int i = 0; i < t->model->nbody; i++) {
        t->trees[i].kin = i;
        t->trees[i].touched = false;
    }
    for (size_t i = 0; i < pcm_world_contact_count(world); i++) {
        pcm_contact_info info = {.size = sizeof info};
        if (pcm_world_contact_at(world, i, &info) == PCM_OK)
            join(t, info.base, info.follower);
    }
    t->stretch = t->data->time + STRETCH;
}

void thrown_meet(thrown *t)
{
    const pcm_world *world = t->trees ? pcm_mujoco_world(t->host) : NULL;
    if (world && isinf(t->stretch))
        begin_stretch(t);
    for (size_t i = 0; world && i < pcm_world_event_count(world); i++) {
        pcm_contact_event event = {.size = sizeof event};
        if (pcm_world_event_at(world, i, &event) == PCM_OK && event.change == PCM_CONTACT_MADE)
            join(t, event.base, event.follower);
    }
}

/* ---- Checks ------------------------------------------------------------------------------------------------------ */

static bool give_room(thrown *t)
{
    const size_t nbody = (size_t)t->model->nbody, nq = (size_t)t->model->nq + 1; /* no less than nv */
    t->trees = calloc(nbody, sizeof *t->trees);
    t->tree_of = calloc(nbody, sizeof *t->tree_of);
    t->before = calloc(nq, sizeof *t->before);
    t->work = calloc(nq, sizeof *t->work);
    return t->trees && t->tree_of && t->before && t->work;
}

bool thrown_start(thrown *t, pcm_mujoco *host, mjModel *model)
{
    *t = (thrown){.host = host, .model = model, .data = pcm_mujoco_data(host)};
    if (!give_room(t) || !find_trees(t)) {
        thrown_stop(t);
        command_error(PCM_MSG_OUT_OF_MEMORY, "out of memory");
        return false;
    }
    find_first_energies(t);
    const double wind = mju_norm3(model->opt.wind);
    mju_copy(t->before, t->data->qvel, (int)model->nv);
    for (int i = 1; i < model->nbody; i++) {
        thrown_tree *tree = &t->trees[i];
        tree->highest[0] = tree->highest[1] = tree->energy;
        tree->liveliest[0] = tree->liveliest[1] = tree->motion + 0.5 * tree->mass * wind * wind;
    }
    t->stretch = -INFINITY;
    return pcm_world_keep_events(pcm_mujoco_world(host), true) == PCM_OK;
}

void thrown_stop(thrown *t)
{
    free(t->trees);
    free(t->tree_of);
    free(t->before);
    free(t->work);
    *t = (thrown){0};
}

/* Notes the body of the tree that has the most energy for its weight. */
static void note(thrown *t, int tree)
{
    double most = -1;
    mj_comVel(t->model, t->data); /* the velocities at the end of the step */
    for (int i = 1; i < t->model->nbody; i++) {
        const mjModel *model = t->model;
        double         velocity[6], sum = 0;
        if (t->tree_of[i] != tree)
            continue;
        mj_objectVelocity(model, t->data, mjOBJ_BODY, i, velocity, 1);
        for (int k = 0; k < 3; k++)
            sum += model->body_inertia[3 * i + k] * velocity[k] * velocity[k];
        sum = mju_dot3(velocity + 3, velocity + 3) + (model->body_mass[i] > 0 ? sum / model->body_mass[i] : 0);
        if (sum <= most)
            continue;
        most = sum;
        t->body = i;
        t->speed = mju_norm3(velocity + 3);
        t->spin = mju_norm3(velocity);
    }
    t->time = t->data->time;
}

static double gain_of(const thrown_tree *tree) { return tree->energy - tree->highest[0]; }

/* The excess of its energy, beyond the tolerances for its own kinetic energy and for its lift. */
static double excess_of(const thrown_tree *tree)
{
    return gain_of(tree) - tree->lift - BOUNCE * fmax(tree->liveliest[0], tree->liveliest[1]);
}

/* Trees that have touched may have gained the energy that others in their group lost. Returns the tree with the largest
 * excess in a group whose total is too large; 0: there is none. */
static int find_thrown(thrown *t)
{
    int most = 0;
    for (int i = 1; i < t->model->nbody; i++)
        t->trees[i].excess = t->trees[i].net = 0;
    for (int i = 1; i < t->model->nbody; i++) {
        const thrown_tree *tree = &t->trees[i];
        thrown_tree       *kin = &t->trees[kin_of(t, i)];
        const double       gain = gain_of(tree), excess = excess_of(tree);
        kin->net += gain;
        kin->excess += gain < 0 ? (1 + BOUNCE) * gain : fmax(excess, 0);
    }
    for (int i = 1; i < t->model->nbody; i++)
        if (t->trees[i].touched && t->trees[kin_of(t, i)].excess > 0 && excess_of(&t->trees[i]) > 0 &&
            (most == 0 || excess_of(&t->trees[i]) > excess_of(&t->trees[most])))
            most = i;
    return most;
}

static void follow(const thrown *t, thrown_tree *tree)
{
    if (t->data->time > t->stretch) {
        tree->highest[0] = tree->highest[1];
        tree->liveliest[0] = tree->liveliest[1];
        tree->highest[1] = tree->energy;
        tree->liveliest[1] = 0;
    }
    tree->highest[1] = fmax(tree->highest[1], tree->energy);
    tree->liveliest[1] = fmax(tree->liveliest[1], tree->motion - fmax(gain_of(tree), 0));
}

bool thrown_look(thrown *t)
{
    if (t->body || !t->trees)
        return t->body;
    find_energies(t);
    const int tree = find_thrown(t);
    if (tree) {
        t->gained = fmin(gain_of(&t->trees[tree]), t->trees[kin_of(t, tree)].net);
        note(t, tree);
        return true;
    }
    for (int i = 1; i < t->model->nbody; i++)
        follow(t, &t->trees[i]);
    if (t->data->time > t->stretch)
        begin_stretch(t);
    return false;
}

void thrown_tell(const thrown *t, bool has_steps)
{
    char        number[32];
    const char *name = t->body ? mj_id2name(t->model, mjOBJ_BODY, t->body) : NULL;
    if (!t->body)
        return;
    (void)snprintf(number, sizeof number, "%d", t->body);
    command_message(
        PCM_WARNING, PCM_MSG_THROWN, NULL,
        "body '%.100s' was thrown: at t = %s s it has %s m/s and %s rad/s, and contacts have given %s J more "
        "than they took: try %s",
        name ? name : number, pcm_number(t->time, 4).text, pcm_number(t->speed, 3).text, pcm_number(t->spin, 3).text,
        pcm_number(t->gained, 3).text,
        has_steps ? "a smaller step, softer contacts or --ease" : "softer contacts or --ease");
}

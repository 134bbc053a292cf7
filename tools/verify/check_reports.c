/* SPDX-License-Identifier: MIT */
/* check_reports.c - what a law says of its contacts beside forces: modes, events and derived values. */
#include <math.h>
#include <string.h>
#include <pcm/messages.h>

#include "check.h"
#include "history.h"
#include "probe.h"

static bool has_mode(const subject *s) { return s->model->outputs & PCM_MODE; }

static const char *says_no_mode(const subject *s)
{
    return has_mode(s) ? subject_lacks_host(s) : "it does not declare PCM_MODE";
}

/* ---- modes ----------------------------------------------------------------------------------------------------------
 */

static void stand_still(double *row)
{
    static const size_t moves[] = {
        offsetof(pcm_batch, depth_rate), offsetof(pcm_batch, slip_x),     offsetof(pcm_batch, slip_y),
        offsetof(pcm_batch, spin_x),     offsetof(pcm_batch, spin_y),     offsetof(pcm_batch, spin_n),
        offsetof(pcm_batch, velocity_x), offsetof(pcm_batch, velocity_y), offsetof(pcm_batch, velocity_z),
    };
    for (size_t i = 0; i < sizeof moves / sizeof *moves; i++)
        row[motion_column(moves[i])] = 0;
}

/* The mode of a contact that began at rest at this depth. */
static int64_t mode_at_rest(probe *p)
{
    double forces[PROBE_FORCES];
    stand_still(p->at.row[0]);
    motion_settle(p->subject, p->at.row[0]);
    probe_begin(p);
    probe_ask(p, forces);
    return p->lanes.batch.mode[0];
}

/* The same, dragged at that speed, m/s, for so many steps of a millisecond; *friction: at the end. */
static int64_t mode_when_dragged(probe *p, double speed, int steps, double *friction)
{
    double *row = p->at.row[0], forces[PROBE_FORCES];
    row[MOTION_AT(slip_x)] = row[MOTION_AT(velocity_x)] = speed;
    p->at.dt = 1e-3;
    for (int i = 0; i < steps; i++) {
        probe_ask(p, forces);
        for (size_t k = 0; k < p->subject->info->n_state; k++)
            probe_states(p)[k] = p->lanes.next[k][0];
    }
    *friction = hypot(forces[0], forces[1]);
    return p->lanes.batch.mode[0];
}

/* Whether it says that it sticks while it is dragged against friction that neither the way nor the speed changes. */
static bool sticks_though_it_slides(probe *p, finding *found)
{
    double slow, fast;
    if (isnan(subject_friction(p->subject)))
        return false;
    stand_still(p->at.row[0]);
    motion_settle(p->subject, p->at.row[0]);
    probe_begin(p);
    (void)mode_when_dragged(p, 1, 500, &slow);
    const int64_t mode = mode_when_dragged(p, 2, 500, &fast);
    return mode == PCM_STICKING && fast > 0 && fabs(fast - slow) <= 1e-9 * fast &&
           finding_say(found, 4, "PCM_STICKING is what holds, PCM_SLIPPING what slides.",
                       "a contact that is dragged against %s N, at 1 m/s as at 2 m/s, sticks",
                       pcm_number(fast, 4).text);
}

static bool modes_fail(subject *s, const motion *m, finding *found)
{
    static const char no_force[] = "Without a force the mode is PCM_SEPARATED, with one another.";
    double            forces[PROBE_FORCES];
    probe             p;
    bool              fails = false;
    if (!probe_open(&p, s, m, 0))
        return false;
    probe_ask(&p, forces);
    const bool separated = p.lanes.batch.mode[0] == PCM_SEPARATED;
    if (subject_is_sum(s)) /* the parts before it push or pull on their own */
        forces[2] = 0;
    const bool is_own = s->law || !subject_is_sum(s); /* of several laws with modes one may push and the other not */
    if (separated && is_own && probe_length(forces) > 0)
        fails = finding_say(found, 1, no_force, "the mode is separated, but the force is %s N",
                            pcm_number(probe_length(forces), 4).text);
    p.at.row[0][MOTION_AT(depth)] = PCM_FAR;
    if (!fails && s->info->n_state == 0 && (probe_ask(&p, forces), probe_length(forces) == 0) &&
        p.lanes.batch.mode[0] > PCM_SEPARATED)
        fails = finding_say(found, 2, no_force, "the mode far apart, without a force, is not separated");
    p.at.row[0][MOTION_AT(depth)] = fabs(m->row[0][MOTION_AT(depth)]);
    double friction;
    fails = fails || sticks_though_it_slides(&p, found);
    if (!fails && !(s->model->inputs & PCM_AXES) && mode_at_rest(&p) == PCM_SLIPPING &&
        mode_when_dragged(&p, 1, 1000, &friction) == PCM_STICKING)
        fails = finding_say(found, 3, "PCM_STICKING is what holds, PCM_SLIPPING what slides.",
                            "a contact that begins at rest slips, and one that is dragged for a metre sticks");
    probe_close(&p);
    return fails;
}

const check check_modes = {.name = "modes",
                           .doc = "modes are what the contact does: separated without a force, sticking, slipping",
                           .weight = 100,
                           .absent = says_no_mode,
                           .whole = true,
                           .roll = motion_roll_lanes,
                           .fails = modes_fail};

/* ---- events ---------------------------------------------------------------------------------------------------------
 */

/* Half of the motions are faster than usual: what happens at high speeds is an event too. */
static void roll_between(subject *s, dice *d, motion *m)
{
    const double faster = dice_below(d, 2) ? dice_decades(d, 0, 3) : 1;
    do
        motion_roll_lanes(s, d, m);
    while (m->count < 2);
    m->count = 2;
    m->dt = 0;
    motion_close(m);
    for (size_t i = 0; i < s->n_motions; i++)
        if (rig_motions[i].input & (PCM_DEPTH_RATE | PCM_SLIP | PCM_VELOCITY))
            m->row[0][i] *= faster, m->row[1][i] *= faster;
    memcpy(m->row[1] + s->n_inputs, m->row[0] + s->n_inputs, s->info->n_state * sizeof(double));
}

/* The mode, and the indicators, somewhere between the two rows. A law without modes touches where it has a force. */
typedef struct side {
    double  part, depth;
    int64_t mode;
    double  event[SUBJECT_COLUMNS];
} side;

static side ask_side(probe *p, const motion *m, double part)
{
    side   at = {.part = part};
    double forces[PROBE_FORCES];
    motion_between(p->subject, m, part, p->at.row[0]);
    probe_ask(p, forces);
    at.mode = p->subject->model->outputs & PCM_MODE ? p->lanes.batch.mode[0]
              : probe_length(forces) > 0            ? PCM_TOUCHING
                                                    : PCM_SEPARATED;
    at.depth = p->at.row[0][MOTION_AT(depth)];
    for (size_t i = 0; i < p->subject->model->events.count; i++)
        at.event[i] = p->lanes.event[i][0];
    return at;
}

/* How much the slope of the force changes within a few steps around the place. */
static double bend_at(probe *p, const motion *m, double part, double step)
{
    enum { POINTS = 5 };
    double forces[POINTS][PROBE_FORCES], bend = 0;
    for (int i = 0; i < POINTS; i++) {
        (void)ask_side(p, m, part + step * (i - POINTS / 2));
        probe_forces(p, forces[i]);
    }
    for (size_t k = 0; k < PROBE_FORCES; k++)
        bend = fmax(bend, fabs((forces[4][k] - forces[3][k]) - (forces[1][k] - forces[0][k])) / step);
    return bend;
}

/* Whether the force goes on through the change without a kink, whose bend stays as the steps get smaller: then no
 * solver needs to stop there. */
static bool is_smooth(probe *p, const motion *m, double part)
{
    const double coarse = bend_at(p, m, part, 1e-8), fine = bend_at(p, m, part, 1e-9);
    double       forces[PROBE_FORCES];
    probe_forces(p, forces);
    const double noise = 1e-15 * probe_length(forces) / 1e-9;
    return fine <= 0.5 * coarse + 4 * noise;
}

/* A change of mode between two rows: the ends of the way, its two sides, and places a bit before and after it. */
typedef struct change {
    side first, last, a, b, before, after;
} change;

static change find_change(probe *p, const motion *m)
{
    change c = {.first = ask_side(p, m, 0), .last = ask_side(p, m, 1)};
    c.a = c.first;
    c.b = c.last;
    for (int i = 0; i < 60 && c.a.mode != c.b.mode; i++) {
        const side middle = ask_side(p, m, 0.5 * (c.a.part + c.b.part));
        *(middle.mode == c.a.mode ? &c.a : &c.b) = middle;
    }
    c.before = ask_side(p, m, fmax(0, c.a.part - 1e-6));
    c.after = ask_side(p, m, fmin(1, c.b.part + 1e-6));
    return c;
}

/* Whether an event happens there: its indicator changes sign, or is zero but for rounding, and goes the way it says. */
static bool happens(const change *c, uint32_t i, int direction)
{
    const double a = c->a.event[i], b = c->b.event[i], way = c->after.event[i] - c->before.event[i];
    const double size = fmax(fabs(c->first.event[i]), fabs(c->last.event[i]));
    return direction * way >= 0 && (a * b <= 0 || fmin(fabs(a), fabs(b)) <= 1e-9 * size);
}

/* Hosts themselves locate where objects touch, and where a contact parts. */
static bool some_event_happens(const subject *s, const change *c)
{
    const double gap = s->info->common->separation, before = c->before.depth, after = c->after.depth;
    bool         some = before * after <= 0 || (before + gap) * (after + gap) <= 0;
    for (uint32_t i = 0; i < s->model->events.count; i++)
        some = some || happens(c, i, pcm_model_event(s->model, i)->direction);
    return some;
}

static bool is_mode(int64_t mode) { return mode >= PCM_SEPARATED && mode <= PCM_TOUCHING; }

/* Names that all laws use alike: what happens where a contact begins to push is no release, and the other way round. */
static bool misnamed(const subject *s, const change *c, finding *found)
{
    const bool  begins = c->a.mode == PCM_SEPARATED, ends = c->b.mode == PCM_SEPARATED;
    const char *other = begins ? "release" : "touch-down";
    for (uint32_t i = 0; begins != ends && i < s->model->events.count; i++) {
        const pcm_event *event = pcm_model_event(s->model, i);
        if (event->direction != 0 && strcmp(event->name, other) == 0 && happens(c, i, event->direction))
            return finding_say(found, 2, "Turn the sign of its indicator, or its direction.",
                               "the event %s happens where the force %s (%s of the way)", event->name,
                               begins ? "sets in" : "ends", pcm_number(c->b.part, 4).text);
    }
    return false;
}

static bool events_fail(subject *s, const motion *m, finding *found)
{
    static const char *const names[] = {"separated", "sticking", "slipping"};
    probe                    p;
    if (m->count < 2 || !probe_open(&p, s, m, 0))
        return false;
    const change  c = find_change(&p, m);
    const int64_t a = c.a.mode, b = c.b.mode;
    const bool    parts = subject_is_sum(s) && (a == PCM_SEPARATED || b == PCM_SEPARATED); /* the load's own event */
    const bool    changes = a != b && !parts && is_mode(a) && is_mode(b) && !is_smooth(&p, m, c.b.part);
    bool          fails = changes && misnamed(s, &c, found);
    if (changes && !fails && has_mode(s) && !some_event_happens(s, &c))
        fails = finding_say(
            found, 1,
            "Give the change an event whose indicator passes zero exactly there, in the event's direction (0: both): "
            "solvers that locate events step over it otherwise.",
            "the mode changes from %s to %s between the two rows (%s of the way), but no event "
            "changes its sign there in its direction",
            names[a], names[b], pcm_number(c.b.part, 4).text);
    probe_close(&p);
    return fails;
}

static const char *has_no_events(const subject *s)
{
    const pcm_model *own = s->law ? s->law : s->model; /* its carrier's are not its own */
    return own->events.count > 0 ? subject_lacks_host(s) : "it has no events";
}

const check check_events = {.name = "events",
                            .doc = "an event changes sign, its way, where the mode changes",
                            .weight = 300,
                            .absent = has_no_events,
                            .whole = true,
                            .roll = roll_between,
                            .fails = events_fail};

/* ---- derived --------------------------------------------------------------------------------------------------------
 */

/* m/s; laws that divide by the speed of an impact bound it from below. */
static const double SLOWEST_IMPACT = 0.1;

/* The contact of the row at rest, and the impact that its approach, mass and radius make. Derived values are those of
 * spheres. */
static void roll_at_rest(subject *s, dice *d, motion *m)
{
    motion_roll_lanes(s, d, m);
    m->count = 1;
    m->dt = 0;
    stand_still(m->row[0]);
    for (size_t i = 0; i < s->n_motions; i++)
        if (rig_motions[i].input & PCM_SHAPED)
            m->row[0][i] = NAN;
    m->row[0][MOTION_AT(depth_rate)] = SLOWEST_IMPACT * dice_decades(d, 0, 1.5);
    motion_settle(s, m->row[0]);
}

/* The normal force at that depth on a contact that began at its first touch, at rest. */
static double push_at(probe *p, double depth)
{
    double forces[PROBE_FORCES];
    p->at.row[0][MOTION_AT(depth)] = p->at.row[0][MOTION_AT(depth_rate)] = 0;
    probe_begin(p);
    p->at.row[0][MOTION_AT(depth)] = depth;
    probe_ask(p, forces);
    return forces[2];
}

typedef struct impact {
    double restitution, depth, time; /* time: until the last force */
} impact;

/* Steps that an impact takes here: the error of the scheme is about their inverse. */
enum { IMPACT_STEPS = 3000 };

/* The length of a step: the depth at which the spring holds what moves, over the speed. 0: there is none. */
static double impact_step(probe *p, const pcm_load *load)
{
    const double energy = 0.5 * load->mass * load->speed * load->speed, least = 1e-12;
    double       depth = least;
    while (depth < 1 && push_at(p, depth) * depth < energy)
        depth *= 1.2;
    return depth > least && depth < 1 ? depth / load->speed / IMPACT_STEPS : 0;
}

/* An impact of that mass, by semi-implicit steps of the history of a contact; false where it does not bounce off. */
static bool bounces(subject *s, const motion *m, const pcm_load *load, double dt, impact *result)
{
    motion_step step = {.dt = dt};
    double      speed = load->speed, depth = 0;
    memcpy(step.row, m->row[0], sizeof step.row);
    *result = (impact){0};
    history_begin(s);
    for (int i = 0; i < 8 * IMPACT_STEPS; i++) {
        step.time = i * dt;
        step.row[MOTION_AT(depth)] = depth;
        step.row[MOTION_AT(depth_rate)] = speed;
        step.row[MOTION_AT(z)] = -depth;
        step.row[MOTION_AT(velocity_z)] = -speed;
        const history_answer answer = history_step(s, &step);
        if (depth < 0 && speed < 0 && answer.force[2] == 0) {
            result->restitution = -speed / load->speed;
            return true;
        }
        result->time = answer.force[2] != 0 ? step.time : result->time;
        speed -= answer.force[2] / load->mass * dt;
        depth += speed * dt;
        result->depth = fmax(result->depth, depth);
    }
    return false;
}

static bool differ(double a, double b, double tolerance)
{
    return !(fabs(a - b) <= tolerance * fmax(fabs(a), fabs(b)));
}

static const char derive[] = "Derive it from the force that update computes, or mend the force.";

static bool loads_differ(probe *p, double load, double said, finding *found)
{
    const double push = push_at(p, said);
    return differ(push, load, 1e-6) &&
           finding_say(found, 1, derive, "the derived compression under %s N is %s m, where the force is %s N",
                       pcm_number(load, 6).text, pcm_number(said, 6).text, pcm_number(push, 6).text);
}

static bool report_is_wrong(finding *found, const pcm_derived *derived, double said, double is)
{
    return finding_say(found, 1, derive, "the derived %s is %s %s, but the force gives %s", derived->name,
                       pcm_number(said, 6).text, derived->unit, pcm_number(is, 6).text);
}

/* What the law takes in place of the bodies' own: a parameter of that name that is not 0. */
static double own_or(const subject *s, const char *name, double bodies)
{
    for (size_t i = 0; i < pcm_type_value_count(s->type); i++) {
        const pcm_value value = pcm_type_value_at(s->type, i);
        if (strcmp(value.param->name, name) == 0 && value.number > 0)
            return value.number;
    }
    return bodies;
}

/* Names that all laws use alike: what they say can be held to the force. */
static bool derived_fails(subject *s, const motion *m, finding *found)
{
    const double *row = m->row[0];
    pcm_load      load = {.size = sizeof load,
                          .depth = fabs(row[MOTION_AT(depth)]),
                          .speed = row[MOTION_AT(depth_rate)],
                          .mass = own_or(s, "ReducedMass", row[MOTION_AT(mass)]),
                          .radius = own_or(s, "ReducedRadius", row[MOTION_AT(radius)])};
    impact        is = {0};
    probe         p;
    bool          fails = false;
    if (load.speed < SLOWEST_IMPACT || !probe_open(&p, s, m, 0))
        return false;
    const double push = push_at(&p, load.depth), dt = impact_step(&p, &load);
    const bool   bounced = dt > 0 && bounces(s, m, &load, dt, &is);
    load.force = push > 0 ? push : 1e-6;
    const struct {
        const char *name;
        double      value;
    } known[] = {{"impact_depth", is.depth}, {"contact_time", is.time}, {"restitution", is.restitution}};
    for (size_t i = 0; i < s->model->derived.count && !fails; i++) {
        const pcm_derived *derived = pcm_model_derived(s->model, i);
        const double       said = pcm_type_derived(s->type, i, &load);
        if (strcmp(derived->name, "compression") == 0 && isfinite(said))
            fails = loads_differ(&p, load.force, said, found);
        for (size_t k = 0; k < sizeof known / sizeof *known && bounced && !fails; k++)
            fails = strcmp(known[k].name, derived->name) == 0 && isfinite(said) && differ(said, known[k].value, 1e-2) &&
                    report_is_wrong(found, derived, said, known[k].value);
    }
    probe_close(&p);
    return fails;
}

/* Not where the force follows from the place: a depth alone then says nothing. */
static const char *has_no_derived(const subject *s)
{
    if (s->model->derived.count == 0)
        return "it has no derived values";
    if (subject_is_part(s) || subject_is_sum(s))
        return "derived values are those of each law alone";
    return s->model->inputs & (PCM_POSITION | PCM_VELOCITY) ? "its force follows from the place"
                                                            : subject_lacks_host(s);
}

const check check_derived = {.name = "derived",
                             .doc = "compression, impact_depth, contact_time and restitution are what the force gives",
                             .weight = 20,
                             .absent = has_no_derived,
                             .roll = roll_at_rest,
                             .fails = derived_fails};

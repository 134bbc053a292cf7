/* SPDX-License-Identifier: MIT */
/* A law with one of everything that a table can contain, for the transcripts of the pcm command. */
#include <pcm/plugin.h>

typedef struct {
    double      stiffness, friction, limit;
    int64_t     points, pulls, normal;
    const char *label;
    pcm_list    gaps;
} Law;

enum { FROM_DEPTH, FROM_INPUT };
enum { WEAR, DRAG_X, DRAG_Y };
enum { LOAD, PULL_X, PULL_Y };
enum { OVERLOAD };

/* Wear grows with the time under load; drag follows the slip; a force above the limit ends the contact. */
static void update(const pcm_batch *b)
{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {
        const double force = law.normal == FROM_INPUT ? b->host_inputs[LOAD][i] : law.stiffness * b->depth[i];
        const double pushed = pcm_max(force, 0);
        b->force_n[i] = pushed;
        b->force_x[i] = -law.friction * pushed * b->state[DRAG_X][i];
        b->force_y[i] = -law.friction * pushed * b->state[DRAG_Y][i];
        b->next[WEAR][i] = b->state[WEAR][i] + (pushed > 0 ? b->dt : 0);
        b->rate[DRAG_X][i] = b->slip_x[i];
        b->rate[DRAG_Y][i] = b->slip_y[i];
        b->event[OVERLOAD][i] = pushed - law.limit;
        b->energy[i] = pushed * b->depth[i] / 2;
        b->life[i] = pushed > law.limit ? PCM_BROKEN : PCM_LIVE;
        b->mode[i] = pushed > 0 ? PCM_SLIPPING : PCM_SEPARATED;
    }
}

static void establish(const pcm_batch *b)
{
    PCM_EACH(b, i)
        b->next[WEAR][i] = 1;
}

static int prepare(const pcm_setup *setup, void *params)
{
    const Law *law = params;
    if (law->points <= 100)
        return 0;
    setup->report(setup, "Points", "more than 100 are too many");
    return 1;
}

static double compression(const void *params, const pcm_load *load)
{
    return load->force / ((const Law *)params)->stiffness;
}

static double stiffness_for(const void *params, const pcm_load *load)
{
    (void)params;
    return load->force / load->depth;
}

static const char *const normals[] = {"FromDepth", "FromInput", NULL};

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 0, "force per metre of depth", .min = 0,
             .flags = PCM_REQUIRED | PCM_OPEN_MIN),
    PCM_REAL(Law, friction, "Friction", "1", 0.5, "coefficient", .min = 0, .max = 2, .flags = PCM_CONE | PCM_OPEN_MAX),
    PCM_REAL(Law, limit, "Limit", "N", 100, "force that ends the contact", .min = 0, .when = "Normal=FromDepth"),
    PCM_INTEGER(Law, points, "Points", 4, "how many", .min = 1),
    PCM_SWITCH(Law, pulls, "Pulls", 0, "whether it may"),
    PCM_CHOICE(Law, normal, "Normal", normals, FROM_DEPTH, "where the normal force comes from"),
    PCM_TEXT(Law, label, "Label", "none", "what it is called"),
    PCM_LIST(Law, gaps, "Gaps", "m", "where they are"),
};

static const pcm_state states[] = {
    {.name = "wear", .unit = "s", .doc = "time under load", .nominal = 1, .role = PCM_HISTORY, .swap = 1},
    {.name = "drag",
     .unit = "m",
     .doc = "distance slid",
     .nominal = 1e-3,
     .shape = PCM_TANGENT,
     .role = PCM_CONTINUOUS,
     .swap = -1},
};

static const pcm_host_input host_inputs[] = {
    {.name = "load", .unit = "N", .doc = "the normal force", .when = "Normal=FromInput"},
    {.name = "pull", .unit = "N", .doc = "what else pulls", .when = "Normal=FromInput", .shape = PCM_TANGENT},
};

static const pcm_event events[] = {
    {.name = "overload", .doc = "the force passes the limit", .direction = 1},
};

static const pcm_derived derived[] = {
    {"compression", "m", "under the load, on one point", compression},
    {"stiffness_for", "N/m", "for the load at the wanted compression", stiffness_for},
};

PCM_KERNELS(update, establish);
PCM_MODEL(Sample, "One of everything", .version = "3", .source = "a transcript", .equations = "f = K d\nfor d > 0\n",
          .params = PCM_TABLE(params), .states = PCM_TABLE(states), .host_inputs = PCM_TABLE(host_inputs),
          .events = PCM_TABLE(events), .derived = PCM_TABLE(derived), .inputs = PCM_DEPTH | PCM_SLIP,
          .outputs = PCM_FRICTION | PCM_ENERGY | PCM_LIFE | PCM_MODE, .flags = PCM_ACTIVE, .prepare = prepare);

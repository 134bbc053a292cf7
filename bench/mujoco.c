/* SPDX-License-Identifier: MIT */
/* Whole steps of MuJoCo scenes at rest: contacts by PCM against MuJoCo's own solver at its default settings, from the
 * same state with the same time step. Also the contact part alone, which is the time beyond a step that finds the
 * contacts and ignores them. In all three MuJoCo finds the pairs that are near; PCM then keeps its own list of them and
 * its own records of their contact points instead of MuJoCo's, and that difference counts in PCM's part. Two variants
 * are measured separately: MuJoCo listing the contacts too, in mjData.contact, which is the default, and steps that are
 * implicit in contacts. `bench-mujoco steps` measures whole steps only, in turn with MuJoCo's own contacts, and laws in
 * explicit and implicit steps: see releases.py. */
#include "bench.h"
#include "open_config.h"

#include <pcm/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { XML_SIZE = 1 << 17 };

/* MuJoCo finds contacts whose `gap` exceeds their margin, and applies no force to them. */
static const char *const solved = "", *const found_only = "gap='1'";

static void add_body(char *xml, const char *type, const char *size, double x, double y, double z)
{
    char body[256];
    snprintf(body, sizeof body, "<body pos='%g %g %g'><freejoint/><geom type='%s' size='%s' mass='1'/></body>", x, y, z,
             type, size);
    strcat(xml, body);
}

static void begin_scene(char *xml, const char *contacts)
{
    snprintf(xml, XML_SIZE,
             "<mujoco><size nconmax='1500' njmax='5000'/><default><geom %s/></default><worldbody><geom name='floor' "
             "type='plane' size='9 9 1'/>",
             contacts);
}

static void add_field(char *xml, const char *type, const char *size, int side)
{
    for (int i = 0; i < side * side; i++)
        add_body(xml, type, size, 0.2 * (i % side), 0.2 * (i / side), 0.05);
}

static void write_spheres(char *xml, const char *contacts)
{
    begin_scene(xml, contacts);
    add_field(xml, "sphere", "0.05", 10);
}

static void write_many(char *xml, const char *contacts)
{
    begin_scene(xml, contacts);
    add_field(xml, "sphere", "0.05", 32);
}

static void write_boxes(char *xml, const char *contacts)
{
    begin_scene(xml, contacts);
    add_field(xml, "box", "0.05 0.05 0.05", 10);
}

static void write_pile(char *xml, const char *contacts)
{
    begin_scene(xml, contacts);
    strcat(xml, "<geom type='plane' size='9 9 1' pos='-0.35 0 0' zaxis='1 0 0'/>"
                "<geom type='plane' size='9 9 1' pos='0.35 0 0' zaxis='-1 0 0'/>"
                "<geom type='plane' size='9 9 1' pos='0 -0.35 0' zaxis='0 1 0'/>"
                "<geom type='plane' size='9 9 1' pos='0 0.35 0' zaxis='0 -1 0'/>");
    for (int i = 0; i < 256; i++) {
        const int row = i % 6, column = i / 6 % 6, layer = i / 36;
        add_body(xml, "sphere", "0.05", 0.11 * row - 0.28 + 0.01 * (layer % 2),
                 0.11 * column - 0.28 + 0.007 * (layer % 3), 0.05 + 0.105 * layer);
    }
}

static mjModel *load(pcm_context *context, void (*write)(char *xml, const char *contacts), const char *contacts)
{
    char  name[] = "/tmp/pcm-bench-XXXXXX", *xml = bench_allocate(XML_SIZE);
    FILE *file = fdopen(mkstemp(name), "w");
    write(xml, contacts);
    strcat(xml, "</worldbody></mujoco>");
    if (!file || fputs(xml, file) < 0 || fclose(file) != 0)
        bench_fail("no temporary file");
    mjModel *model = pcm_mujoco_load(context, name);
    unlink(name);
    free(xml);
    if (!model)
        bench_fail("MuJoCo does not take the scene");
    return model;
}

/* One way to step, starting from the rest state that it reached itself. */
typedef struct Stepper {
    mjModel    *model;
    mjData     *data;
    pcm_mujoco *host; /* NULL: MuJoCo alone */
    mjData     *rest;
} Stepper;

static void step(void *work)
{
    Stepper *stepper = work;
    if (!stepper->host)
        mj_step(stepper->model, stepper->data);
    else if (pcm_mujoco_step(stepper->host) != PCM_OK)
        bench_fail("a step failed");
}

/* Restores the rest state, with the accelerations from which MuJoCo's solver starts. */
static void restore(void *work)
{
    Stepper *stepper = work;
    mju_copy(stepper->data->qpos, stepper->rest->qpos, (int)stepper->model->nq);
    mju_copy(stepper->data->qvel, stepper->rest->qvel, (int)stepper->model->nv);
    mju_copy(stepper->data->qacc_warmstart, stepper->rest->qacc_warmstart, (int)stepper->model->nv);
}

/* Steps until that time; then nothing may move faster than a sphere that rolls at a centimetre a second. */
static void settle(Stepper *stepper, double seconds)
{
    while (stepper->data->time < seconds)
        step(stepper);
    for (int i = 0; i < stepper->model->nv; i++)
        if (!(fabs(stepper->data->qvel[i]) < 0.2))
            bench_fail("a scene is not at rest");
    stepper->rest = mj_copyData(NULL, stepper->model, stepper->data);
}

static double depth(const Stepper *stepper)
{
    double           deepest = 0;
    pcm_contact_info info = {.size = sizeof info};
    pcm_world       *world = stepper->host ? pcm_mujoco_world(stepper->host) : NULL;
    for (int i = 0; !world && i < stepper->data->ncon; i++)
        deepest = fmax(deepest, -stepper->data->contact[i].dist);
    for (size_t i = 0; world && i < pcm_world_contact_count(world); i++)
        if (pcm_world_contact_at(world, i, &info) == PCM_OK)
            deepest = fmax(deepest, info.depth);
    return deepest;
}

static void free_stepper(Stepper *stepper)
{
    pcm_mujoco_free(stepper->host);
    mj_deleteData(stepper->rest);
    mj_deleteData(stepper->data);
    mj_deleteModel(stepper->model);
}

typedef struct Scene {
    const char *name, *law;
    void (*write)(char *xml, const char *contacts);
    double seconds; /* to rest */
} Scene;

/* A scene with contacts by PCM, and one whose contacts are found and ignored, both from our rest state. */
typedef struct Stage {
    pcm_context *context;
    pcm_config  *config;
    Stepper      ours, none;
    double       contacts;
} Stage;

/* How PCM is attached. */
typedef enum Mode { PLAIN, LISTED, IMPLICIT } Mode;

static void open_stage(Stage *stage, const Scene *scene, Mode mode)
{
    pcm_context   *context = open_context(NULL);
    pcm_mujoco_def def = pcm_mujoco_defaults();
    def.list_contacts = mode == LISTED;
    *stage = (Stage){.context = context,
                     .config = open_text(context, scene->law, strlen(scene->law)),
                     .ours = {.model = load(context, scene->write, solved)},
                     .none = {.model = load(context, scene->write, found_only)}};
    Stepper *ours = &stage->ours, *none = &stage->none;
    ours->data = mj_makeData(ours->model);
    none->data = mj_makeData(none->model);
    ours->host = pcm_mujoco_attach(context, stage->config, ours->model, ours->data, &def);
    if (!ours->host)
        bench_fail("the rules do not fit the scene");
    settle(ours, scene->seconds);
    if (mode == IMPLICIT && pcm_mujoco_implicit(ours->host, true) != PCM_OK)
        bench_fail("steps cannot be implicit");
    none->rest = mj_copyData(NULL, ours->model, ours->data);
    stage->contacts = (double)pcm_world_contact_count(pcm_mujoco_world(ours->host));
}

static void close_stage(Stage *stage)
{
    free_stepper(&stage->ours);
    free_stepper(&stage->none);
    pcm_config_release(stage->config);
    pcm_context_free(stage->context);
}

/* MuJoCo alone, from that rest state. */
static Stepper open_own(const Stage *stage, const Scene *scene)
{
    Stepper own = {.model = load(stage->context, scene->write, solved)};
    own.data = mj_makeData(own.model);
    mju_copy(own.data->qpos, stage->ours.data->qpos, (int)own.model->nq);
    settle(&own, 0.2); /* scenes that are slow for a solver of many contacts start near rest */
    return own;
}

static void measure(Scene scene, Mode mode)
{
    static const char *const named[] = {"", ", listed", ", implicit"};

    char  title[64];
    Stage stage;
    open_stage(&stage, &scene, mode);
    Stepper own = open_own(&stage, &scene);

    const size_t    size = (size_t)stage.contacts;
    const bench_way our_way = {step, restore, &stage.ours}, own_way = {step, restore, &own};
    bench_promise   promise = {.name = title,
                               .size = size,
                               .items = stage.contacts,
                               .kind = BENCH_FASTER,
                               .goal = mode == IMPLICIT ? 0.5 : 1,
                               .clock = CLOCK_THREAD_CPUTIME_ID};
    snprintf(title, sizeof title, "step of MuJoCo, %s%s", scene.name, named[mode]);
    bench_compare(&promise, our_way, own_way);
    if (mode == PLAIN) {
        snprintf(title, sizeof title, "contact part, %s", scene.name);
        promise.goal = 10;
        bench_compare_beyond(&promise, our_way, own_way, (bench_way){step, restore, &stage.none});
        snprintf(title, sizeof title, "depth over MuJoCo's, %s", scene.name);
        bench_quantity(title, size, depth(&stage.ours) / depth(&own), 1);
    }
    free_stepper(&own);
    close_stage(&stage);
}

static void measure_steps(Scene scene)
{
    char  title[64];
    Stage plain, implicit;
    open_stage(&plain, &scene, PLAIN);
    open_stage(&implicit, &scene, IMPLICIT);
    Stepper           own = open_own(&plain, &scene);
    const bench_rival rivals[] = {{"own", {step, restore, &own}}, {"implicit", {step, restore, &implicit.ours}}};
    snprintf(title, sizeof title, "%s, %s", mj_versionString(), scene.name);
    bench_compare_all(&(bench_promise){.name = title,
                                       .size = (size_t)plain.contacts,
                                       .items = 1,
                                       .kind = BENCH_FASTER,
                                       .clock = CLOCK_THREAD_CPUTIME_ID},
                      (bench_way){step, restore, &plain.ours}, rivals, sizeof rivals / sizeof *rivals);
    free_stepper(&own);
    close_stage(&implicit);
    close_stage(&plain);
}

/* Our part alone, by number of contacts. */
static void measure_alone(Scene scene)
{
    char  title[64];
    Stage stage;
    open_stage(&stage, &scene, PLAIN);
    snprintf(title, sizeof title, "contact part, %s", scene.name);
    bench_compare_beyond(&(bench_promise){.name = title,
                                          .size = (size_t)stage.contacts,
                                          .items = stage.contacts,
                                          .kind = BENCH_NANOSECONDS,
                                          .clock = CLOCK_THREAD_CPUTIME_ID},
                         (bench_way){step, restore, &stage.ours}, (bench_way){0},
                         (bench_way){step, restore, &stage.none});
    close_stage(&stage);
}

int main(int argc, char **argv)
{
    /* For a body with many contacts, the slope of friction is limited by the step h: mu fn c h (1/m + r^2/I), summed
     * over the contacts, is below 2. */
    static const char spheres[] =
        "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 200; }; DefaultPair -> C;";
    static const char boxes[] = "ContactType C = ViscoelasticGround { GroundStiffness = 4e4; GroundDamping = 50; "
                                "TanhRate = 5; }; DefaultPair -> C;";
    static const char pile[] = "ContactType C = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 40; "
                               "TanhRate = 0.2; }; DefaultPair -> C;";
    const Scene       scenes[] = {{"spheres on a plane", spheres, write_spheres, 1},
                                  {"boxes on a plane", boxes, write_boxes, 1},
                                  {"pile of 256 spheres", pile, write_pile, 6}};
    enum { SCENES = sizeof scenes / sizeof *scenes, RESTING = 2 };
    bench_start(argc, argv, "[steps]");
    const bool all = bench_settings()->word_count == 0;
    for (size_t i = 0; i < SCENES; i++)
        all ? measure(scenes[i], PLAIN) : measure_steps(scenes[i]);
    for (Mode mode = LISTED; all && mode <= IMPLICIT; mode++)
        for (size_t i = 0; i < RESTING; i++)
            measure(scenes[i], mode);
    if (all)
        measure_alone((Scene){"1024 spheres", spheres, write_many, 0.2});
}

/* SPDX-License-Identifier: MIT */
/* The kit's balls in LAMMPS, which reads the rules itself and has messages of its own. */
#define _GNU_SOURCE 1 /* setenv */
#include "kit.h"
#include "../../core/fixture.h"

#include <library.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int pcm_lammps_register(void *lammps);

typedef struct simulation {
    void *lammps;
    char  rules[32]; /* the path of a file */
} simulation;

__attribute__((format(printf, 2, 3))) static void command(simulation *s, const char *format, ...)
{
    char    text[512];
    va_list arguments;
    va_start(arguments, format);
    assert_in_range(vsnprintf(text, sizeof text, format, arguments), 1, sizeof text - 1);
    va_end(arguments);
    (void)lammps_command(s->lammps, text);
}

static void write_rules(simulation *s, const char *rules)
{
    (void)snprintf(s->rules, sizeof s->rules, "/tmp/kitXXXXXX");
    const int number = mkstemp(s->rules);
    FILE     *file = number >= 0 ? fdopen(number, "w") : NULL;
    assert_non_null(file);
    assert_true(fputs(rules, file) >= 0 && fclose(file) == 0);
}

static void add_ball(simulation *s, const kit_body *b, int id)
{
    const double volume = 4.0 / 3 * acos(-1) * b->radius * b->radius * b->radius;
    command(s, "create_atoms %d single %.17g %.17g %.17g", id, b->at[0], b->at[1], b->at[2]);
    command(s, "set atom %d diameter %.17g density %.17g", id, 2 * b->radius, b->mass / volume);
    command(s, "set atom %d omega %.17g %.17g %.17g", id, b->spin[0], b->spin[1], b->spin[2]);
    command(s, "group ball%d id %d", id, id);
    command(s, "velocity ball%d set %.17g %.17g %.17g", id, b->velocity[0], b->velocity[1], b->velocity[2]);
}

static void *make(const kit_scene *scene, pcm_context *context, pcm_config *config)
{
    (void)context, (void)config;
    static const char *const beginning[] = {"units si",
                                            "atom_style sphere",
                                            "atom_modify map array",
                                            "newton off",
                                            "comm_modify vel yes",
                                            "boundary f f f",
                                            "region space block -5 5 -5 5 -1 10"};
    char                     program[] = "kit", log[] = "-log", none[] = "none", screen[] = "-screen",
         *words[] = {program, log, none, screen, none};
    const double *g = scene->gravity, size = sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2]);
    char          names[128] = "";
    simulation   *s = test_calloc(1, sizeof *s);
    write_rules(s, scene->rules);
    s->lammps = lammps_open_no_mpi(5, words, NULL);
    (void)pcm_lammps_register(s->lammps);
    for (size_t i = 0; i < sizeof beginning / sizeof *beginning; i++)
        command(s, "%s", beginning[i]);
    command(s, "create_box %d space", (int)scene->count);
    for (size_t i = 0, end = 0; i < scene->count; i++) {
        add_ball(s, &scene->bodies[i], (int)i + 1);
        end += (size_t)snprintf(names + end, sizeof names - end, " %s", scene->bodies[i].name);
    }
    command(s, "pair_style pcm %s", s->rules);
    command(s, "pair_coeff * *%s", names);
    command(s, "neighbor 0.01 nsq");
    command(s, "timestep %.17g", scene->step);
    command(s, "fix ground all wall/pcm Ground plane 0 0 0 0 0 1");
    if (size > 0)
        command(s, "fix weight all gravity %.17g vector %.17g %.17g %.17g", size, g[0], g[1], g[2]);
    command(s, "fix move all nve/sphere");
    command(s, "run 0");
    return s;
}

static void step(void *engine) { command(engine, "run 1 pre no post no"); }

static kit_motion look(void *engine, size_t body)
{
    const simulation *s = engine;
    kit_motion        m;
    double          **at = lammps_extract_atom(s->lammps, "x"), **velocity = lammps_extract_atom(s->lammps, "v");
    double          **spin = lammps_extract_atom(s->lammps, "omega");
    const int        *ids = lammps_extract_atom(s->lammps, "id");
    size_t            row = 0;
    while (ids[row] != (int)body + 1)
        row++;
    for (int k = 0; k < 3; k++) {
        m.at[k] = at[row][k];
        m.velocity[k] = velocity[row][k];
        m.spin[k] = spin[row][k];
    }
    return m;
}

static void free_all(void *engine)
{
    simulation *s = engine;
    lammps_close(s->lammps);
    (void)unlink(s->rules);
    test_free(s);
}

int main(void)
{
    static const kit_engine lammps = {make, step, look, free_all, NULL, false, 1e-9, 1e-6, 1e-12};
    if (setenv("PCM_PLUGIN_PATH", TEST_PLUGINS, 1) != 0)
        return 1;
    const int failed = kit_run_balls(&lammps);
    lammps_mpi_finalize();
    return failed;
}

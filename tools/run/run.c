/* SPDX-License-Identifier: MIT */
/* run.c - pcm run: simulates a scene in MuJoCo with the contact laws of a .pcm file. */
#include "run.h"
#include "checkpoint.h"
#include "crash.h"
#include "interrupt.h"
#include "outside.h"
#include "scene_object.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <pcm/messages.h>

/* ---- Setting up -------------------------------------------------------------------------------------------------- */

static bool choose_keyframe(run *r)
{
    const char *name = r->options->keyframe;
    if (!name)
        return true;
    const int key = mj_name2id(r->model, mjOBJ_KEY, name);
    if (key >= 0) {
        mj_resetDataKeyframe(r->model, r->data, key);
        return true;
    }
    const char **names = calloc((size_t)r->model->nkey + 1, sizeof *names);
    for (int i = 0, n = 0; names && i < r->model->nkey; i++) {
        names[n] = mj_id2name(r->model, mjOBJ_KEY, i);
        n += names[n] != NULL;
    }
    command_error(PCM_MSG_NO_KEYFRAME, "%s has no keyframe '%s'%s", r->options->scene, name,
                  names ? options_did_you_mean(name, names).text : "");
    free(names);
    return false;
}

static bool uses_cvode(const run_options *options) { return options->solver && strcmp(options->solver, "cvode") == 0; }

static void warn_of_logs(const run *r)
{
    for (size_t i = 0; i < pcm_config_type_count(r->config) && !r->options->log; i++) {
        const pcm_type_info *type = pcm_type_get_info(pcm_config_type_at(r->config, i));
        if (!*type->common->log_file || (type->model->flags & PCM_HOST_CONTACT))
            continue;
        command_message(PCM_WARNING, PCM_MSG_LOG_UNWANTED, &type->place,
                        "LogFile \"%s\" is not written without --log DIR", type->common->log_file);
    }
}

/* A sink. Contacts without a force are reported as warnings, one for each pair, before the step fails. Keeps the first
 * of them as the reason in the error that ends the run. */
static void take_diagnostic(void *user, const pcm_diagnostic *diagnostic)
{
    run           *r = user;
    const uint32_t code = diagnostic->code;
    if (r->tries && diagnostic->severity != PCM_ERROR)
        return;
    if (code != PCM_MSG_BAD_MOTION && code != PCM_MSG_BAD_RESULT && code != PCM_MSG_INPUT_MISSING) {
        command_report(NULL, diagnostic);
    } else if (r->faults++ == 0) {
        r->fault_code = code;
        (void)snprintf(r->fault, sizeof r->fault, "%s", diagnostic->message);
    }
}

static void tell_fault(const run *r)
{
    if (r->faults == 0)
        return;
    char others[64] = "";
    if (r->faults > 1)
        (void)snprintf(others, sizeof others, " (and of %zu other pairs)", r->faults - 1);
    command_error(r->fault_code, "the run stopped after %s s: %s%s", pcm_number(r->reached - r->start, 6).text,
                  r->fault, others);
}

static bool load(run *r)
{
    r->context = command_context(r->options->plugins, take_diagnostic, r);
    if (!r->context)
        return false;
    interrupt_arm();
    r->config = command_config(r->context, r->options->rules, &r->options->settings);
    const bool keeps = r->options->save || r->options->resume;
    if (r->config && outside_try(r->config) && (!keeps || checkpoint_hash_laws(r)))
        r->model = scene_load(r->context, r->options->scene, &r->options->robot);
    r->data = r->model ? mj_makeData(r->model) : NULL;
    return r->data;
}

static bool make_log_directory(const run *r)
{
    if (!r->options->log || mkdir(r->options->log, 0777) == 0 || errno == EEXIST)
        return true;
    command_error(PCM_MSG_TABLE_FILE, "%s: the directory could not be created: %s", r->options->log, strerror(errno));
    return false;
}

static bool attach(run *r, const char *log_directory)
{
    pcm_mujoco_def def = pcm_mujoco_defaults();
    def.log_directory = log_directory;
    def.surfaces = r->options->surfaces.at;
    def.n_surfaces = r->options->surfaces.count;
    def.ledger = r->options->energy;
    def.advise_step = !r->options->explicit; /* of explicit ones the run checks more, and reports at its end */
    def.log_continue = r->options->resume != NULL;
    def.own_boxes = !r->options->engine_boxes;
    def.own_convex = !r->options->engine_convex;
    def.implicit = !r->options->explicit;
    def.input = r->options->given ? given_value : NULL;
    def.input_user = &r->given;
    r->host = pcm_mujoco_attach(r->context, r->config, r->model, r->data, &def);
    if (!r->host || !clouds_give(&r->options->clouds, r->host, &r->hashes.clouds) ||
        (r->options->given && !given_read(&r->given, r->options->given, r->host, &r->hashes.given)))
        return false;
    return true;
}

static void choose_integration(const run *r)
{
    r->model->opt.enableflags |= r->options->energy ? mjENBL_ENERGY : 0;
    if (r->options->step > 0)
        r->model->opt.timestep = r->options->step;
    if (r->options->solver && !uses_cvode(r->options))
        r->model->opt.integrator = pcm_mujoco_integrator(r->options->solver);
}

/* Whether steps advance the clock, which a keyframe may set. */
static bool check_clock(const run *r)
{
    const double time = r->data->time, step = r->model->opt.timestep;
    if (fabs(time) / step < 1e15)
        return true;
    command_error(PCM_MSG_SOLVER, "the scene starts at %s s, where steps of %s s do not advance the clock",
                  pcm_number(time, 6).text, pcm_number(step, 6).text);
    return false;
}

/* MuJoCo finds the energy in its steps alone; before the first one a copy does, as this changes warm starts and bits.
 */
static void find_first_energy(const run *r)
{
    mjData *copy = mj_copyData(NULL, r->model, r->data);
    if (!copy)
        return;
    const int disabled = r->model->opt.disableflags;
    r->model->opt.disableflags |= mjDSBL_CONTACT;
    mj_fwdPosition(r->model, copy);
    r->model->opt.disableflags = disabled;
    mj_energyPos(r->model, copy);
    mj_energyVel(r->model, copy);
    mju_copy(r->data->energy, copy->energy, 2);
    mj_deleteData(copy);
}

/* Starts from the initial state of the scene. */
static bool begin(run *r)
{
    if (!choose_keyframe(r) || !check_clock(r) || !attach(r, r->options->log) ||
        (r->options->out &&
         !trajectory_create(&r->trajectory, r->options->out, r->model, r->options->depth, r->options->energy)))
        return false;
    r->start = r->data->time;
    if (!run_start_contacts(r))
        return false;
    const bool eased = r->options->ease <= 0 || pcm_mujoco_ease(r->host, r->options->ease) == PCM_OK;
    tell_fault(r);
    return eased;
}

/* Whether easing is over: the depths that --ease subtracts are not saved. */
static bool is_eased(const run *r) { return r->options->ease <= 0 || r->data->time >= r->start + r->options->ease; }

/* Starts from a saved run. Its files are cut back only after everything in it has been accepted. */
static bool resume(run *r)
{
    const checkpoint *from = &r->resumed;
    r->tries = true;
    if (!checkpoint_read(&r->resumed, r->options->resume) || !attach(r, NULL) || !checkpoint_matches(from, r) ||
        !checkpoint_take(from, r))
        return false;
    if (!is_eased(r)) {
        command_error(PCM_MSG_RUN_CHECKPOINT,
                      "%s: was saved while --ease was at work, which cannot continue: save later", from->path);
        return false;
    }
    pcm_mujoco_free(r->host);
    r->host = NULL;
    given_free(&r->given);
    r->tries = false;
    return checkpoint_cut_logs(from, r) && attach(r, r->options->log) && checkpoint_take(from, r) &&
           checkpoint_take_tables(from, r);
}

/* Checks that the steps can be counted: all times are multiples of the step. */
static bool check_steps(const run *r)
{
    if (r->options->time / r->model->opt.timestep < 1e15)
        return true;
    command_error(PCM_MSG_SOLVER, "%s s in steps of %s s are more than 1e15 steps",
                  pcm_number(r->options->time, 6).text, pcm_number(r->model->opt.timestep, 6).text);
    return false;
}

static bool set_up(run *r)
{
    if (!load(r) || !make_log_directory(r))
        return false;
    choose_integration(r);
    if (!check_steps(r) ||
        (r->options->controls && !controls_read(&r->controls, r->options->controls, r->model, &r->hashes.controls)) ||
        !(r->options->resume ? resume(r) : begin(r)))
        return false;
    if (r->options->energy)
        find_first_energy(r);
    r->reached = r->data->time;
    warn_of_logs(r);
    if (r->options->sense && !r->options->resume &&
        !sensing_open(&r->sensing, r->options->sense, r->host, r->options->every))
        return false;
    r->writes_trajectory = r->options->out != NULL;
    r->end = r->start + r->options->time;
    r->bar = progress_start();
    return record_begin(r);
}

static void tear_down(run *r)
{
    checkpoint_free(&r->resumed);
    series_free(&r->controls);
    thrown_stop(&r->thrown);
    (void)record_end(r);
    given_free(&r->given);
    pcm_mujoco_free(r->host);
    if (r->data)
        mj_deleteData(r->data);
    if (r->model)
        mj_deleteModel(r->model);
    pcm_config_release(r->config);
    pcm_context_free(r->context);
}

/* ---- Running ----------------------------------------------------------------------------------------------------- */

bool run_row_due(const run *r)
{
    return r->data->time >= r->start + (double)r->rows * r->options->every - 1e-9 * r->options->every;
}

void run_show_progress(run *r)
{
    char text[64];
    if (!progress_due(&r->bar))
        return;
    (void)snprintf(text, sizeof text, "t = %.3f s, %zu contacts", r->data->time,
                   pcm_world_contact_count(pcm_mujoco_world(r->host)));
    progress_at(&r->bar, (r->data->time - r->start) / (r->end - r->start), text);
}

/* J, of motion, gravity and springs, and stored in contacts: all of the state that the last step began with. */
static double energy_of(const run *r)
{
    double energy = r->data->energy[0] + r->data->energy[1];
    for (size_t i = 0; i < pcm_config_type_count(r->config); i++) {
        pcm_ledger ledger = {.size = sizeof ledger};
        if (pcm_world_type_ledger(pcm_mujoco_world(r->host), pcm_config_type_at(r->config, i), &ledger) == PCM_OK)
            energy += ledger.stored;
    }
    return energy;
}

void run_record(run *r)
{
    r->reached = r->data->time;
    if (r->writes_trajectory && run_row_due(r)) {
        const double energy = r->options->energy ? energy_of(r) : 0;
        trajectory_row(&r->trajectory, r->model, r->data, r->options->depth, r->options->energy ? &energy : NULL);
        r->rows++;
    }
    run_show_progress(r);
}

/* Log rows wait in memory until they are flushed, which is needed only from time to time. */
enum { STEPS_PER_FLUSH = 256, STEPS_PER_LOOK = 16 };

static bool fixed_step(run *r)
{
    series_at(&r->controls, r->data->time, r->data->ctrl);
    record_energies(r);
    const double from = r->data->time;
    if (pcm_mujoco_step(r->host) != PCM_OK || !sensing_rows(&r->sensing, r->host, from))
        return false;
    record_step(r);
    r->steps++;
    thrown_meet(&r->thrown);
    thrown_step(&r->thrown, r->data->time - from);
    if (r->options->explicit && !r->advised)
        advice_look(&r->advice);
    if (r->steps % STEPS_PER_LOOK == 1 && thrown_look(&r->thrown))
        r->advised = true; /* advice on the step is not useful once a body is thrown */
    run_record(r);
    return r->steps % STEPS_PER_FLUSH != 0 || pcm_world_flush(pcm_mujoco_world(r->host)) == PCM_OK;
}

/* The number of steps: at least one. */
static size_t steps_in(double time, double step) { return (size_t)fmin(fmax(ceil(time / step - 1e-6), 1), 1e15); }

static bool fixed_steps(run *r)
{
    const double step = r->model->opt.timestep;
    const size_t steps = steps_in(r->end - r->start, step);
    const size_t often = r->options->often > 0 ? steps_in(r->options->often, step) : SIZE_MAX;
    r->advice = advice_start(r->host);
    if (!r->options->resume)
        run_record(r);
    while (r->steps < steps && !interrupt_asked())
        if (!fixed_step(r) || (r->steps % often == 0 && r->options->save && !checkpoint_write(r)))
            return false;
    if (r->options->save && !is_eased(r))
        command_message(PCM_WARNING, PCM_MSG_RUN_CHECKPOINT, NULL,
                        "%s: --ease is at work until t = %s s, and no run can continue from before: save later",
                        r->options->save, pcm_number(r->start + r->options->ease, 4).text);
    return !r->options->save || checkpoint_write(r);
}

static int simulate(run *r)
{
    bool done = r->options->given || thrown_start(&r->thrown, r->host, r->model); /* given forces may throw bodies */
    crash_watch_world(pcm_mujoco_world(r->host));
    done = done && (uses_cvode(r->options) ? run_with_cvode(r) : fixed_steps(r));
    progress_end(&r->bar);
    tell_fault(r);
    advice_tell(&r->advice);
    if (r->reached == r->data->time)
        (void)thrown_look(&r->thrown);
    thrown_tell(&r->thrown, !uses_cvode(r->options));
    done = pcm_world_flush(pcm_mujoco_world(r->host)) == PCM_OK && done;
    summary_print(r);
    done = record_end(r) && done;
    crash_watch_world(NULL);
    return done ? EXIT_GOOD : EXIT_WRONG;
}

static const char about[] =
    "Simulates a MuJoCo scene (MJCF or URDF) with the contact laws that the rules of FILE.pcm assign to its\n"
    "pairs. Objects are geoms, with the name of the geom or else of its body; surfaces are the names of materials.\n"
    "Pairs without a rule, and those of DefaultContact, keep MuJoCo's own contacts.\n"
    "At the end a table shows for each rule how many contacts were made, parted and broken, and their largest\n"
    "depth, slip and force.";

static const char examples[] =
    "  pcm run configs/climber/climber.xml configs/climber/climber.pcm \\\n"
    "      --ctrl configs/climber/climber.csv --time 5 --log logs --out climber_out.csv --every 0.01\n"
    "  pcm run configs/disc/disc.xml configs/disc/disc.pcm --keyframe start \\\n"
    "      --solver cvode --rtol 1e-9 --events events.csv --log logs";

static int run_files(const command_line *line, const run_options *options)
{
    const bool cvode = uses_cvode(options);
    if (options->solver && !cvode && pcm_mujoco_integrator(options->solver) < 0)
        return options_refuse(line, "this release of MuJoCo has no solver '%s': use euler, rk4, implicit%s%s or cvode",
                              options->solver, pcm_mujoco_integrator("implicitfast") < 0 ? "" : ", implicitfast",
                              pcm_mujoco_integrator("discrete") < 0 ? "" : ", discrete");
    if (!cvode && (options->rtol > 0 || options->atol > 0 || options->events))
        return options_refuse(line, "--rtol, --atol and --events need --solver cvode");
    if (cvode && options->sense)
        return options_refuse(line, "--sense is for fixed steps: with CVODE, use logs with Sensing = true");
    if (cvode && options->explicit)
        return options_refuse(line, "--explicit is for fixed steps: CVODE is implicit");
    if (cvode && (options->save || options->resume))
        return options_refuse(line, "--save and --resume are for fixed steps: CVODE's own memory is not saved");
    if (options->often > 0 && !options->save)
        return options_refuse(line, "--save-every needs --save FILE");
    if (options->resume && (options->keyframe || options->states))
        return options_refuse(line, "--keyframe and --states are for a start, not for --resume");
    run r = {.options = options};
    int status = set_up(&r) ? simulate(&r) : EXIT_WRONG;
    if (r.trajectory.file && !csv_finish(&r.trajectory))
        status = EXIT_WRONG;
    if (!sensing_close(&r.sensing))
        status = EXIT_WRONG;
    tear_down(&r);
    interrupt_pass_on();
    return command_excuse(status);
}

int run_run(int argc, char **argv)
{
    run_options options = {.time = 1, .robot = OPTION_ROBOT_NONE};
    option      table[] = {
             {.name = "--time", .value = "S", .doc = "simulate for S seconds; default 1", .positive = &options.time},
             {.name = "--step", .value = "S", .doc = "time step; default: the scene's", .positive = &options.step},
             {.name = "--solver",
              .value = "NAME",
              .doc = "euler, rk4, implicit, implicitfast, discrete or cvode; default: the scene's integrator",
              .text = &options.solver},
             {.name = "--explicit",
              .doc = "steps have the laws' forces at their start, and must be small; default: implicit in contacts",
              .flag = &options.explicit},
             {.name = "--engine-boxes",
              .doc = "MuJoCo detects contacts of boxes, too, although it may halve their depths",
              .flag = &options.engine_boxes},
             {.name = "--engine-convex",
              .doc = "MuJoCo detects contacts of meshes, cylinders and height fields, too: single points, prism by prism",
              .flag = &options.engine_convex},
             {.name = "--rtol", .value = "R", .doc = "cvode: relative tolerance; default 1e-6", .positive = &options.rtol},
             {.name = "--atol",
              .value = "A",
              .doc = "cvode: absolute tolerance, in SI units; default 1e-9",
              .positive = &options.atol},
             {.name = "--events",
              .value = "OUT.csv",
              .doc = "cvode: write every event with its time",
              .text = &options.events},
             {.name = "--states",
              .value = "IN.csv",
              .doc = "initial states of contacts: columns a, b and the states",
              .text = &options.states},
             {.name = "--keyframe", .value = "NAME", .doc = "start from this keyframe", .text = &options.keyframe},
             {.name = "--ease",
              .value = "S",
              .doc = "objects that overlap at the start separate within S seconds, without being thrown",
              .positive = &options.ease},
             OPTION_ROBOT(&options.robot),
             {.name = "--ctrl",
              .value = "CONTROLS.csv",
              .doc = "actuator inputs: columns time and actuators, actuator0 for a first one without a name; linear between "
                          "rows",
              .text = &options.controls},
             {.name = "--cloud",
              .value = "OBJECT=POINTS.csv",
              .doc = "the object touches by these points, columns x, y and z, in place of its shape; may be repeated",
              .texts = &options.clouds},
             {.name = "--given",
              .value = "IN.csv",
              .doc = "inputs of laws, such as given forces: columns time, a, b and the inputs; linear between rows",
              .text = &options.given},
             {.name = "--sense",
              .value = "OUT.csv",
              .doc = "write the measurable quantities of every pair with a law, in contact or not: a row each",
              .text = &options.sense},
             {.name = "--log",
              .value = "DIR",
              .doc = "write the LogFiles into DIR, which is created if necessary",
              .text = &options.log},
             {.name = "--out",
              .value = "OUT.csv",
              .doc = "write time, then all of qpos, then all of qvel, with --energy also the energy of the step before",
              .text = &options.out},
             {.name = "--every",
              .value = "S",
              .doc = "time between rows of --out and --sense, default: the step; and frames of --replay, default: 1/60",
              .positive = &options.every},
             {.name = "--replay",
              .value = "OUT.html",
              .doc = "record the run as a page for a browser",
              .text = &options.replay},
             {.name = "--collisions",
              .doc = "on the page: also the geoms that MuJoCo's viewer hides, of bodies that have others to look at",
              .flag = &options.collisions},
             {.name = "--save",
              .value = "FILE",
              .doc = "save the run at its end, also when a signal ends it",
              .text = &options.save},
             {.name = "--save-every",
              .value = "S",
              .doc = "save it every S seconds of the simulation, too",
              .positive = &options.often},
             {.name = "--resume",
              .value = "FILE",
              .doc = "continue a run that was saved, with the same files and options",
              .text = &options.resume},
             {.name = "--energy",
              .doc = "report energy in the final table, in --out and in the logs",
              .flag = &options.energy},
             {.name = "--depth",
              .doc = "in --out also the root of the sum of the squared depths of all contacts of the step before",
              .flag = &options.depth},
             OPTION_SURFACES(&options.surfaces),
             OPTION_SET(&options.settings),
             OPTION_PLUGINS(&options.plugins),
    };
    const command_line line = {
        .name = "run",
        .usage = "SCENE.xml FILE.pcm [options]",
        .about = about,
        .examples = examples,
        OPTIONS(table),
        .min_words = 2,
        .max_words = 2,
    };
    option_texts words = {0};
    int          status;
    if (options_read(&line, argc, argv, &words, &status)) {
        options.scene = words.at[0];
        options.rules = words.at[1];
        status = run_files(&line, &options);
    }
    free(words.at);
    free(options.surfaces.at);
    free(options.robot.packages.at);
    free(options.clouds.at);
    free(options.settings.at);
    return status;
}

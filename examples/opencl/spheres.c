/* SPDX-License-Identifier: MIT */
/* spheres.c - spheres fall into a box: in OpenCL, with the law in the header that `pcm export` writes, and in C, with
 * the law's plugin. Every bit is the same. */
#include "scene.h"

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <pcm/pcm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double gravity = 9.81, dt = 5e-5;
enum { TOGETHER = 10 }; /* steps with the same rows: grains move less than near_enough meanwhile */

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- In C ----------------------------------------------------------------------------------------------------------
 */

enum { COLUMNS = 32, STATES = 5 };

/* Rows as columns, and what they give. */
typedef struct columns {
    double   *memory;
    double   *column[COLUMNS];
    wrench   *wrenches;
    vector   *points;
    touching *touches;
} columns;

static int columns_open(columns *c, size_t rows)
{
    *c = (columns){.memory = calloc(COLUMNS * rows + 1, sizeof(double)),
                   .wrenches = calloc(rows + 1, sizeof(wrench)),
                   .points = calloc(rows + 1, sizeof(vector)),
                   .touches = calloc(rows + 1, sizeof(touching))};
    for (size_t k = 0; c->memory && k < COLUMNS; k++)
        c->column[k] = c->memory + k * rows;
    return c->memory && c->wrenches && c->points && c->touches;
}

static void columns_close(columns *c)
{
    free(c->memory);
    free(c->wrenches);
    free(c->points);
    free(c->touches);
}

/* Calls the law for all rows; those without contact too, whose results are not used. */
static int call_law(const pcm_type *type, columns *c, const scene *s)
{
    double *const *at = c->column;
    const double  *state[STATES] = {at[9], at[10], at[11], at[12], at[13]};
    double        *next[STATES] = {at[14], at[15], at[16], at[17], at[18]}, *rate[STATES];
    double        *event[8];
    for (size_t k = 0; k < STATES; k++)
        rate[k] = at[COLUMNS - 1];
    for (size_t k = 0; k < 8; k++)
        event[k] = at[COLUMNS - 1];
    const pcm_batch batch = {.size = sizeof batch,
                             .count = s->n_rows,
                             .dt = dt,
                             .depth = at[0],
                             .depth_rate = at[1],
                             .slip_x = at[2],
                             .slip_y = at[3],
                             .spin_x = at[4],
                             .spin_y = at[5],
                             .spin_n = at[6],
                             .radius = at[7],
                             .mass = at[8],
                             .state = state,
                             .next = next,
                             .rate = rate,
                             .event = event,
                             .force_n = at[19],
                             .force_x = at[20],
                             .force_y = at[21],
                             .moment_n = at[22],
                             .moment_x = at[23],
                             .moment_y = at[24],
                             .energy = at[25],
                             .dissipation = at[26],
                             .life = (int64_t *)at[27],
                             .mode = (int64_t *)at[28],
                             .elastic_n = at[29],
                             .adhesive_n = at[29],
                             .pull_off = at[29],
                             .patch_radius = at[30]};
    return pcm_type_call(type, PCM_UPDATE, &batch) == PCM_OK;
}

static void fill_columns(columns *c, const scene *s)
{
    for (size_t i = 0; i < s->n_rows; i++) {
        const row     *r = &s->rows[i];
        const touching t = touch_of(s->grains[r->base], s->grains[r->follower]);
        const vector   stretch = onto_plane(r->stretch, t.n), roll = onto_plane(r->roll, t.n);
        const double   numbers[] = {t.depth,
                                    t.depth_rate,
                                    t.slip_x,
                                    t.slip_y,
                                    t.spin_x,
                                    t.spin_y,
                                    t.spin_n,
                                    t.radius,
                                    t.mass,
                                    dot_of(stretch, t.x),
                                    dot_of(stretch, t.y),
                                    r->circle,
                                    dot_of(roll, t.x),
                                    dot_of(roll, t.y)};
        for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
            c->column[k][i] = numbers[k];
        c->touches[i] = t;
    }
}

static void use_results(columns *c, scene *s)
{
    double *const *at = c->column;
    for (size_t i = 0; i < s->n_rows; i++) {
        const touching *t = &c->touches[i];
        row            *r = &s->rows[i];
        c->points[i] = t->point;
        c->wrenches[i] = (wrench){0};
        if (t->depth < 0) {
            *r = (row){.base = r->base, .follower = r->follower};
            continue;
        }
        c->wrenches[i].force = in_world(*t, at[20][i], at[21][i], at[19][i]);
        c->wrenches[i].torque = in_world(*t, at[23][i], at[24][i], at[22][i]);
        r->stretch = in_world(*t, at[14][i], at[15][i], 0);
        r->circle = at[16][i];
        r->roll = in_world(*t, at[17][i], at[18][i], 0);
    }
}

static void move_grains(const columns *c, scene *s)
{
    for (size_t i = WALLS; i < s->count; i++) {
        wrench sum = {{0, 0, 0}, {0, 0, 0}};
        for (grain_int k = s->first[i]; k < s->first[i + 1]; k++)
            sum = with_contact(sum, c->wrenches[s->sides[k] / 2], c->points[s->sides[k] / 2], s->grains[i],
                               (int)(s->sides[k] % 2));
        s->grains[i] = moved(s->grains[i], sum, gravity, dt);
    }
}

/* Steps with the rows that the scene has. */
static int step_in_c(const pcm_type *type, scene *s, int steps)
{
    columns c;
    int     works = columns_open(&c, s->n_rows);
    for (int k = 0; k < steps && works; k++) {
        fill_columns(&c, s);
        works = call_law(type, &c, s);
        use_results(&c, s);
        move_grains(&c, s);
    }
    columns_close(&c);
    return works;
}

/* ---- In OpenCL -----------------------------------------------------------------------------------------------------
 */

typedef struct device {
    cl_context       context;
    cl_command_queue queue;
    cl_program       program;
    cl_kernel        contacts, bodies;
} device;

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0)
        return NULL;
    const long size = ftell(file);
    char      *text = size >= 0 ? calloc((size_t)size + 1, 1) : NULL;
    rewind(file);
    if (text && fread(text, 1, (size_t)size, file) != (size_t)size)
        text[0] = 0;
    fclose(file);
    return text;
}

/* The program is the law's header, then the grains, then the kernels. */
static int build(device *d, cl_device_id id, const char *const paths[3])
{
    char  *texts[3] = {read_text(paths[0]), read_text(paths[1]), read_text(paths[2])};
    cl_int status = CL_INVALID_VALUE;
    if (texts[0] && texts[1] && texts[2]) {
        d->program = clCreateProgramWithSource(d->context, 3, (const char **)texts, NULL, &status);
        status = status ? status : clBuildProgram(d->program, 1, &id, "-cl-std=CL1.2", NULL, NULL);
    }
    if (status == CL_BUILD_PROGRAM_FAILURE) {
        static char log[20000];
        clGetProgramBuildInfo(d->program, id, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    for (int k = 0; k < 3; k++)
        free(texts[k]);
    return status == CL_SUCCESS;
}

static int device_open(device *d, const char *const paths[3])
{
    cl_platform_id platform;
    cl_device_id   id;
    cl_int         status;
    *d = (device){0};
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &id, NULL)) {
        fprintf(stderr, "there is no OpenCL device\n");
        return 0;
    }
    d->context = clCreateContext(NULL, 1, &id, NULL, NULL, &status);
    d->queue = status ? NULL : clCreateCommandQueue(d->context, id, 0, &status);
    if (status || !build(d, id, paths))
        return 0;
    d->contacts = clCreateKernel(d->program, "contacts", &status);
    d->bodies = status ? NULL : clCreateKernel(d->program, "bodies", &status);
    return status == CL_SUCCESS;
}

static void device_close(device *d)
{
    if (d->contacts)
        clReleaseKernel(d->contacts);
    if (d->bodies)
        clReleaseKernel(d->bodies);
    if (d->program)
        clReleaseProgram(d->program);
    if (d->queue)
        clReleaseCommandQueue(d->queue);
    if (d->context)
        clReleaseContext(d->context);
}

enum { GRAINS, ROWS, WRENCHES, POINTS, FIRST, SIDES, BUFFERS };

/* The arguments of a kernel: buffers by their numbers, then numbers. */
static void set_arguments(cl_kernel kernel, const cl_mem *buffers, const int *which, int n_buffers,
                          const double *numbers, int n_numbers, cl_long count)
{
    cl_uint at = 0;
    for (int k = 0; k < n_buffers; k++)
        clSetKernelArg(kernel, at++, sizeof(cl_mem), &buffers[which[k]]);
    for (int k = 0; k < n_numbers; k++)
        clSetKernelArg(kernel, at++, sizeof(double), &numbers[k]);
    clSetKernelArg(kernel, at, sizeof count, &count);
}

static int run_steps(device *d, const cl_mem *buffers, const scene *s, int steps)
{
    static const int of_contacts[] = {GRAINS, ROWS, WRENCHES, POINTS};
    static const int of_bodies[] = {GRAINS, WRENCHES, POINTS, FIRST, SIDES};
    const double     numbers[] = {gravity, dt};
    const size_t     rows = (s->n_rows + 63) / 64 * 64, grains = (s->count + 63) / 64 * 64, group = 64;
    cl_int           status = CL_SUCCESS;
    set_arguments(d->contacts, buffers, of_contacts, 4, &numbers[1], 1, (cl_long)s->n_rows);
    set_arguments(d->bodies, buffers, of_bodies, 5, numbers, 2, (cl_long)s->count);
    for (int k = 0; k < steps && !status; k++) {
        status = clEnqueueNDRangeKernel(d->queue, d->contacts, 1, NULL, &rows, &group, 0, NULL, NULL);
        status = status ? status : clEnqueueNDRangeKernel(d->queue, d->bodies, 1, NULL, &grains, &group, 0, NULL, NULL);
    }
    return status == CL_SUCCESS;
}

static int step_in_opencl(device *d, scene *s, int steps)
{
    const size_t sizes[BUFFERS] = {s->count * sizeof(grain),           s->n_rows * sizeof(row),
                                   s->n_rows * sizeof(wrench),         s->n_rows * sizeof(vector),
                                   (s->count + 1) * sizeof(grain_int), (2 * s->n_rows + 1) * sizeof(grain_int)};
    void *const  from[BUFFERS] = {s->grains, s->rows, NULL, NULL, s->first, s->sides};
    cl_mem       buffers[BUFFERS] = {0};
    cl_int       status = CL_SUCCESS;
    for (int k = 0; k < BUFFERS && !status; k++)
        buffers[k] = clCreateBuffer(d->context, CL_MEM_READ_WRITE | (from[k] ? CL_MEM_COPY_HOST_PTR : 0), sizes[k],
                                    from[k], &status);
    int works = !status && run_steps(d, buffers, s, steps);
    for (int k = GRAINS; k <= ROWS && works; k++)
        works = !clEnqueueReadBuffer(d->queue, buffers[k], CL_TRUE, 0, sizes[k], from[k], 0, NULL, NULL);
    for (int k = 0; k < BUFFERS; k++)
        if (buffers[k])
            clReleaseMemObject(buffers[k]);
    return works;
}

/* ---- Both ----------------------------------------------------------------------------------------------------------
 */

/* Runs the scene, in OpenCL if there is a device. */
static int run(scene *s, size_t spheres, int steps, const pcm_type *type, device *d)
{
    int          works = scene_open(s, spheres);
    const double start = seconds();
    for (int k = 0; k < steps && works; k += TOGETHER) {
        const int few = steps - k < TOGETHER ? steps - k : TOGETHER;
        works = d ? step_in_opencl(d, s, few) : step_in_c(type, s, few);
        works = works && scene_find_rows(s);
    }
    if (works)
        printf("%s: %zu spheres, %d steps, %zu pairs near each other at the end, %.0f us a step\n", d ? "OpenCL" : "C",
               spheres, steps, s->n_rows, 1e6 * (seconds() - start) / steps);
    return works;
}

static size_t count_differing(const scene *a, const scene *b)
{
    size_t differing = 0;
    for (size_t i = 0; i < a->count; i++)
        differing += memcmp(&a->grains[i], &b->grains[i], sizeof(grain)) != 0;
    return differing;
}

static void write_positions(const scene *s)
{
    FILE *file = fopen("spheres.csv", "w");
    for (size_t i = WALLS; file && i < s->count; i++) {
        const grain *g = &s->grains[i];
        fprintf(file, "%g,%g,%g,%g\n", g->position.x, g->position.y, g->position.z,
                GRAIN_LENGTH(dot_of(g->velocity, g->velocity)));
    }
    if (file)
        fclose(file);
}

static void print(void *user, const pcm_diagnostic *diagnostic)
{
    char text[1024];
    (void)user;
    pcm_diagnostic_format(diagnostic, text, sizeof text);
    fputs(text, stderr);
}

/* spheres GRAINS.pcm HEADER.h GRAINS.h GRAINS.cl [SPHERES [STEPS]] */
int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: spheres GRAINS.pcm HEADER.h GRAINS.h GRAINS.cl [SPHERES [STEPS]]\n");
        return 2;
    }
    const size_t    spheres = argc > 5 ? strtoul(argv[5], NULL, 10) : 10000;
    const int       steps = argc > 6 ? atoi(argv[6]) : 2000;
    pcm_context_def def = pcm_context_defaults();
    def.sink = print;
    pcm_context      *context = pcm_context_new(&def);
    pcm_config       *config = context ? pcm_config_load(context, argv[1]) : NULL;
    const pcm_type   *type = config ? pcm_config_type_find(config, "Grain") : NULL;
    const char *const texts[3] = {argv[2], argv[3], argv[4]};
    scene             ours = {0}, theirs = {0};
    device            d = {0};
    int               failed = 1;
    if (type && device_open(&d, texts) && run(&ours, spheres, steps, type, &d) &&
        run(&theirs, spheres, steps, type, NULL)) {
        const size_t differing = count_differing(&ours, &theirs);
        printf("%zu of %zu grains differ in some bit\n", differing, ours.count);
        write_positions(&ours);
        failed = differing != 0;
    }
    scene_close(&ours);
    scene_close(&theirs);
    device_close(&d);
    pcm_config_release(config);
    pcm_context_free(context);
    return failed;
}

/* SPDX-License-Identifier: MIT */
/* ViscoelasticGround.c - linear spring-damper ground with friction proportional to tanh of the slip. */
#include <pcm/plugin.h>

typedef struct {
    double  stiffness, damping, friction, rate;
    int64_t literal;
} Law;

enum { TOUCH_DOWN, RELEASE };

/* Columns of the Jacobian; the block of tangential forces by slips is symmetric. */
enum { N_DEPTH, N_DEPTH_RATE, X_DEPTH, X_DEPTH_RATE, X_SLIP_X, X_SLIP_Y, Y_DEPTH, Y_DEPTH_RATE, Y_SLIP_X, Y_SLIP_Y };
enum { N_SLIP_X = 10, N_SLIP_Y };

static const pcm_partial partials[] = {
    [N_DEPTH] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH},   [N_DEPTH_RATE] = {PCM_OUTPUT_FORCE_N, PCM_WRT_DEPTH_RATE},
    [X_DEPTH] = {PCM_OUTPUT_FORCE_X, PCM_WRT_DEPTH},   [X_DEPTH_RATE] = {PCM_OUTPUT_FORCE_X, PCM_WRT_DEPTH_RATE},
    [X_SLIP_X] = {PCM_OUTPUT_FORCE_X, PCM_WRT_SLIP_X}, [X_SLIP_Y] = {PCM_OUTPUT_FORCE_X, PCM_WRT_SLIP_Y},
    [Y_DEPTH] = {PCM_OUTPUT_FORCE_Y, PCM_WRT_DEPTH},   [Y_DEPTH_RATE] = {PCM_OUTPUT_FORCE_Y, PCM_WRT_DEPTH_RATE},
    [Y_SLIP_X] = {PCM_OUTPUT_FORCE_Y, PCM_WRT_SLIP_X}, [Y_SLIP_Y] = {PCM_OUTPUT_FORCE_Y, PCM_WRT_SLIP_Y},
    [N_SLIP_X] = {PCM_OUTPUT_FORCE_N, PCM_WRT_SLIP_X}, [N_SLIP_Y] = {PCM_OUTPUT_FORCE_N, PCM_WRT_SLIP_Y},
};

static void slopes(const pcm_batch *b, const Law *law, double floor)
{
    double *const *j = b->jacobian;
    PCM_EACH(b, i) {
        const double d = b->depth[i], vx = b->slip_x[i], vy = b->slip_y[i];
        const double push = law->stiffness * d + law->damping * b->depth_rate[i];
        const double on = d > floor && push > 0 ? 1 : 0, pull = -law->friction * on;
        const double speed = pcm_length(vx, vy), t = pcm_tanh(law->rate * speed);
        const double per_speed = speed > DBL_MIN ? 1 / speed : 0, ex = vx * per_speed, ey = vy * per_speed;
        const double per_slip = speed > DBL_MIN ? t * per_speed : law->rate;
        /* The slope of friction along the slip, less that across it. */
        const double bend = law->rate * (1 - t * t) - per_slip;
        j[N_DEPTH][i] = on * law->stiffness;
        j[N_DEPTH_RATE][i] = on * law->damping;
        j[N_SLIP_X][i] = j[N_SLIP_Y][i] = 0; /* given, so that no differences are taken */
        j[X_DEPTH][i] = pull * law->stiffness * (per_slip * vx);
        j[X_DEPTH_RATE][i] = pull * law->damping * (per_slip * vx);
        j[Y_DEPTH][i] = pull * law->stiffness * (per_slip * vy);
        j[Y_DEPTH_RATE][i] = pull * law->damping * (per_slip * vy);
        j[X_SLIP_X][i] = pull * push * (per_slip + bend * (ex * ex));
        j[Y_SLIP_Y][i] = pull * push * (per_slip + bend * (ey * ey));
        j[X_SLIP_Y][i] = j[Y_SLIP_X][i] = pull * push * (bend * (ex * ey));
    }
}

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_slip = law.friction * law.rate;
    const double floor = law.literal ? -INFINITY : 0; /* the depth above which the law acts */

    PCM_EACH(b, i) {
        const double d = b->depth[i], dd = b->depth_rate[i], vx = b->slip_x[i], vy = b->slip_y[i];
        const double fn = d <= floor ? 0 : pcm_ramp(law.stiffness * d + law.damping * dd);
        const double rub = per_slip * fn * pcm_tanh_ratio(law.rate * pcm_sqrt(vx * vx + vy * vy));
        const double fx = -rub * vx, fy = -rub * vy;
        b->force_n[i] = fn;
        b->force_x[i] = fx;
        b->force_y[i] = fy;
        if (b->reports) {
            /* When the point leaves faster than the ground can follow, the spring's energy goes into its damper. */
            const double pressed = pcm_ramp(d);
            const double normal = fn > 0 ? law.damping * dd * dd : -law.stiffness * pressed * dd;
            b->energy[i] = 0.5 * law.stiffness * pressed * pressed;
            b->dissipation[i] = normal - (fx * vx + fy * vy);

            /* Positive exactly while the point touches, and continuous where it leaves the ground. */
            const double touch = law.stiffness * d + pcm_min(law.damping * dd, 0);
            b->event[TOUCH_DOWN][i] = touch;
            b->event[RELEASE][i] = touch;
        }
    }
    if (b->jacobian)
        slopes(b, &law, floor);
}

PCM_DERIVED(Law, compression, load->force / law->stiffness);
PCM_DERIVED(Law, recovery_time, law->damping / law->stiffness);
PCM_DERIVED(Law, creep_speed, 1 / law->rate);

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "GroundStiffness", "N/m", 1000, "kg: force per metre of depth", PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "GroundDamping", "N*s/m", 10, "cg: force per m/s of approach", .min = 0),
    PCM_REAL(Law, friction, "Friction", "1", 0.8, "coefficient mu that friction tends to", .min = 0, .flags = PCM_CONE),
    PCM_REAL(Law, rate, "TanhRate", "s/m", 50, "c: friction is near mu fn from a slip of 1/c on", PCM_ABOVE(0)),
    PCM_SWITCH(Law, literal, "LiteralSeed", 0,
               "as printed, for study: no test for contact, so that it pushes what falls fast above the ground"),
};

static const pcm_event events[] = {
    {.name = "touch-down", .doc = "the ground begins to push", .direction = 1},
    {.name = "release", .doc = "the ground no longer pushes", .direction = -1},
};

static const pcm_derived derived[] = {
    {"compression", "m", "compression under the load, on one point", compression},
    {"recovery_time", "s", "cg/kg: the unloaded ground recovers as exp(-kg t/cg)", recovery_time},
    {"creep_speed", "m/s", "1/c: slip at which friction reaches three quarters of mu fn; it never sticks", creep_speed},
};

PCM_KERNELS(update);
PCM_MODEL(ViscoelasticGround, "Viscoelastic ground with tanh friction", .flags = PCM_ISOTROPIC | PCM_JUMPS,
          .source = "Yasui, Sakai, Kano, Owaki and Ishiguro, PLoS ONE 12(2):e0171421 (2017), S1 text",
          .equations =
              "fn = max(kg d + cg d', 0) for d > 0, else 0      d depth, d' depth rate\n"
              "ft = -mu fn tanh(c |v|) v/|v|                    v slip\n"
              "The paper tests no d > 0, and its law pushes points that fall above the ground; LiteralSeed\n"
              "does so too. Friction never sticks: on a slope of angle a a point creeps with\n"
              "v = atanh(tan(a)/mu)/c.\n"
              "Holds for points on damped ground, slow enough that c |v| is not small where they should stay.\n",
          .params = PCM_TABLE(params), .events = PCM_TABLE(events), .derived = PCM_TABLE(derived),
          .partials = PCM_TABLE(partials), .inputs = PCM_DEPTH | PCM_DEPTH_RATE | PCM_SLIP,
          .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION);

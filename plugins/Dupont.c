/* SPDX-License-Identifier: MIT */
/* Dupont.c - friction through elastoplastic bristles, which do not drift under an oscillating force: a part. */
#include <pcm/plugin.h>

typedef struct {
    double  stiffness, damping, viscous, dynamic, fixed, velocity, elastic;
    int64_t constant;
} Law;

enum { STRETCH_X, STRETCH_Y };
enum { YIELD };

/* m: smaller than any length. */
static const double least = 1e-30;

/* alpha, the plastic share of outward slip at the stretch z, divided by the steady stretch. */
PCM_INLINE double flow(double zx, double zy, double vx, double vy, double elastic, double steady)
{
    const double bent = pcm_length(zx, zy), outwards = (zx * vx + zy * vy) / pcm_max(bent, least);
    const double way = (bent - 0.5 * (steady + elastic)) / pcm_max(steady - elastic, least);
    const double alpha = 0.5 + 0.5 * pcm_sin(0x1.921fb54442d18p+1 * pcm_clamp(way, -0.5, 0.5));
    return (bent <= elastic ? 0 : alpha) * pcm_ramp(outwards) / pcm_max(steady, least);
}

static void update(const pcm_batch *b)
{
    const Law    law = *(const Law *)b->params;
    const double per_velocity = 1 / law.velocity, per_stiffness = 1 / law.stiffness, dt = b->dt;
    const double passive = law.constant ? INFINITY : 4; /* limit of the damping, as a multiple of g/|v| */
    double      *next_x = b->next[STRETCH_X], *next_y = b->next[STRETCH_Y];
    PCM_EACH(b, i) {
        const double vx = b->slip_x[i], vy = b->slip_y[i], speed = pcm_length(vx, vy), y = speed * per_velocity;
        const double load = pcm_ramp(b->load_n[i]), longest = law.fixed * load * per_stiffness;
        const double g = load * (law.dynamic + (law.fixed - law.dynamic) * pcm_exp_falling(-y * y));
        const double steady = g * per_stiffness, elastic = law.elastic * law.dynamic * load * per_stiffness;
        const double zx = b->state[STRETCH_X][i], zy = b->state[STRETCH_Y][i];
        const double bent = pcm_length(zx, zy), kept = bent > longest ? longest / bent : 1;
        const double ax = kept * zx, ay = kept * zy;

        /* z' = v - flow z: exact for a constant flow; the flow at the middle of the step is used. */
        const double first = flow(ax, ay, vx, vy, elastic, steady), half = 0.5 * first * dt;
        const double first_ratio = pcm_tanh_ratio(half), to = 0.5 * dt * first_ratio / (1 + half * first_ratio);
        const double mx = ax + to * (vx - first * ax), my = ay + to * (vy - first * ay);
        const double rate = flow(mx, my, vx, vy, elastic, steady), most = 0.5 * rate * dt;
        const double ratio = pcm_tanh_ratio(most), step = dt * ratio / (1 + most * ratio);
        const double ox = ax + step * (vx - rate * ax), oy = ay + step * (vy - rate * ay), out = pcm_length(ox, oy);
        const double end = pcm_max(steady, kept * bent), held = out > end ? end / out : 1;
        const double nx = held * ox, ny = held * oy, last = flow(nx, ny, vx, vy, elastic, steady);
        const double wx = vx - last * nx, wy = vy - last * ny;

        const double damping = load > 0 ? pcm_min(passive * (g / pcm_max(speed, DBL_MIN)), law.damping) : 0;
        const double viscous = load > 0 ? law.viscous : 0;
        b->force_x[i] = -(law.stiffness * nx + damping * wx + viscous * vx);
        b->force_y[i] = -(law.stiffness * ny + damping * wy + viscous * vy);
        next_x[i] = nx;
        next_y[i] = ny;
        if (b->reports) {
            const double loaded = load > 0 ? 1 : 0;
            b->rate[STRETCH_X][i] = loaded * wx;
            b->rate[STRETCH_Y][i] = loaded * wy;
            const double  spring = law.stiffness * (nx * (vx - wx) + ny * (vy - wy));
            const int64_t touching = last > 0 ? PCM_SLIPPING : PCM_STICKING;
            b->energy[i] = 0.5 * law.stiffness * (nx * nx + ny * ny);
            b->dissipation[i] = spring + damping * (wx * vx + wy * vy) + viscous * (vx * vx + vy * vy);
            b->mode[i] = load > 0 ? touching : PCM_SEPARATED;
            /* They slide where they are stretched beyond the elastic part and the slip stretches them further. */
            const double beyond = law.velocity * (pcm_length(nx, ny) - elastic);
            b->event[YIELD][i] = -pcm_min(beyond, nx * vx + ny * vy);
        }
    }
}

static int prepare(const pcm_setup *setup, void *params)
{
    const Law *law = params;
    if (law->fixed >= law->dynamic)
        return 0;
    setup->report(setup, "StaticFriction", "must not be below DynamicFriction");
    return 1;
}

PCM_DERIVED(Law, elastic_way, law->elastic * law->dynamic * load->force / law->stiffness);

static const char *const dampings[] = {"Passive", "Constant", NULL};

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "BristleStiffness", "N/m", 1e5, "sigma0: force per metre of stretch", PCM_ABOVE(0)),
    PCM_REAL(Law, damping, "BristleDamping", "N*s/m", 100, "sigma1: force per m/s of stretching", .min = 0),
    PCM_REAL(Law, viscous, "ViscousDamping", "N*s/m", 0, "sigma2: force per m/s of slip, beyond the cone", .min = 0),
    PCM_REAL(Law, dynamic, "DynamicFriction", "1", 0.3, "mud: coefficient at high slip", PCM_ABOVE(0),
             .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, fixed, "StaticFriction", "1", 0.5, "mus: coefficient at low slip", .min = 0, .flags = PCM_CONE,
             .mix = PCM_MIX_GEOMETRIC),
    PCM_REAL(Law, velocity, "StribeckVelocity", "m/s", 1e-3, "vs: slip at which 1/e of the surplus is left",
             PCM_ABOVE(0)),
    PCM_REAL(Law, elastic, "ElasticShare", "1", 0.7, "of mud N: what the bristles hold without any drift", .min = 0,
             .max = 1, .flags = PCM_OPEN_MAX),
    PCM_CHOICE(Law, constant, "Damping", dampings, 0, "whether sigma1 falls with the slip so that it gives no energy"),
};

static const pcm_state states[] = {
    {"stretch", "m", "of the bristles", 1e-5, PCM_TANGENT, PCM_CONTINUOUS, PCM_STEPS, -1},
};

static const pcm_event events[] = {{.name = "yield", .doc = "the bristles begin to slide, or hold again"}};

static const pcm_derived derived[] = {
    {"elastic_way", "m", "way that the bristles give and take back under the load", elastic_way},
};

PCM_KERNELS(update);
PCM_MODEL(Dupont, "Friction through elastoplastic bristles, without drift",
          .source =
              "Dupont, Armstrong and Hayward, American Control Conference (2000) 1072; with Altpeter, IEEE Trans.\n"
              "Automatic Control 47 (2002) 787",
          .equations =
              "ft = -(sigma0 z + sigma1 z' + sigma2 v)      z stretch, v slip, N load of earlier parts\n"
              "z' = v - alpha v+ z/zss,  v+ the slip along z, 0 where it is against it\n"
              "zss = g/sigma0,  g = N (mud + (mus - mud) exp(-(v/vs)^2)),  zba = ElasticShare mud N/sigma0\n"
              "alpha = 0 up to |z| = zba, 1 from zss on, (1 + sin(pi (|z| - (zss + zba)/2)/(zss - zba)))/2 between\n"
              "Up to zba it is a spring: it holds under a force that trembles, where LuGre drifts. With zba = 0 and\n"
              "alpha = 1 it would be LuGre. The paper has one direction and a constant load: here z is a vector,\n"
              "flows along itself, and slides back to sigma0 |z| = mus N where the load falls.\n"
              "Holds for dry or oiled sliding and small ways under a load that changes slowly.\n",
          .params = PCM_TABLE(params), .states = PCM_TABLE(states), .events = PCM_TABLE(events),
          .derived = PCM_TABLE(derived), .inputs = PCM_SLIP | PCM_LOAD,
          .outputs = PCM_FRICTION | PCM_ENERGY | PCM_DISSIPATION | PCM_MODE,
          .flags = PCM_ISOTROPIC | PCM_JUMPS | PCM_ACTIVE, .prepare = prepare);

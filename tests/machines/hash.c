/* SPDX-License-Identifier: MIT */
/* hash.c - a hash of the forces of a world of shipped laws, step by step; it is the same on every machine.
 *
 * usage: hash PLUGINS */
#include <pcm/pcm.h>

#include <inttypes.h>
#include <stdio.h>

static const char rules[] =
    "ContactType Compliant = CompliantGround { Friction = 0.5 };"
    "ContactType Spring = SpringContact {};"
    "ContactType Smooth = SmoothSpringDamper {};"
    "ContactType Viscous = ViscoelasticGround { GroundStiffness = 1e5; GroundDamping = 100 };"
    "ContactType Wall = WallContact { GapLeft = (0.5, 1.5); GapRight = (0.7, 1.7) };"
    "ObjectPair b0 * \"*\" -> Wall; ObjectPair b1 * \"*\" -> Spring; ObjectPair b2 * \"*\" -> Smooth;"
    "ObjectPair b3 * \"*\" -> Viscous; DefaultPair -> Compliant;";

enum { BODIES = 6, STEPS = 300, FEATURES = 5 };

/* The Fowler-Noll-Vo hash over words, independent of their byte order. */
static uint64_t fold(uint64_t sum, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    for (int i = 0; i < 8; i++)
        sum = (sum ^ (bits >> 8 * i & 0xff)) * 1099511628211u;
    return sum;
}

/* The next number of a repeatable sequence in [-1, 1). */
static double noise(void)
{
    static uint64_t seed = 1;
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)seed / 9223372036854775808.0;
}

static void fill(double *to, int count)
{
    for (int i = 0; i < count; i++)
        to[i] = noise();
}

static void move(pcm_world *world, const pcm_object *bodies)
{
    for (int i = 1; i < BODIES; i++) { /* one law requires that its base, the first body, is at rest */
        pcm_pose  pose;
        pcm_twist twist;
        fill(pose.position, 3);
        fill(pose.orientation, 4);
        fill(twist.angular, 3);
        fill(twist.linear, 3);
        pcm_world_move(world, bodies[i], &pose, &twist);
    }
}

static void touch(pcm_world *world, const pcm_object *bodies)
{
    for (uint64_t k = 0; k < BODIES * FEATURES; k++) {
        const size_t a = k % BODIES, b = (a + 1 + k / BODIES % (BODIES - 1)) % BODIES;
        pcm_touch    touch = {.feature = k, .normal = {0.48, -0.6, 0.64}};
        fill(touch.point, 3);
        touch.depth = 0.01 * noise();
        pcm_world_touch(world, bodies[a < b ? a : b], bodies[a < b ? b : a], &touch, sizeof touch);
    }
}

static uint64_t fold_wrenches(uint64_t sum, pcm_world *world, const pcm_object *bodies)
{
    for (int i = 0; i < BODIES; i++) {
        pcm_wrench wrench = {{0}, {0}};
        pcm_world_wrench(world, bodies[i], &wrench);
        for (int k = 0; k < 3; k++)
            sum = fold(fold(sum, wrench.force[k]), wrench.torque[k]);
    }
    return sum;
}

static void say(void *user, const pcm_diagnostic *diagnostic)
{
    (void)user;
    if (diagnostic->severity == PCM_ERROR)
        (void)fprintf(stderr, "%s\n", diagnostic->message);
}

int main(int argc, char **argv)
{
    pcm_context_def def = pcm_context_defaults();
    def.plugin_path = argc > 1 ? argv[1] : "plugins";
    def.flags = PCM_NO_DEFAULT_PATHS;
    def.sink = say;
    pcm_context *context = pcm_context_new(&def);
    pcm_config  *config = context ? pcm_config_parse(context, "hash.pcm", rules, strlen(rules)) : NULL;
    pcm_world   *world = config ? pcm_world_new(config, NULL) : NULL;
    if (!world)
        return 1;
    pcm_object bodies[BODIES];
    for (int i = 0; i < BODIES; i++) {
        const char name[] = {'b', (char)('0' + i), '\0'};
        bodies[i] =
            pcm_world_add_object(world, &PCM_OBJECT(.name = name, .fixed = i == 0, .radius = 0.1 + i, .mass = i));
    }
    uint64_t sum = 14695981039346656037u;
    for (int step = 0; step < STEPS; step++) {
        move(world, bodies);
        touch(world, bodies);
        if (pcm_world_update(world, 1e-3 * step, 1e-3) != PCM_OK || pcm_world_commit(world) != PCM_OK)
            return 1;
        sum = fold_wrenches(sum, world, bodies);
    }
    (void)printf("%016" PRIx64 "\n", sum);
    pcm_world_free(world);
    pcm_config_release(config);
    pcm_context_free(context);
    return 0;
}

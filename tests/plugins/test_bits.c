/* SPDX-License-Identifier: MIT */
/* Every law gives the same bits for every batch size, place in the batch, instruction set and compiler, and in a long
 * run the hashes listed here. */
#include "law.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

typedef struct variant {
    const char *model, *parameters;
    uint64_t    golden; /* hash of the long run */
} variant;

static const variant variants[] = {
    {"AdamsImpact", "", 0xa43f271306efee4c},
    {"CompliantGround", "Friction = 0.5;", 0x49948b84ccb6752e},
    {"CompliantGround", "Friction = 0; Damping = 0;", 0x4a6a6424f3799a81},
    {"GranHooke", "", 0x11af60ee6127f2e8},
    {"GranHooke", "LimitDamping = false; Friction = 0.1;", 0xdb136c2a12b55c5a},
    {"GranHertz", "TangentialStiffness = 1e5;", 0x0f0a9ac30f7f04c8},
    {"Mindlin", "", 0xaff24155440a4711},
    {"Mindlin", "History = Displacement; Restitution = 0.5;", 0x5e22f49ad8a99028},
    {"Mindlin", "History = Force;", 0xaff24155440a4711},
    {"Mindlin", "History = RescaleForce; ReducedShearModulus = 1e5;", 0xde2e636c51e3179d},
    {"Mindlin", "AsLammps = true; History = Displacement; Restitution = 0.5;", 0x26204b7298eca843},
    {"CundallStrack", "", 0x3d28d5ec6aed00cf},
    {"CundallStrack", "AsLammps = true; TangentialDamping = 1e3; Friction = 0.1;", 0xc605de2857ca8571},
    {"PartialSlip", "", 0xdd9be50e3dcf41db},
    {"PartialSlip", "Springs = 12; Friction = 0.3; LayoutDepth = 1e-4;", 0x8aa073b15184ca11},

    {"RollingResistance", "", 0x7e711bbd676efbd8},
    {"RollingResistance", "AsLammps = true;", 0xf0c25da74fc709a4},
    {"Twisting", "TwistDampingTime = 1e-3;", 0x3cc9c0fed7873d22},
    {"Twisting", "Pressure = Uniform;", 0xe42af42a1718bf89},
    {"Dmt", "", 0x127f8097c76276a6},
    {"Jkr", "", 0x64e655e216c1dc07},
    {"Jkr", "Release = PullOff; ReducedRadius = 0.01;", 0xec11238d775e6d99},
    {"LinearCohesion", "", 0xd66dc43d78c5a03d},
    {"LinearCohesion", "AreaFactor = 2; ReducedRadius = 0.01;", 0x8fc80712b47724e9},
    {"LudingHysteresis", "", 0x0b2c9c22963c4fbc},
    {"Eepa", "", 0x53f426274f646658},
    {"Eepa", "Exponent = 1; AdhesionExponent = 4; AdhesionStiffness = 1e12; ConstantForce = -0.1;", 0xe94789f014d491e0},
    {"WaltonBraun", "Hardening = 100;", 0x6a0c8dcc3ffa3a78},
    {"Thornton", "YieldPressure = 1e7;", 0xe190ec0086b88246},
    {"ElasticPlastic", "YieldStrength = 1e7;", 0xc52e853c36745428},
    {"Maugis", "", 0xfd64bfd6eca66676},
    {"Maugis", "ReducedModulus = 1e7; CohesiveStress = 1e5; ReducedRadius = 0.01;", 0x3d1c39e30ed3dfdd},
    {"ViscoelasticSphere", "", 0xc4d73c007745accf},
    {"ViscoelasticSphere", "RelaxationTime = 1e-3; RelaxingModulus = 1e8;", 0x549e4bd887203cde},
    {"RoughContact", "Roughness = 1e-4;", 0xe47a7dff7b7f971c},
    {"RoughContact", "Form = Persson; NominalArea = 1e-4; Roughness = 1e-4;", 0x92becbc512ed75ec},
    {"SquareForce", "Range = 1e-4;", 0xe543a031ed5042b1},
    {"SquareForce", "Range = 1e-3; Forms = AtTouch;", 0x1843853c1ea99a04},
    {"SqueezeFilm", "", 0x85011bb66af56388},
    {"RateAndState", "", 0xcdb1f6599be26f9e},
    {"RateAndState", "TangentialStiffness = 1e4; ReferenceSpeed = 0.01; DirectEffect = 0.1;", 0xcf82b49e8c868af4},
    {"CapillaryBridge", "ContactAngle = 0.5; Volume = 1e-9;", 0x6c99b53836e06af6},
    {"ParallelBond", "", 0xcb566aa49b5b1690},
    {"ParallelBond", "TensileStrength = 1e12; ShearStrength = 1e12;", 0xaf2a217d74e3177a},
    {"Hertz", "", 0x8570a8c34acecf8c},
    {"HertzTsuji", "Restitution = 0.3;", 0x28d3ba1f128dc256},
    {"HertzTsuji", "Damping = Unclipped; ReducedMass = 2; ReducedRadius = 0.01;", 0x5cd9c50b51bf8cb1},
    {"KelvinVoigt", "", 0x06b396f519dfac50},
    {"KelvinVoigt", "Clip = false;", 0xea79a1d3d808cccd},
    {"HuntCrossley", "Exponent = 2.2;", 0xedc1e1909d4a363f},
    {"LankaraniNikravesh", "", 0x6f0385b1f761f92c},
    {"Flores", "Restitution = 0.3; NominalRestitution = true;", 0x4422650131b3ad04},
    {"ViscoelasticGround", "", 0xc5e3473e9f5cc71d},
    {"ViscoelasticGround", "LiteralSeed = true;", 0x12def531f72f3a2e},
    {"WallContact", "GapLeft = (-5e-4, 5e-4); GapRight = (-3e-4, 8e-4);", 0x007b512e12f12c5f},
    {"WallContact", "GapLeft = -5e-4; GapRight = 5e-4; LiteralSeed = true;", 0x3896a355a682e76c},
    {"SmoothSpringDamper", "TransitionRegionWidth = 4e-4;", 0x8ed4dce30d72cfa6},
    {"SmoothSpringDamper", "Smoothing = Quintic; FrictionMethod = None;", 0x26c14638a684dc26},
    {"SmoothSpringDamper", "NormalMethod = ProvidedByInput;", 0xa7a46313207ba48f},
    {"SmoothSpringDamper", "FrictionMethod = ProvidedByInput;", 0x0a2c6de2d37d1d32},
    {"SmoothSpringDamper", "NormalMethod = ProvidedByInput; FrictionMethod = ProvidedByInput;", 0x4398f6ce78ddaa00},
    {"CoulombRegularised", "", 0x2fc0b273ebe942f6},
    {"CoulombRegularised", "Form = Linear; Stribeck = true;", 0x2a1c5ae3ee6a7e41},
    {"CoulombRegularised", "Form = Arctan; Stribeck = true;", 0xb97e60394354dd05},
    {"CoulombRegularised", "Form = Root;", 0x363d4f47de788768},
    {"CoulombRegularised", "Form = Step;", 0x1b29c9eca82510e1},
    {"BrownMcPhee", "ViscousDamping = 3;", 0xb2000e8b6ecf0fb5},
    {"Hollars", "ViscousFriction = 0.1;", 0xb8a719a3d1d9d6b8},
    {"SpringContact", "Z_Limit = 0.5;", 0x31e86851723a0ea2},
    {"SpringContact", "X_Limit = 0.1; Y_Limit = 0.1; Z_Limit = 0.5; LimitMode = Saturate; SymmetricZ = true;",
     0x8e064c93243e1df1},
    {"Dupont", "", 0x43e13d3e7ddeb39b},
    {"Dupont", "Damping = Constant; ElasticShare = 0.3; ViscousDamping = 2;", 0xc1f3798be7736af2},
    {"Dahl", "", 0x4b977612dfb8b977},
    {"LuGre", "", 0xc86a949562abb4d3},
    {"LuGre", "Damping = Constant; BristleDamping = 5000;", 0x7db897559aff124d},
    {"GonthierBristle", "DwellTime = 0.01;", 0x8ecafdc25af1a76e},
    {"DrakePoint", "", 0x48001c910483e55a},
    {"SmoothSphereHalfSpace", "", 0x3a51ac7f9ba89e37},
    {"SmoothSphereHalfSpace", "Literal = true;", 0x3d31ac7f9ba89e37},
    {"AnisotropicFriction", "", 0x6cc6285c886d59ca},
    {"AnisotropicFriction", "SlidingRule = Collinear; Side = Base;", 0x6fca9604ac844843},
    {"FrictionalAdhesion", "", 0x8495c71bfdea1f3b},
    {"Microspine", "", 0xf1403550c5c12cfc},
    {"RatchetClaw", "", 0xe41af9003e133a0d},
    {"BekkerWong", "", 0xfeb80c35f583c811},
    {"ResistiveForce", "", 0x942b207249ebfa6e},
    {"MeasuredTable", "Depths = (1e-4, 4e-4, 9e-4); Forces = (1, 5, 30); Dissipation = 0.5;", 0x490cc62e881f9e90},
    {"ContactHeat", "", 0x0962947cb998cf25},
    {"HeatConduction", "", 0xd980f0bfa1ffd9a5},
    {"ArchardWear", "", 0xa7eef3c1152bc325},

    /* From here on with ellipses, lines and flats. */
    {"Hertz", "", 0x5388c7eeec410efb},
    {"Hertz", "ReducedRadius = 0.02;", 0xbadb1f4d195e4a39},
    {"HertzTsuji", "", 0x42631d1425e1bf95},
    {"Thornton", "YieldPressure = 1e7;", 0xba28acccacd6d0a5},
    {"Jkr", "", 0x523e8437b959b566},
    {"Dmt", "", 0x26db6518b03a0cb4},
    {"LinearCohesion", "", 0x0c4b6ddcc2eb14e8},
    {"ElasticPlastic", "YieldStrength = 1e7;", 0x9b9db5bfffea7cf7},
    {"Maugis", "", 0x5857aa47d85196dc},
    {"ViscoelasticSphere", "", 0x0a76d076857cfdca},
    {"GranHertz", "", 0x47ed8445d1b89909},
    {"SmoothSphereHalfSpace", "", 0xf478b4b63bfcdfb5},
    {"CapillaryBridge", "", 0x8004b33eb58118b6},
    {"SqueezeFilm", "", 0xbe63eeb5c39d4c38},
    {"RoughContact", "", 0x5b01b5b3f3ff1032},
};
enum { VARIANTS = sizeof variants / sizeof *variants, SHAPED = 15 };

static bool is_shaped(const variant *v) { return v >= variants + VARIANTS - SHAPED; }

enum { MOST = 257 };
static const double dt = 1e-3;

/* Further inputs that some laws read, of usual sizes. Axes have any length. */
static void stir_more(lanes *c)
{
    static const double sizes[LAW_INPUTS_END] = {
        [LAW_MORE_radius] = 0.1,      [LAW_MORE_mass] = 1,     [LAW_MORE_area] = 1e-3,
        [LAW_MORE_share] = 1,         [LAW_MORE_load_n] = 100, [LAW_MORE_load_elastic] = 100,
        [LAW_MORE_load_pull_off] = 1, [LAW_MORE_fresh] = 1,    [LAW_MORE_contact_radius] = 1e-3,
    };
    uint64_t seed = 5;
    for (size_t k = 0; k < LAW_INPUTS_END; k++)
        for (size_t i = 0; i < c->count; i++) {
            const double size = noise(&seed);
            c->more[k][i] = sizes[k] > 0 ? (i % 8 == k % 8 ? 0 : sizes[k] * fabs(size)) : size;
        }
    for (size_t k = 0; k < LAW_AMOUNTS; k++)
        for (size_t i = 0; i < c->count; i++) {
            c->amount[0][k][i] = 300 + 10 * noise(&seed);
            c->amount[1][k][i] = 300 + 10 * noise(&seed);
        }
}

/* Of six lanes one is not known, one a sphere, two are ellipses, one is the end of a line and one the corner of a flat;
 * the last two partly points in some lanes. */
static void stir_shapes(lanes *c)
{
    uint64_t seed = 6;
    for (size_t i = 0; i < c->count; i++) {
        const double size = 50 * fabs(noise(&seed)), share = fabs(noise(&seed)), whole = i % 6 > 3 ? 0.5 : 0;
        const double line = i % 6 == 4 ? share : 0, flat = i % 6 == 5 ? 1e-4 * share : 0;
        const double shape[] = {i % 6 > 1 ? size * share : size,
                                size,
                                1,
                                0,
                                i % 4 ? 1 : 0.5 * share,
                                whole,
                                line,
                                line > 0 ? size : 0,
                                flat,
                                1 + size};
        for (size_t k = 0; k < sizeof shape / sizeof *shape && i % 6 > 0; k++)
            c->more[LAW_OUTPUTS_END + k][i] = shape[k];
    }
}

/* Motion over many orders of magnitude on both sides of every branch; some lanes have the ends of the range. */
static void stir(lanes *c, bool shaped, uint64_t *seed)
{
    static const double ends[] = {0, -0.0, 5e-324, -5e-324, 1e-310, 1e300, -1e300, PCM_FAR};
    double *const       columns[] = {c->depth,
                                     c->depth_rate,
                                     c->slip_x,
                                     c->slip_y,
                                     c->x,
                                     c->y,
                                     c->z,
                                     c->velocity_x,
                                     c->velocity_y,
                                     c->velocity_z,
                                     c->host_inputs[0],
                                     c->host_inputs[1],
                                     c->host_inputs[2]};
    static const double sizes[] = {1e-3, 1, 1, 1, 1e-3, 1e-3, 1e-3, 1, 1, 1, 10, 10, 10};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++)
        for (size_t i = 0; i < c->count; i++) {
            const double size = sizes[k] * noise(seed);
            columns[k][i] = i % 8 == k % 8 ? ends[(i / 8 + k) % 8] : i % 3 ? size : size * size * size;
        }
    stir_more(c);
    if (shaped)
        stir_shapes(c);
}

static void stir_states(lanes *c, uint64_t *seed)
{
    for (size_t k = 0; k < LAW_COLUMNS; k++)
        for (size_t i = 0; i < c->count; i++)
            c->state[k][i] = 1e-3 * noise(seed);
}

/* Whether all inputs and outputs of two sets of lanes are equal, bit for bit; all NaNs count as equal. */
static bool same(const lanes *a, const lanes *b)
{
    for (size_t i = 0; i < LANES_COLUMNS * a->count; i++)
        if (memcmp(&a->memory[i], &b->memory[i], sizeof(double)) != 0 && !(isnan(a->memory[i]) && isnan(b->memory[i])))
            return false;
    return true;
}

/* Runs the lanes of `seed` through a law from one directory for one instruction set, in batches of `size`. */
static lanes through_verb(const variant *v, pcm_verb_kind verb, const char *directory, uint32_t isa, uint64_t seed,
                          size_t size)
{
    law   l = law_open_at(directory, isa, v->model, "%s", v->parameters);
    lanes c = lanes_open(MOST);
    stir(&c, is_shaped(v), &seed);
    stir_states(&c, &seed);
    for (size_t first = 0; first < MOST; first += size)
        lanes_call(&l, verb, &c, first, first + size < MOST ? size : MOST - first, dt);
    law_close(&l);
    return c;
}

static lanes through(const variant *v, const char *directory, uint32_t isa, uint64_t seed, size_t size)
{
    return through_verb(v, PCM_UPDATE, directory, isa, seed, size);
}

static void any_instruction_set(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++) {
        lanes plain = through(&variants[i], law_plugins, PCM_ISA_PLAIN, i + 1, MOST);
        for (uint32_t isa = PCM_ISA_AVX2; isa <= pcm_context_defaults().isa; isa++) {
            lanes other = through(&variants[i], law_plugins, isa, i + 1, MOST);
            assert_true(same(&plain, &other));
            lanes_close(&other);
        }
        lanes_close(&plain);
    }
}

static void any_batch_size_and_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++) {
        lanes whole = through(&variants[i], law_plugins, PCM_ISA_AVX512, i + 1, MOST);
        for (size_t size = 1; size < MOST; size += size < 20 ? 1 : 13) {
            lanes parts = through(&variants[i], law_plugins, PCM_ISA_AVX512, i + 1, size);
            assert_true(same(&whole, &parts));
            lanes_close(&parts);
        }
        lanes_close(&whole);
    }
}

/* Without reports a law gives the same forces, next states and lives, and does not write the reports. */
static void with_and_without_reports(void **state)
{
    (void)state;
    for (size_t i = 0; i < VARIANTS; i++)
        for (uint32_t isa = PCM_ISA_PLAIN; isa <= pcm_context_defaults().isa; isa++) {
            lanes all = through(&variants[i], law_plugins, isa, i + 1, MOST);
            lanes few = through_verb(&variants[i], PCM_FORCES, law_plugins, isa, i + 1, MOST);
            for (size_t k = 0; k < MOST; k++) {
                assert_true(few.energy[k] == 0 && few.dissipation[k] == 0 && few.mode[k] == 0);
                few.energy[k] = all.energy[k];
                few.dissipation[k] = all.dissipation[k];
                few.mode[k] = all.mode[k];
                for (size_t column = 0; column < LAW_COLUMNS; column++) {
                    few.event[column][k] = all.event[column][k];
                    few.rate[column][k] = all.rate[column][k];
                }
            }
            assert_true(same(&all, &few));
            lanes_close(&all);
            lanes_close(&few);
        }
}

/* ---- One lane --------------------------------------------------------------------------------------------------- */

typedef struct lane_verb {
    pcm_verb_kind kind;
    const char   *name;
} lane_verb;

static const lane_verb lane_verbs[] = {
    {PCM_UPDATE, "update"},
    {PCM_FORCES, "forces"},
    {PCM_ESTABLISH, "establish"},
};

static pcm_verb *find_verb(void *object, const char *model, const char *name)
{
    char      symbol[128];
    pcm_verb *verb;
    snprintf(symbol, sizeof symbol, "%s_%s", model, name);
    void *address = dlsym(object, symbol);
    assert_non_null(address);
    memcpy(&verb, &address, sizeof verb);
    return verb;
}

/* Runs the lanes of `seed` one by one through the law compiled for one lane. */
static lanes through_one_lane(const variant *v, const char *name, const char *compiled, uint64_t seed)
{
    char       path[512];
    law        l = law_open(v->model, "%s", v->parameters);
    lanes      c = lanes_open(MOST);
    lanes_view view;
    snprintf(path, sizeof path, "%s%s.so", compiled, v->model);
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(object);
    pcm_verb *verb = find_verb(object, v->model, name);
    stir(&c, is_shaped(v), &seed);
    stir_states(&c, &seed);
    for (size_t i = 0; i < MOST; i++) {
        lanes_show(&view, &c, i, 1, dt);
        view.batch.params = l.info->params;
        verb(&view.batch);
    }
    dlclose(object);
    law_close(&l);
    return c;
}

static void one_lane_by(const char *compiled)
{
    for (size_t i = 0; i < VARIANTS; i++)
        for (size_t k = 0; k < sizeof lane_verbs / sizeof *lane_verbs; k++) {
            lanes many = through_verb(&variants[i], lane_verbs[k].kind, law_plugins, PCM_ISA_AVX512, i + 1, MOST);
            lanes one = through_one_lane(&variants[i], lane_verbs[k].name, compiled, i + 1);
            assert_true(same(&many, &one));
            lanes_close(&many);
            lanes_close(&one);
        }
}

static void one_lane(void **state)
{
    (void)state;
    one_lane_by(ONE_LANE_PLUGINS "/lane-");
#ifdef OTHER_PLUGINS
    one_lane_by(ONE_LANE_PLUGINS "/other-lane-");
#endif
}

/* ---- Compilers -------------------------------------------------------------------------------------------------- */

static void any_compiler(void **state)
{
    (void)state;
#ifdef OTHER_PLUGINS
    for (size_t i = 0; i < VARIANTS; i++)
        for (uint32_t isa = PCM_ISA_PLAIN; isa <= pcm_context_defaults().isa; isa++) {
            lanes ours = through(&variants[i], law_plugins, isa, i + 1, MOST);
            lanes theirs = through(&variants[i], OTHER_PLUGINS, isa, i + 1, MOST);
            assert_true(same(&ours, &theirs));
            lanes_close(&ours);
            lanes_close(&theirs);
        }
#else
    skip();
#endif
}

/* ---- A long run ------------------------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t hash, const double *column, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const double number = isnan(column[i]) ? NAN : column[i];
        uint64_t     bits;
        memcpy(&bits, &number, sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
    }
    return hash;
}

/* Two thousand commits of 64 contacts, whose motion varies as between touching bodies. */
static uint64_t long_run(const variant *v)
{
    enum { STEPS = 2000, LANES = 64 };
    law      l = law_open(v->model, "%s", v->parameters);
    lanes    c = lanes_open(LANES);
    uint64_t seed = 11, hash = 0xcbf29ce484222325u;
    stir(&c, is_shaped(v), &seed);
    lanes_call(&l, PCM_ESTABLISH, &c, 0, LANES, 0);
    lanes_commit(&c);
    for (int step = 0; step < STEPS; step++) {
        double *const columns[] = {c.depth,      c.slip_x,         c.slip_y,        c.x, c.z, c.velocity_x,
                                   c.velocity_y, c.host_inputs[0], c.host_inputs[1]};
        for (size_t k = 0; k < sizeof columns / sizeof *columns; k++)
            for (size_t i = 0; i < LANES; i++)
                columns[k][i] = 0.9 * columns[k][i] + 2e-4 * noise(&seed);
        for (size_t i = 0; i < LANES; i++)
            c.depth_rate[i] = 0.1 * noise(&seed);
        lanes_call(&l, PCM_UPDATE, &c, 0, LANES, dt);
        lanes_commit(&c);
        hash = mix(hash, c.force_n, LANES);
        hash = mix(hash, c.force_x, LANES);
        hash = mix(hash, c.force_y, LANES);
        hash = mix(hash, c.energy, LANES);
        hash = mix(hash, c.dissipation, LANES);
        for (uint32_t k = 0; k < l.info->n_state; k++)
            hash = mix(hash, c.state[k], LANES);
        for (size_t k = 0; k < 2 * (size_t)l.info->model->amounts.count; k++)
            hash = mix(hash, c.amount[2 + k % 2][k / 2], LANES);
    }
    lanes_close(&c);
    law_close(&l);
    return hash;
}

static void the_bits_that_are_written_down(void **state)
{
    (void)state;
    int changed = 0;
    for (size_t i = 0; i < VARIANTS; i++) {
        const uint64_t hash = long_run(&variants[i]);
        if (hash == variants[i].golden)
            continue;
        print_error("%s { %s }: 0x%016llx\n", variants[i].model, variants[i].parameters, (unsigned long long)hash);
        changed++;
    }
    assert_int_equal(changed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_instruction_set),
        cmocka_unit_test(any_batch_size_and_place),
        cmocka_unit_test(with_and_without_reports),
        cmocka_unit_test(one_lane),
        cmocka_unit_test(any_compiler),
        cmocka_unit_test(the_bits_that_are_written_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

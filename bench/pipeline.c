/* SPDX-License-Identifier: MIT */
/* The same work, written as an expert would for one law and one processor: AVX-512 intrinsics over blocks, eight
 * contacts at a time; twists and wrenches at the world's origin, a cache line per body; the law inlined. Divisions and
 * square roots are IEEE's, as PCM's must be. */
#include "bench.h"
#include "baseline_scalar.h"

#include <pcm/spatial.h>

#include <stdio.h>
#include <stdlib.h>

#ifdef __x86_64__
#include <immintrin.h>

#define AVX512 __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl")))
#define INLINE AVX512 static inline __attribute__((always_inline))

enum { BLOCK = 128 };

typedef struct Line {
    _Alignas(64) double x[8]; /* angular, linear, -, -   or   torque, force, -, - */
} Line;

typedef struct Record {
    _Alignas(64) uint32_t a;
    uint32_t b;
    double   point[3], normal[3], depth;
} Record;

_Static_assert(sizeof(Record) == sizeof(Line), "a record is one cache line");

typedef struct Pipeline {
    Scene  *scene;
    Line   *twists, *wrenches;
    Record *records; /* padded to whole blocks by contacts of body 0 with itself at depth 0 */
    size_t  n_records;
} Pipeline;

/* Columns of one block. */
typedef struct Block {
    _Alignas(64) double point[3][BLOCK];
    double normal[3][BLOCK], depth[BLOCK], rate[BLOCK], slip[3][BLOCK], speed[BLOCK], push[BLOCK], drag[BLOCK];
} Block;

INLINE void transpose(__m512d r[8])
{
    __m512d t[8], u[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm512_unpacklo_pd(r[i], r[i + 1]);
        t[i + 1] = _mm512_unpackhi_pd(r[i], r[i + 1]);
    }
    for (int i = 0; i < 8; i += 4)
        for (int j = 0; j < 2; j++) {
            u[i + j] = _mm512_shuffle_f64x2(t[i + j], t[i + j + 2], 0x88);
            u[i + j + 2] = _mm512_shuffle_f64x2(t[i + j], t[i + j + 2], 0xdd);
        }
    for (int i = 0; i < 4; i++) {
        r[i] = _mm512_shuffle_f64x2(u[i], u[i + 4], 0x88);
        r[i + 4] = _mm512_shuffle_f64x2(u[i], u[i + 4], 0xdd);
    }
}

INLINE __m512d dot3(const __m512d a[3], const __m512d b[3])
{
    return _mm512_fmadd_pd(a[2], b[2], _mm512_fmadd_pd(a[1], b[1], _mm512_mul_pd(a[0], b[0])));
}

INLINE void cross3(const __m512d a[3], const __m512d b[3], __m512d c[3])
{
    c[0] = _mm512_fmsub_pd(a[1], b[2], _mm512_mul_pd(a[2], b[1]));
    c[1] = _mm512_fmsub_pd(a[2], b[0], _mm512_mul_pd(a[0], b[2]));
    c[2] = _mm512_fmsub_pd(a[0], b[1], _mm512_mul_pd(a[1], b[0]));
}

/* tanh of x >= 0 as e / (e + 2) with e = exp(2x) - 1: no cancellation near zero. */
INLINE __m512d tanh8(__m512d x)
{
    static const double coefficient[] = {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                                         1.0 / 40320,     1.0 / 5040,     1.0 / 720,     1.0 / 120,
                                         1.0 / 24,        1.0 / 6,        1.0 / 2,       1.0};
    const __m512d       two_x = _mm512_min_pd(_mm512_add_pd(x, x), _mm512_set1_pd(40));
    const __m512d       k = _mm512_roundscale_pd(_mm512_mul_pd(two_x, _mm512_set1_pd(1.4426950408889634)), 0);
    __m512d             r = _mm512_fnmadd_pd(k, _mm512_set1_pd(0x1.62e42fefa0000p-1), two_x);
    r = _mm512_fnmadd_pd(k, _mm512_set1_pd(0x1.cf79abc9e3b3ap-40), r);
    __m512d p = _mm512_set1_pd(coefficient[0]);
    for (size_t i = 1; i < sizeof coefficient / sizeof *coefficient; i++)
        p = _mm512_fmadd_pd(p, r, _mm512_set1_pd(coefficient[i]));
    p = _mm512_mul_pd(p, r);
    const __m512d scale = _mm512_scalef_pd(_mm512_set1_pd(1), k);
    const __m512d e = _mm512_fmadd_pd(scale, p, _mm512_sub_pd(scale, _mm512_set1_pd(1)));
    return _mm512_div_pd(e, _mm512_add_pd(e, _mm512_set1_pd(2)));
}

AVX512 static void gather_block(const Pipeline *pipeline, const Record *records, Block *block)
{
    for (int i = 0; i < BLOCK; i += 8) {
        __m512d record[8], a[8], b[8], turn[3], v[3], slip[3];
        for (int j = 0; j < 8; j++) {
            record[j] = _mm512_load_pd(&records[i + j]);
            a[j] = _mm512_load_pd(&pipeline->twists[records[i + j].a]);
            b[j] = _mm512_load_pd(&pipeline->twists[records[i + j].b]);
        }
        transpose(record);
        for (int j = 0; j < 8; j++)
            a[j] = _mm512_sub_pd(b[j], a[j]);
        transpose(a);
        cross3(a, record + 1, turn);
        for (int k = 0; k < 3; k++)
            v[k] = _mm512_add_pd(a[3 + k], turn[k]);
        const __m512d rate = dot3(v, record + 4);
        for (int k = 0; k < 3; k++) {
            slip[k] = _mm512_fnmadd_pd(rate, record[4 + k], v[k]);
            _mm512_store_pd(&block->point[k][i], record[1 + k]);
            _mm512_store_pd(&block->normal[k][i], record[4 + k]);
            _mm512_store_pd(&block->slip[k][i], slip[k]);
        }
        _mm512_store_pd(&block->depth[i], record[7]);
        _mm512_store_pd(&block->rate[i], rate);
        _mm512_store_pd(&block->speed[i], _mm512_sqrt_pd(dot3(slip, slip)));
    }
}

AVX512 static void law_block(Block *block)
{
    const __m512d stiffness = _mm512_set1_pd(1e4), damping = _mm512_set1_pd(10), friction = _mm512_set1_pd(0.8);
    const __m512d tanh_rate = _mm512_set1_pd(50), zero = _mm512_setzero_pd();
    for (int i = 0; i < BLOCK; i += 8) {
        const __m512d  speed = _mm512_load_pd(&block->speed[i]);
        const __m512d  damped = _mm512_mul_pd(damping, _mm512_load_pd(&block->rate[i]));
        const __m512d  push = _mm512_max_pd(_mm512_fmsub_pd(stiffness, _mm512_load_pd(&block->depth[i]), damped), zero);
        const __m512d  pull = _mm512_mul_pd(_mm512_mul_pd(friction, push), tanh8(_mm512_mul_pd(tanh_rate, speed)));
        const __mmask8 moving = _mm512_cmp_pd_mask(speed, zero, _CMP_GT_OQ);
        _mm512_store_pd(&block->push[i], push);
        _mm512_store_pd(&block->drag[i], _mm512_maskz_div_pd(moving, pull, speed));
    }
}

AVX512 static void scatter_block(const Pipeline *pipeline, const Record *records, const Block *block)
{
    for (int i = 0; i < BLOCK; i += 8) {
        const __m512d push = _mm512_load_pd(&block->push[i]), drag = _mm512_load_pd(&block->drag[i]);
        __m512d       wrench[8], point[3];
        for (int k = 0; k < 3; k++) {
            const __m512d pull = _mm512_mul_pd(drag, _mm512_load_pd(&block->slip[k][i]));
            wrench[3 + k] = _mm512_fmsub_pd(push, _mm512_load_pd(&block->normal[k][i]), pull);
            point[k] = _mm512_load_pd(&block->point[k][i]);
        }
        cross3(point, wrench + 3, wrench);
        wrench[6] = wrench[7] = _mm512_setzero_pd();
        transpose(wrench);
        for (int j = 0; j < 8; j++) {
            Line *a = &pipeline->wrenches[records[i + j].a], *b = &pipeline->wrenches[records[i + j].b];
            _mm512_store_pd(a, _mm512_sub_pd(_mm512_load_pd(a), wrench[j]));
            _mm512_store_pd(b, _mm512_add_pd(_mm512_load_pd(b), wrench[j]));
        }
    }
}

static void run_pipeline(void *work)
{
    const Pipeline *pipeline = work;
    const Scene    *scene = pipeline->scene;
    Block           block;
    double          shift[3];

    for (size_t i = 0; i < scene->n_bodies; i++) {
        const Body *body = &scene->bodies[i];
        double     *twist = pipeline->twists[i].x;
        pcm_cross(body->angular, body->position, shift);
        for (int k = 0; k < 3; k++) {
            twist[k] = body->angular[k];
            twist[3 + k] = body->linear[k] - shift[k];
        }
        memset(&pipeline->wrenches[i], 0, sizeof(Line));
    }
    for (size_t i = 0; i < pipeline->n_records; i += BLOCK) {
        gather_block(pipeline, &pipeline->records[i], &block);
        law_block(&block);
        scatter_block(pipeline, &pipeline->records[i], &block);
    }
    for (size_t i = 0; i < scene->n_bodies; i++) {
        Body         *body = &scene->bodies[i];
        const double *wrench = pipeline->wrenches[i].x;
        pcm_cross(body->position, wrench + 3, shift);
        for (int k = 0; k < 3; k++) {
            body->torque[k] = wrench[k] - shift[k];
            body->force[k] = wrench[3 + k];
        }
    }
}

static void measure(size_t size)
{
    const char *text = "ContactType C = " VISCOELASTIC_TYPE "; DefaultPair -> C;";
    Scene      *scene = scene_new(text, size, 1, NULL);
    Pipeline    pipeline = {.scene = scene, .n_records = (size + BLOCK - 1) / BLOCK * BLOCK};
    pipeline.twists = bench_allocate(scene->n_bodies * sizeof(Line));
    pipeline.wrenches = bench_allocate(scene->n_bodies * sizeof(Line));
    pipeline.records = bench_allocate(pipeline.n_records * sizeof(Record));
    for (size_t i = 0; i < size; i++) {
        const Contact *c = &scene->contacts[i];
        pipeline.records[i] = (Record){
            c->a, c->b, {c->point[0], c->point[1], c->point[2]}, {c->normal[0], c->normal[1], c->normal[2]}, c->depth};
    }
    run_pipeline(&pipeline);
    scene_agree(scene, 1e-9);
    bench_compare(&(bench_promise){.name = "update against AVX-512 by hand",
                                   .size = size,
                                   .items = (double)size,
                                   .kind = BENCH_COST,
                                   .goal = 1.3,
                                   .clock = CLOCK_THREAD_CPUTIME_ID},
                  (bench_way){scene_update, scene_touch, scene}, (bench_way){run_pipeline, NULL, &pipeline});
    free(pipeline.twists);
    free(pipeline.wrenches);
    free(pipeline.records);
    scene_free(scene);
}

int main(int argc, char **argv)
{
    bench_start(argc, argv, "");
    if (!__builtin_cpu_supports("avx512dq"))
        bench_fail("this processor has no AVX-512: nothing to compare with");
    measure(1000);
    measure(100000);
    if (bench_settings()->large)
        measure(10000000);
}

#else

int main(void) { bench_fail("the pipeline by hand is for x86-64 with AVX-512"); }

#endif

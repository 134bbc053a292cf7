/* SPDX-License-Identifier: MIT */
#include "response.h"

#include <math.h>
#include <pcm/messages.h>

enum { POINTS = 200, STEPS = 1000, CYCLE = 1000, MAP_ACROSS = 48, MAP_UP = 24 };
static const double millimetres = 1e3;
static const double turn = 6.283185307179586;

static const char *type_name(const stand *s) { return s->law.info->name; }
static double      push(const stand *s) { return s->law.batch.force_n[0]; }
static double      hold(const stand *s) { return -s->law.batch.force_x[0]; } /* friction against a slip along x */

/* Presses a new contact to the depth and drags it at constant slip velocity. */
static void drag(stand *s, double depth, double slip, double time)
{
    stand_begin(s);
    for (int i = 0; i <= STEPS; i++)
        stand_step(s, time * i / STEPS, (stand_place){{depth, 0, slip * time * i / STEPS, slip}});
}

/* ---- Force against depth, and against its rate ------------------------------------------------------------------- */

static void press_slowly(stand *s, const response_range *range, double rate, picture *p, picture_curve *curve)
{
    const double apart = fmax(0.2 * range->depth, range->gap);
    for (int i = 0; i <= POINTS; i++) {
        const double depth = (range->depth + apart) * i / POINTS - apart;
        stand_begin(s);
        stand_step(s, 0, (stand_place){{depth, rate, 0, 0}});
        picture_point(p, curve, millimetres * depth, push(s));
    }
}

static void draw_depth(stand *s, const response_range *range, bool brief, picture *p)
{
    const bool damps = s->law.info->model->inputs & (PCM_DEPTH_RATE | PCM_VELOCITY);
    press_slowly(s, range, 0, p, picture_add(p, "%s%s", type_name(s), brief || !damps ? "" : ", at rest"));
    if (brief || !damps)
        return;
    for (int sign = 1; sign >= -1; sign -= 2)
        press_slowly(s, range, sign * range->rate, p,
                     picture_add(p, "%s, %s at %s m/s", type_name(s), sign > 0 ? "approaching" : "parting",
                                 pcm_number(range->rate, 3).text));
}

/* Draws curves at the depth, and at half and a quarter of it. */
static void draw_rate(stand *s, const response_range *range, bool brief, picture *p)
{
    double depth = range->depth;
    for (int k = 0; k < (brief ? 1 : 3); k++, depth *= 0.5) {
        picture_curve *curve = picture_add(p, "%s, %s mm deep", type_name(s), pcm_number(millimetres * depth, 3).text);
        for (int i = 0; i <= POINTS; i++) {
            const double rate = range->rate * (2.0 * i / POINTS - 1);
            stand_begin(s);
            stand_step(s, 0, (stand_place){{depth, rate, 0, 0}});
            picture_point(p, curve, rate, push(s));
        }
    }
}

/* ---- Friction ---------------------------------------------------------------------------------------------------- */

static void draw_slip(stand *s, const response_range *range, bool brief, picture *p)
{
    double depth = range->depth;
    for (int k = 0; k < (brief ? 1 : 2); k++, depth *= 0.5) {
        picture_curve *curve = picture_add(p, "%s, %s mm deep", type_name(s), pcm_number(millimetres * depth, 3).text);
        for (int i = 0; i <= POINTS; i++) {
            const double slip = range->slip * (2.0 * i / POINTS - 1);
            drag(s, depth, slip, range->time);
            picture_point(p, curve, slip, hold(s));
        }
    }
}

/* ---- Loops ------------------------------------------------------------------------------------------------------- */

/* Presses and releases once, in each of these times. */
static void draw_press(stand *s, const response_range *range, bool brief, picture *p)
{
    const double apart = fmax(0.1 * range->depth, range->gap), half = 0.5 * (range->depth + apart);
    double       time = range->time;
    for (int k = 0; k < (brief ? 1 : 3); k++, time *= 0.1) {
        picture_curve *curve = picture_add(p, "%s, in %s s", type_name(s), pcm_number(time, 3).text);
        stand_begin(s);
        for (int i = 0; i <= CYCLE; i++) {
            const double angle = turn * i / CYCLE, depth = half * (1 - cos(angle)) - apart;
            stand_step(s, time * i / CYCLE, (stand_place){{depth, half * sin(angle) * turn / time, 0, 0}});
            picture_point(p, curve, millimetres * depth, push(s));
        }
    }
}

/* Drags back and forth twice, at the depth and at half of it. */
static void draw_shear(stand *s, const response_range *range, bool brief, picture *p)
{
    double depth = range->depth;
    for (int k = 0; k < (brief ? 1 : 2); k++, depth *= 0.5) {
        picture_curve *curve = picture_add(p, "%s, %s mm deep", type_name(s), pcm_number(millimetres * depth, 3).text);
        stand_begin(s);
        for (int i = 0; i <= 2 * CYCLE; i++) {
            const double angle = turn * i / CYCLE, way = range->way * sin(angle);
            const double slip = range->way * cos(angle) * turn / range->time;
            stand_step(s, range->time * i / CYCLE, (stand_place){{depth, 0, way, slip}});
            picture_point(p, curve, millimetres * way, hold(s));
        }
    }
}

/* ---- Modes ------------------------------------------------------------------------------------------------------- */

static void draw_modes(stand *s, const response_range *range, bool brief, picture *p)
{
    picture_curve *const curves[] = {
        [PCM_SEPARATED] = picture_add(p, "separated"),
        [PCM_STICKING] = picture_add(p, "sticking"),
        [PCM_SLIPPING] = picture_add(p, "slipping"),
        [PCM_TOUCHING] = picture_add(p, "touching"),
    };
    (void)brief;
    for (int up = 0; up <= MAP_UP; up++)
        for (int across = 0; across <= MAP_ACROSS; across++) {
            const double depth = range->depth * up / MAP_UP, way = range->way * across / MAP_ACROSS;
            drag(s, depth, way / range->time, range->time);
            const int64_t mode = s->law.batch.mode[0];
            picture_point(p, curves[mode > PCM_SEPARATED && mode <= PCM_TOUCHING ? mode : PCM_SEPARATED],
                          millimetres * way, millimetres * depth);
        }
}

const response responses[] = {
    {"depth", "normal force against depth, at rest, approaching and parting", "Normal force", "depth, mm", "force, N",
     false, draw_depth},
    {"rate", "normal force against the depth's rate, at three depths", "Normal force", "depth rate, m/s", "force, N",
     false, draw_rate},
    {"slip", "friction against the slip, after sliding for --time, at two depths", "Friction against the slip",
     "slip, m/s", "friction, N", false, draw_slip},
    {"press", "loading and unloading, in --time and faster", "Pressed and let go", "depth, mm", "force, N", false,
     draw_press},
    {"shear", "friction while dragged by --way forth and back in --time", "Dragged forth and back", "way, mm",
     "friction, N", false, draw_shear},
    {"modes", "where it sticks, slips or is separated, dragged by up to --way in --time", "Modes", "way, mm",
     "depth, mm", true, draw_modes},
    {0},
};

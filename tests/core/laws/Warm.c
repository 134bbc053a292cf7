/* SPDX-License-Identifier: MIT */
/* Conducts heat between its objects, heats both equally by friction, and wears the follower. */
#include <pcm/plugin.h>

typedef struct {
    double stiffness, conductance, friction, wear;
} Law;

enum { TEMPERATURE, WORN };

static void update(const pcm_batch *b)
{
    const Law     law = *(const Law *)b->params;
    const double *cool = b->base_amount[TEMPERATURE], *warm = b->follower_amount[TEMPERATURE];
    double       *to_base = b->base_flow[TEMPERATURE], *to_follower = b->follower_flow[TEMPERATURE];
    double       *off_base = b->base_flow[WORN], *off_follower = b->follower_flow[WORN];
    PCM_EACH(b, i) {
        const double push = law.stiffness * pcm_max(b->depth[i], 0);
        const double speed = pcm_sqrt(b->slip_x[i] * b->slip_x[i] + b->slip_y[i] * b->slip_y[i]);
        const double rubbed = 0.5 * law.friction * push * speed;
        const double passes = law.conductance * (warm[i] - cool[i]);
        b->force_n[i] = push;
        to_base[i] = rubbed + passes;
        to_follower[i] = rubbed - passes;
        off_base[i] = 0;
        off_follower[i] = law.wear * push * speed;
    }
}

static const pcm_param params[] = {
    PCM_REAL(Law, stiffness, "Stiffness", "N/m", 1000, "force per metre of depth", .min = 0),
    PCM_REAL(Law, conductance, "Conductance", "W/K", 0.5, "of the contact", .min = 0),
    PCM_REAL(Law, friction, "Friction", "1", 0, "of which the heat is made", .min = 0),
    PCM_REAL(Law, wear, "Wear", "m^2/N", 0, "volume per force and way", .min = 0),
};

static const pcm_amount amounts[] = {
    {"temperature", "K", "of the object", "W", 293.15, 0},
    {"worn", "m^3", "volume that is worn off", "m^3/s", 0, 1},
};

PCM_KERNELS(update);
PCM_MODEL(Warm, "Conducts heat and wears", .params = PCM_TABLE(params), .amounts = PCM_TABLE(amounts),
          .inputs = PCM_DEPTH | PCM_SLIP, .flags = PCM_ISOTROPIC);

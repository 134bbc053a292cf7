/* SPDX-License-Identifier: MIT */
/* slider.h - shared by Mindlin and CundallStrack: a spring and a damper along the surface that slide where they pull
 * with more than friction. */
#include <pcm/plugin.h>

/* What friction takes at most under the load of the earlier parts. */
PCM_INLINE double slider_bound(const pcm_batch *b, size_t i, double friction, int as_lammps)
{
    const double off = b->load_pull_off[i], pressed = pcm_ramp(b->load_n[i]), sticks = off > 0 ? 1 : 0;
    const double load = pcm_choose(as_lammps, pcm_abs(b->load_n[i]), pressed);
    const double sticky = pcm_abs(b->load_elastic[i] + b->load_adhesive[i] + 2 * off);
    return friction * (sticks * sticky + (1 - sticks) * load);
}

typedef struct {
    double pull_x, pull_y, pull; /* of spring and damper, N, and its size */
    double held;                 /* the share of it that friction takes */
    double x, y;                 /* the stretch that is left, m */
} Slider;

/* `touches` is 1, or 0 where nothing holds the spring. It limits the spring itself: LAMMPS limits the pull and
 * subtracts the damper's part, which can reverse it. */
PCM_INLINE Slider slider(double x, double y, double vx, double vy, double stiffness, double damper, double bound,
                         double touches, int as_lammps)
{
    const double pull_x = stiffness * x + damper * vx, pull_y = stiffness * y + damper * vy;
    const double pull = pcm_length(pull_x, pull_y), held = pull > bound ? bound / pull : 1;
    const double spring = stiffness * pcm_length(x, y), slid = spring > bound ? bound / spring : 1;
    const double per_stiffness = touches / pcm_max(stiffness, DBL_MIN);
    const double less_x = (held * pull_x - damper * vx) * per_stiffness;
    const double less_y = (held * pull_y - damper * vy) * per_stiffness;
    const double lammps_x = held < 1 ? less_x : x, lammps_y = held < 1 ? less_y : y;
    return (Slider){pull_x,
                    pull_y,
                    pull,
                    held,
                    pcm_choose(as_lammps, lammps_x, slid * x),
                    pcm_choose(as_lammps, lammps_y, slid * y)};
}

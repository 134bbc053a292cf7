/* SPDX-License-Identifier: MIT */
/* contact.h - one contact of two spheres under a law that `pcm export` has written: the operations of kernels.c and
 * lanes.h in their order, so that it has the bits of `pair_style pcm`. PCM_HEADER is the header, in quotes, and
 * PCM_TYPE the name of its contact type. */
#ifndef PCM_LAMMPS_KOKKOS_CONTACT_H
#define PCM_LAMMPS_KOKKOS_CONTACT_H

#include <Kokkos_Core.hpp>

#include <cmath>
#include <utility>

#define PCM_FN KOKKOS_INLINE_FUNCTION
#include PCM_HEADER

#define PCM_JOINED(a, b) a##b
#define PCM_JOIN(a, b)   PCM_JOINED(a, b)
#define PCM_LAW(name)    PCM_JOIN(PCM_TYPE, name)

namespace pcm_kokkos
{

using Contact = PCM_LAW(_contact);
using Result = PCM_LAW(_result);
using Report = PCM_LAW(_report);

/* ---- What the law reads and writes ------------------------------------------------------------------------------- */

/* A number that a struct of the law may have: whether it has it, and how it is set and read. */
#define PCM_FIELD(name)                                                                                                \
    template <class S> constexpr auto has_##name(int)->decltype((void)std::declval<S &>().name, true) { return true; } \
    template <class S> constexpr bool has_##name(long) { return false; }                                               \
    template <class S> KOKKOS_INLINE_FUNCTION auto set_##name(S &s, double to, int)->decltype((void)s.name)            \
    {                                                                                                                  \
        s.name = to;                                                                                                   \
    }                                                                                                                  \
    template <class S> KOKKOS_INLINE_FUNCTION void set_##name(S &, double, long) {}                                    \
    template <class S> KOKKOS_INLINE_FUNCTION auto get_##name(const S &s, int)->decltype(s.name + 0.0)                 \
    {                                                                                                                  \
        return s.name;                                                                                                 \
    }                                                                                                                  \
    template <class S> KOKKOS_INLINE_FUNCTION double get_##name(const S &, long) { return 0; }

#define PCM_INPUTS(FIELD)                                                                                              \
    FIELD(time)                                                                                                        \
    FIELD(dt)                                                                                                          \
    FIELD(depth)                                                                                                       \
    FIELD(depth_rate) FIELD(slip_x) FIELD(slip_y) FIELD(spin_x) FIELD(spin_y) FIELD(spin_n) FIELD(radius) FIELD(mass)
#define PCM_OUTPUTS(FIELD) FIELD(force_n) FIELD(force_x) FIELD(force_y) FIELD(moment_n) FIELD(moment_x) FIELD(moment_y)
#define PCM_UNREAD(FIELD)                                                                                              \
    FIELD(elastic_n) FIELD(adhesive_n) FIELD(pull_off) FIELD(patch_radius) /* for parts behind it */
PCM_INPUTS(PCM_FIELD)
PCM_OUTPUTS(PCM_FIELD)
PCM_UNREAD(PCM_FIELD)
PCM_FIELD(energy)

/* Numbers of the law's states, and those that are stored: vectors of three for what lies in the tangent plane. */
#define PCM_TWO(x, y)   +2
#define PCM_THREE(x, y) +3
#define PCM_ONE(x)      +1
enum { STATES = 0 PCM_LAW(_STATES)(PCM_TWO, PCM_ONE), WIDTH = 0 PCM_LAW(_STATES)(PCM_THREE, PCM_ONE) };

#define PCM_READS(name)  +has_##name<Contact>(0)
#define PCM_WRITES(name) +has_##name<Result>(0)
static_assert(sizeof(Contact) == sizeof(double) * (STATES PCM_INPUTS(PCM_READS)),
              "this law reads what spheres of pair_style pcm/kk do not have, or is in single precision");
static_assert(
    sizeof(Result) == sizeof(double) * (STATES PCM_OUTPUTS(PCM_WRITES) PCM_UNREAD(PCM_WRITES)),
    "this law ends contacts, says where they begin, or changes amounts: pair_style pcm has that, pcm/kk has not");
static_assert(PCM_LAW(_ANY_AXES),
              "this law prefers a direction along the surface: pair_style pcm carries it, not pcm/kk");
static_assert(!PCM_LAW(_LINGERS), "states of this law outlive their contact: pair_style pcm keeps them, not pcm/kk");

/* The states of a contact that begins, where the law has states. */
template <class C>
KOKKOS_INLINE_FUNCTION auto establish(C &c, int) -> decltype((void)(c.state = PCM_LAW(_establish)(c)))
{
    c.state = PCM_LAW(_establish)(c);
}
template <class C> KOKKOS_INLINE_FUNCTION void establish(C &, long) {}

/* ---- Vectors ----------------------------------------------------------------------------------------------------- */

struct Vec {
    double x, y, z;
};

KOKKOS_INLINE_FUNCTION double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
KOKKOS_INLINE_FUNCTION Vec    sum(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
KOKKOS_INLINE_FUNCTION Vec    less(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
KOKKOS_INLINE_FUNCTION Vec    scaled(double s, Vec v) { return {s * v.x, s * v.y, s * v.z}; }
KOKKOS_INLINE_FUNCTION Vec    cross(Vec a, Vec b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

/* ---- A contact --------------------------------------------------------------------------------------------------- */

struct Side {
    Vec    at, velocity, omega;
    double radius, mass;
};

/* What a contact stores: the states, those along the surface as vectors of space. */
struct Held {
    double number[WIDTH > 0 ? WIDTH : 1];
};

/* The force on the follower, the torques on both, and the energy stored. */
struct Wrench {
    Vec    force, on_base, on_follower;
    double energy;
};

/* Whether two spheres touch, by the way from one centre to the other and the sum of the radii. */
KOKKOS_INLINE_FUNCTION bool touch(Vec away, double radii, bool lives)
{
    const double square = dot(away, away);
    return lives ? radii - std::sqrt(square) >= 0 : square <= radii * radii;
}

/* The contact frame, and how vectors turn with it in a step. */
struct Frame {
    Vec    n, x, y, velocity; /* of the centres */
    double angle, tilt;
};

KOKKOS_INLINE_FUNCTION Vec tangent(Vec n)
{
    const double s = n.z < 0 ? -1 : 1, a = -1 / (s + n.z);
    return {1 + s * n.x * n.x * a, s * n.x * n.y * a, -s * n.x};
}

/* The components of a stored vector after the step; a large turn does not change its length. */
KOKKOS_INLINE_FUNCTION void turn(const Frame &f, const double *stored, double &to_x, double &to_y)
{
    const Vec from = {stored[0], stored[1], stored[2]}, flat = sum(from, scaled(f.tilt * dot(from, f.n), f.velocity));
    const double along_x = dot(flat, f.x), along_y = dot(flat, f.y), e = f.angle * f.angle, square = dot(from, from);
    const double share = 1 - 0.5 * e + e * e * (3.0 / 8 - 5.0 / 16 * e);
    const double x = share * (along_x - f.angle * along_y), y = share * (along_y + f.angle * along_x),
                 now = x * x + y * y;
    const bool   kept = std::fabs(now - square) <= 1e-13 * square;
    const double by = kept ? 1 : now > 0 ? std::sqrt(square / now) : 0;
    to_x = x * by;
    to_y = y * by;
}

/* Fills in what the law reads of depth, arms, radius and mass; returns the normal's factor. One division serves all. */
KOKKOS_INLINE_FUNCTION double place(const Side &base, const Side &follower, double distance, Contact &c, double arm[2])
{
    const bool   reduced = has_radius<Contact>(0) || has_mass<Contact>(0);
    const double r1 = base.radius, r2 = follower.radius, r = r1 + r2, m = base.mass + follower.mass,
                 some = m > 0 ? m : 1;
    const double depth = r - distance, both = reduced ? r * some : 1, share = 1 / (distance * both);
    const double per_both = share * distance, both_r = r1 * r2, both_m = base.mass * follower.mass;
    arm[0] = r1 - PCM_LAW(_ARM) * depth;
    arm[1] = r2 - (1 - PCM_LAW(_ARM)) * depth;
    set_depth(c, depth, 0);
    set_radius(c, both_r == 0 ? r : both_r * (per_both * some), 0);
    set_mass(c, both_m == 0 ? m : both_m * (per_both * r), 0);
    return share * both;
}

/* Fills in how the sides move in the frame, and finds how that turns in a step. */
KOKKOS_INLINE_FUNCTION void move(const Side &base, const Side &follower, const double arm[2], double per_distance,
                                 double dt, Contact &c, Frame &f)
{
    const Vec    turning = sum(scaled(arm[0], base.omega), scaled(arm[1], follower.omega));
    const Vec    velocity = sum(f.velocity, cross(f.n, turning));
    const double rate = -dot(f.velocity, f.n), step = dt * per_distance;
    set_depth_rate(c, rate, 0);
    set_slip_x(c, dot(velocity, f.x), 0);
    set_slip_y(c, dot(velocity, f.y), 0);
    set_spin_x(c, dot(follower.omega, f.x) - dot(base.omega, f.x), 0);
    set_spin_y(c, dot(follower.omega, f.y) - dot(base.omega, f.y), 0);
    set_spin_n(c, dot(follower.omega, f.n) - dot(base.omega, f.n), 0);
    f.angle = PCM_LAW(_SHARED) ? dt * 0.5 * dot(sum(base.omega, follower.omega), f.n) : dt * 1 * dot(base.omega, f.n);
    f.tilt = 0.5 * step * (1 + step * -rate);
}

KOKKOS_INLINE_FUNCTION Wrench push(const Result &r, const Frame &f, const double arm[2])
{
    const double along_x = get_force_x(r, 0), along_y = get_force_y(r, 0);
    const Vec    lever = sum(scaled(along_y, f.x), scaled(-along_x, f.y)); /* tangential force x n */
    Wrench       w = {sum(sum(scaled(along_x, f.x), scaled(along_y, f.y)), scaled(get_force_n(r, 0), f.n)),
                      scaled(arm[0], lever), scaled(arm[1], lever), 0};
    if (has_moment_n<Result>(0)) {
        const Vec along = sum(scaled(get_moment_x(r, 0), f.x), scaled(get_moment_y(r, 0), f.y));
        const Vec moment = sum(along, scaled(get_moment_n(r, 0), f.n));
        w.on_base = sum(w.on_base, scaled(-1, moment));
        w.on_follower = sum(w.on_follower, moment);
    }
    return w;
}

/* Evaluates a contact at the end of a step of dt. held: of the step before, unless the contact is new; then of this.
 */
template <bool REPORTS>
KOKKOS_INLINE_FUNCTION Wrench evaluate(const Side &base, const Side &follower, double time, double dt, bool is_new,
                                       Held &held)
{
    const Vec    away = less(follower.at, base.at);
    Contact      c = {};
    Frame        f;
    double       arm[2];
    const double per_distance = place(base, follower, std::sqrt(dot(away, away)), c, arm);
    f.n = scaled(per_distance, away);
    f.x = tangent(f.n);
    f.y = cross(f.n, f.x);
    f.velocity = less(follower.velocity, base.velocity);
    move(base, follower, arm, per_distance, dt, c, f);
    set_time(c, time, 0);
    set_dt(c, dt, 0);
    double *number = held.number;
#define PCM_TURN(along_x, along_y) turn(f, number, c.state.along_x, c.state.along_y), number += 3;
#define PCM_TAKE(state_)           c.state.state_ = *number++;
    if (is_new)
        establish(c, 0);
    else {
        PCM_LAW(_STATES)(PCM_TURN, PCM_TAKE)
    }
    Report report = {};
    if (REPORTS)
        report = PCM_LAW(_update)(c);
    else
        report.result = PCM_LAW(_forces)(c);
    const Result r = report.result;
    Wrench       w = push(r, f, arm);
    w.energy = REPORTS ? get_energy(report, 0) : 0;
    number = held.number;
#define PCM_SPREAD(along_x, along_y)                                                                                   \
    {                                                                                                                  \
        const Vec v = sum(scaled(r.next.along_x, f.x), scaled(r.next.along_y, f.y));                                   \
        *number++ = v.x, *number++ = v.y, *number++ = v.z;                                                             \
    }
#define PCM_KEEP(state_) *number++ = r.next.state_;
    PCM_LAW(_STATES)(PCM_SPREAD, PCM_KEEP) return w;
}

} // namespace pcm_kokkos

#endif

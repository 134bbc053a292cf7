#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: feet_and_friction.py [TABLE ...]

Writes the tables of this folder that it is named after: friction laws, robotics, feet and soils, from the equations of their
sources in arithmetic of 50 digits. Needs mpmath; the tests need its tables alone."""
import itertools
import pathlib
import sys

from mpmath import atan, cos, exp, mp, mpf, pi, sin, sqrt, tan, tanh

mp.dps = 50
tables = {}


def table(comment, *columns):
    """Registers a generator of rows as the table of its name."""

    def register(rows):
        def write(folder):
            lines = ["# " + comment, ",".join(columns)]
            lines += [",".join(x if isinstance(x, str) else mp.nstr(x, 17) for x in row) for row in rows()]
            (folder / (rows.__name__ + ".csv")).write_text("\n".join(lines) + "\n")

        tables[rows.__name__] = write
        return rows

    return register


def numbers(text):
    return [mpf(x) for x in text.split()]


def against(size, vx, vy):
    """A force of that size against the slip."""
    speed = sqrt(vx * vx + vy * vy)
    return (-size * vx / speed, -size * vy / speed) if speed else (mpf(0), mpf(0))


slips = [(mpf(x), mpf(y)) for x, y in ((0, 0), ("2e-4", 0), ("-6e-4", "8e-4"), ("1e-3", "1e-3"), ("3e-3", "-1e-3"),
                                        ("0.02", "0.01"), (-1, "0.5"))]


@table("friction = mu(v) r(v/vt) N against the slip, mu = mud + (mus - mud) exp(-(v/vs)^2) with Stribeck", "form",
       "stribeck", "mud", "mus", "vt", "vs", "load", "vx", "vy", "fx", "fy")
def coulomb_regularised():
    forms = {"Tanh": tanh, "Linear": lambda x: min(x, mpf(1)), "Arctan": lambda x: 2 / pi * atan(x),
             "Root": lambda x: x / sqrt(1 + x * x), "Step": lambda x: x * (3 - x * x) / 2 if x < 1 else mpf(1)}
    for form, stribeck, load, (vx, vy) in itertools.product(forms, ("false", "true"), numbers("-2 3 250"), slips):
        mud, mus, vt, vs = numbers("0.4 0.7 1e-3 8e-3")
        v = sqrt(vx * vx + vy * vy)
        mu = mud + ((mus - mud) * exp(-(v / vs) ** 2) if stribeck == "true" else 0)
        yield (form, stribeck, mud, mus, vt, vs, load, vx, vy, *against(mu * forms[form](v / vt) * max(load, 0), vx, vy))


@table("friction of Brown and McPhee with its viscous part", "mus", "mud", "vt", "sv", "nt", "load", "vx", "vy", "fx", "fy")
def brown_mcphee():
    for load, (vx, vy) in itertools.product(numbers("-1 0.2 40"), slips):
        mus, mud, vt, sv, nt = numbers("0.5 0.3 2e-3 3 1.5")
        v, n = sqrt(vx * vx + vy * vy), max(load, 0)
        x = v / vt
        mu = mud * tanh(4 * x) + (mus - mud) * x / (x * x / 4 + mpf(3) / 4) ** 2
        yield (mus, mud, vt, sv, nt, load, vx, vy, *against(mu * n + sv * v * tanh(4 * n / nt), vx, vy))


@table("friction of Hollars with its viscous part", "mus", "mud", "muv", "vt", "load", "vx", "vy", "fx", "fy")
def hollars():
    for load, (vx, vy) in itertools.product(numbers("-1 0.2 40"), slips):
        mus, mud, muv, vt = numbers("0.6 0.35 0.1 4e-3")
        v = sqrt(vx * vx + vy * vy)
        x = v / vt
        mu = min(x, mpf(1)) * (mud + 2 * (mus - mud) / (1 + x * x)) + muv * v
        yield (mus, mud, muv, vt, load, vx, vy, *against(mu * max(load, 0), vx, vy))


@table("IMPACT of Adams: max(k d^e + STEP d', 0)", "k", "e", "cmax", "dmax", "d", "dd", "fn")
def adams_impact():
    for (k, e), d, dd in itertools.product(((mpf("1e8"), mpf("2.2")), (mpf("1e5"), mpf("1.3"))),
                                           numbers("-1e-4 0 1e-5 6e-5 1e-4 3e-3"), numbers("-0.3 0 0.02 1.5")):
        cmax, dmax = numbers("2e3 1e-4")
        depth = max(d, 0)
        x = min(depth / dmax, mpf(1))
        yield k, e, cmax, dmax, d, dd, max(k * depth**e + cmax * x * x * (3 - 2 * x) * dd, mpf(0))


def towards(start, end, way):
    """A vector that tends to another as exp(-way)."""
    return tuple(e + (s - e) * exp(-way) for s, e in zip(start, end))


def unit(vx, vy):
    speed = sqrt(vx * vx + vy * vy)
    return (vx / speed, vy / speed) if speed else (mpf(0), mpf(0))


bends = [(mpf(x), mpf(y)) for x, y in ((0, 0), ("1e-5", "-2e-5"), ("-3e-5", "1e-5"))]


@table("Dahl's bristle: stretch and force after a step of dt of steady slip, in closed form; what is bent too far slides back",
       "sigma", "mu", "load", "dt", "zx", "zy", "vx", "vy", "fx", "fy", "nx", "ny")
def dahl():
    for load, dt, bend, slip in itertools.product(numbers("-1 3 90"), numbers("0 1e-5 2e-3"), bends, slips):
        sigma, mu = numbers("2e5 0.4")
        longest = mu * max(load, 0) / sigma
        size = sqrt(bend[0] ** 2 + bend[1] ** 2)
        held = tuple(z * min(1, longest / size) for z in bend) if size else bend
        speed = sqrt(slip[0] ** 2 + slip[1] ** 2)
        new = towards(held, [longest * e for e in unit(*slip)], speed * dt / longest) if longest and speed else held
        yield (sigma, mu, load, dt, *bend, *slip, -sigma * new[0], -sigma * new[1], *new)


@table("LuGre: stretch and force after a step of dt of steady slip, in closed form; damping as printed and no more than 4 g/v",
       "damping", "s0", "s1", "s2", "mud", "mus", "vs", "load", "dt", "zx", "zy", "vx", "vy", "fx", "fy", "nx", "ny")
def lugre():
    for name, load, dt, bend, slip in itertools.product(("Passive", "Constant"), numbers("5 90"), numbers("0 1e-5 2e-3"),
                                                        bends, slips):
        s0, s1, s2, mud, mus, vs = numbers("2e5 300 0.4 0.3 0.5 4e-3")
        speed = sqrt(slip[0] ** 2 + slip[1] ** 2)
        g = load * (mud + (mus - mud) * exp(-(speed / vs) ** 2))
        size = sqrt(bend[0] ** 2 + bend[1] ** 2)
        held = tuple(z * min(1, mus * load / s0 / size) for z in bend) if size else bend
        new = towards(held, [g / s0 * e for e in unit(*slip)], s0 * speed * dt / g)
        rate = [v - s0 * speed * z / g for v, z in zip(slip, new)]
        damping = min(s1, 4 * g / speed) if name == "Passive" and speed else s1
        yield (name, s0, s1, s2, mud, mus, vs, load, dt, *bend, *slip,
               *(-(s0 * z + damping * r + s2 * v) for z, r, v in zip(new, rate, slip)), *new)


@table("Gonthier's bristles: states and force after a step of dt of steady slip, in closed form", "s0", "s1", "s2", "mud",
       "mus", "vs", "tau", "load", "dt", "zx", "zy", "w", "vx", "vy", "fx", "fy", "nx", "ny", "nw")
def gonthier_bristle():
    for load, dt, bend, w, slip in itertools.product(numbers("5 90"), numbers("0 1e-4 2e-2"), bends, numbers("0 0.7"), slips):
        s0, s1, s2, mud, mus, vs, tau = numbers("1e5 316 0.3 0.3 0.5 4e-3 2")
        speed = sqrt(slip[0] ** 2 + slip[1] ** 2)
        s = exp(-(speed / vs) ** 2)
        size = sqrt(bend[0] ** 2 + bend[1] ** 2)
        held = tuple(z * min(1, mus * load / s0 / size) for z in bend) if size else bend
        a = (1 - s) * s0 / s1
        drive = [s * v + (1 - s) * mud * load / s1 * e for v, e in zip(slip, unit(*slip))]
        new = towards(held, [d / a for d in drive], a * dt) if a else tuple(z + d * dt for z, d in zip(held, drive))
        rate = [d - a * z for d, z in zip(drive, new)]
        nw = s + (w - s) * exp(-dt / (tau if s > w else s1 / s0))
        most = (mud + (mus - mud) * nw) * load
        pull = [s0 * z + s1 * r for z, r in zip(new, rate)]
        length = sqrt(pull[0] ** 2 + pull[1] ** 2)
        cut = min(1, most / length) if length else 1
        yield (s0, s1, s2, mud, mus, vs, tau, load, dt, *bend, w, *slip,
               *(-(cut * p + s2 * v) for p, v in zip(pull, slip)), *new, nw)


@table("Drake's point contact", "k", "d", "mus", "mud", "vs", "x", "dd", "vx", "vy", "fn", "fx", "fy")
def drake_point():
    def step5(x):
        return x**3 * (10 + x * (6 * x - 15))

    for x, dd, (vx, vy) in itertools.product(numbers("-1e-4 0 2e-4 3e-3"), numbers("-3 -0.2 0 0.7"), slips):
        k, d, mus, mud, vs = numbers("4e4 0.6 0.6 0.4 1.1e-3")
        s = sqrt(vx * vx + vy * vy) / vs
        mu = mus * step5(s) if s < 1 else mus - (mus - mud) * step5((s - 1) / 2) if s < 3 else mud
        fn = k * max(x, 0) * max(1 + d * dd, 0)
        yield (k, d, mus, mud, vs, x, dd, vx, vy, fn, *against(mu * fn, vx, vy))


@table("OpenSim's smooth sphere on a half-space, as printed and without its pull", "literal", "E", "c", "mus", "mud", "muv",
       "vt", "cf", "bd", "bv", "R", "d", "dd", "vx", "vy", "fn", "fx", "fy")
def smooth_sphere():
    def onset(x):
        """(1 + tanh x)/2 with all its digits."""
        return 1 / (1 + exp(-2 * x))

    for literal, c, d, dd, (vx, vy) in itertools.product(("false", "true"), numbers("0.4 2"), numbers("-8e-3 0 1e-3 2e-2"),
                                                         numbers("-2 -0.3 0 0.5"), slips[:2] + slips[4:]):
        E, mus, mud, muv, vt, cf, bd, bv, R = numbers("1e6 0.9 0.8 0.5 0.2 1e-5 300 50 0.032")
        k = E ** (mpf(2) / 3) / 2
        fh = mpf(4) / 3 * k * sqrt(R * k) * (d * d + cf) ** (mpf(3) / 4) * onset(bd * d)
        fn = fh * (1 + 3 * c * dd / 2) * onset(bv * (dd + 2 / (3 * c)))
        fn = fn if literal == "true" else max(fn, mpf(0))
        s = sqrt(vx * vx + vy * vy + cf)
        mu = min(s / vt, mpf(1)) * (mud + 2 * (mus - mud) / (1 + (s / vt) ** 2)) + muv * s
        drag = mu * max(fn, 0) / s
        yield literal, E, c, mus, mud, muv, vt, cf, bd, bv, R, d, dd, vx, vy, fn, -drag * vx, -drag * vy


axes = [(mpf(x), mpf(y)) for x, y in ((1, 0), ("0.6", "0.8"), ("-0.1", "0.2"))]


def split(axis, x, y):
    """A vector along and across an axis."""
    ex, ey = unit(*axis)
    return ex * x + ey * y, ex * y - ey * x


def joined(axis, along, across):
    ex, ey = unit(*axis)
    return ex * along - ey * across, ey * along + ex * across


@table("friction in an ellipse, one half for each sense of the axis; mu of a direction is its radius in the ellipse", "rule",
       "forward", "backward", "across", "vt", "load", "ax", "ay", "vx", "vy", "fx", "fy")
def anisotropic():
    for rule, load, axis, slip in itertools.product(("Associated", "Collinear"), numbers("-2 30"), axes, slips):
        forward, backward, across, vt = numbers("0.2 0.5 0.7 1e-3")
        va, vc = split(axis, *slip)
        mu = forward if va > 0 else backward
        speed = sqrt(va * va + vc * vc)
        size = max(load, 0) * tanh(speed / vt)
        if not speed:
            f = (mpf(0), mpf(0))
        elif rule == "Associated":
            root = sqrt((mu * va) ** 2 + (across * vc) ** 2)
            f = (-size * mu**2 * va / root, -size * across**2 * vc / root)
        else:
            radius = 1 / sqrt((va / speed / mu) ** 2 + (vc / speed / across) ** 2)
            f = (-size * radius * va / speed, -size * radius * vc / speed)
        yield (rule, forward, backward, across, vt, load, *axis, *slip, *joined(axis, *f))


def within(x, low, high):
    return max(low, min(x, high))


@table("toe of a gecko: springs and dampers, cut to the limit set", "alpha", "shear", "mu", "k", "b", "dt", "d", "dd", "ax",
       "ay", "vx", "vy", "zx", "zy", "fn", "fx", "fy", "nx", "ny", "broken")
def frictional_adhesion():
    alpha, shear, mu, k, b, dt = numbers("0.5 8 0.4 900 4 1e-3")
    for d, dd, axis, slip, bend in itertools.product(numbers("-6e-3 -1e-3 1e-3 2e-2"), numbers("-0.2 0 0.1"), axes[:2],
                                                     slips[1::3], [(mpf(0), mpf(0)), (mpf("6e-3"), mpf("2e-3"))]):
        (sa, sc), (va, vc) = split(axis, *(z + dt * v for z, v in zip(bend, slip))), split(axis, *slip)
        normal = k * d + b * dd
        grip = mu * (max(normal, 0) if d > 0 else 0)
        most = max(shear, grip)
        na, nc = within(sa, -grip / k, most / k), within(sc, -grip / k, grip / k)
        fa, fc = within(k * na + b * va, -grip, most), within(k * nc + b * vc, -grip, grip)
        adhesion = tan(alpha) * within(fa, 0, shear)
        fn = max(normal, -adhesion)
        yield (alpha, shear, mu, k, b, dt, d, dd, *axis, *slip, *bend, fn if d > 0 else min(fn, 0), *joined(axis, -fa, -fc),
               *joined(axis, na, nc), "1" if d <= 0 and normal < -adhesion else "0")


@table("a spine: held within strength and angle, after the way to the next asperity", "theta", "k", "b", "spacing", "given",
       "dt", "d", "dd", "ax", "ay", "vx", "vy", "stretch", "way", "fn", "fx", "fy", "nstretch", "nway", "broken")
def microspine():
    theta, k, b, spacing, dt = numbers("0.6 500 1 1e-3 1e-3")
    for given, d, dd, axis, slip, stretch, way in itertools.product(numbers("1 2"), numbers("-1e-3 2e-4"), numbers("-0.1 0"),
                                                                    axes[:2], slips[1::3], numbers("0 3e-3 8e-3"),
                                                                    numbers("0 1e-5")):
        drag, _ = split(axis, *slip)
        left = max(way - dt * max(drag, 0), 0)
        bent = 0 if left else max(stretch + dt * drag, 0)
        shear = 0 if left else max(k * bent + b * drag, 0)
        normal = k * d + b * dd
        pull = max(-normal, 0)
        breaks = sqrt(shear**2 + pull**2) > given
        slips_off = pull > tan(theta) * shear
        shear_now = 0 if breaks else shear
        fn = max(normal, -tan(theta) * shear_now)
        yield (theta, k, b, spacing, given, dt, d, dd, *axis, *slip, stretch, way, mpf(fn if d > 0 else min(fn, 0)),
               *joined(axis, -mpf(shear_now), mpf(0)), mpf(0 if breaks else bent), mpf(spacing if breaks else left),
               "1" if d <= 0 and (breaks or slips_off) else "0")


@table("a claw: holds up to its strength, jumps on and drops back by whole teeth", "k", "b", "pitch", "strength", "dt", "load",
       "ax", "ay", "vx", "vy", "s", "fx", "fy", "ns")
def ratchet_claw():
    k, b, pitch, strength, dt = numbers("2e4 10 2e-3 50 1e-3")
    for load, axis, slip, start in itertools.product(numbers("-1 10"), axes[:2], slips, numbers("-1.9e-3 -1e-4 1e-3 2.4e-3 0")):
        drag, _ = split(axis, *slip)
        s = start + dt * drag
        while s < -pitch:
            s += pitch
        while s > strength / k:
            s -= pitch
        force = within(k * s + b * drag, mpf(0), strength) if load > 0 and s > 0 else mpf(0)
        yield (k, b, pitch, strength, dt, load, *axis, *slip, start, *joined(axis, -force, mpf(0)),
               s if load > 0 else mpf(0))


@table("Bekker's sinkage, unloading at no less than the slope that gives no energy, Janosi's shear in closed form", "kc", "kphi",
       "n", "b", "ku", "c", "phi", "K", "area", "dt", "d", "vx", "vy", "zmax", "jx", "jy", "was", "fn", "fx", "fy", "nz", "nx",
       "ny")
def bekker_wong():
    kc, kphi, b, c, phi, K, dt = numbers("990 1.528e6 0.1 1040 0.4887 0.025 1e-2")
    for n, ku, d, zmax, slip, bend, was in itertools.product(numbers("0.7 1.1"), numbers("1e6 2e8"),
                                                             numbers("0 1e-4 1.9e-2 2e-2 5e-2"), numbers("0 2e-2"), slips[1::3],
                                                             [(mpf(0), mpf(0)), (mpf("0.01"), mpf("-0.004"))],
                                                             numbers("100 9e3")):
        area = mpf("0.02")
        k = kc / b + kphi
        deepest = max(zmax, d)
        most = k * deepest**n
        slope = max(ku, max(n, 1) * most / deepest) if deepest else ku
        p = max(most - slope * (deepest - d), mpf(0)) if d > 0 else mpf(0)
        strength = min(c, p) + p * tan(phi) if p else was
        start = [x * min(1, was / strength) for x in bend]
        speed = sqrt(slip[0] ** 2 + slip[1] ** 2)
        new = towards(start, [K * e for e in unit(*slip)], speed * dt / K) if p else start
        grip = area * strength / K if p else mpf(0)
        yield (kc, kphi, n, b, ku, c, phi, K, area, dt, d, *slip, zmax, *bend, was, area * p, -grip * new[0], -grip * new[1],
               deepest, *new)


resistance_columns = "zeta", "area", "depth", "ax", "ay", "an", "vx", "vy", "dd", "fn", "fx", "fy"


def resistance(coefficients, tilts, ways, turns):
    A00, A10, B11, B01, B_11, C11, C01, C_11, D10 = numbers(coefficients)
    for depth, b, g, t in itertools.product(numbers("-0.01 0.03"), numbers(tilts), numbers(ways), numbers(turns)):
        zeta, area, speed = numbers("0.8 2e-3 0.3")
        az = A00 + A10 * cos(2 * b) + B01 * sin(g) + B11 * sin(2 * b + g) + B_11 * sin(-2 * b + g)
        ax = C01 * cos(g) + C11 * cos(2 * b + g) + C_11 * cos(-2 * b + g) + D10 * sin(2 * b)
        size = zeta * area * max(depth, 0) * mpf("1e6")
        yield (zeta, area, depth, -sin(b) * cos(t), -sin(b) * sin(t), cos(b), speed * cos(g) * cos(t), speed * cos(g) * sin(t),
               speed * sin(g), size * az, -size * ax * cos(t), -size * ax * sin(t))


@table("resistive force theory by its angles, after a long way in one direction: b tilt of the plate, g of its way, t about the "
       "vertical", *resistance_columns)
def resistive_force():
    return resistance("0.206 0.169 0.212 0.358 0.055 -0.124 0.253 0.007 0.088", "-1.5 -0.6 0 0.4 1.2", "-1.5 -0.3 0 0.7 1.4",
                      "0 0.9 2.5")


@table("the same with coefficients of another material: 0.3, 0.1, 0.25, 0.2, -0.04, -0.15, 0.35, 0.02, 0.06 N/cm^3",
       *resistance_columns)
def resistive_force_other():
    return resistance("0.3 0.1 0.25 0.2 -0.04 -0.15 0.35 0.02 0.06", "-0.6 0 0.4", "-1.5 0.7", "0 2.5")


@table("a table of forces, by straight lines", "c", "d", "dd", "fn")
def measured_table():
    depths, forces = numbers("0 1e-4 4e-4 9e-4"), numbers("0 1 5 30")
    for d, dd in itertools.product(numbers("-1e-4 0 5e-5 1e-4 2.5e-4 4e-4 7e-4 9e-4 2e-3"), numbers("-3 0 0.4")):
        c, depth = mpf("0.5"), max(d, 0)
        k = max(i for i in range(3) if depths[i] <= depth)
        f = forces[k] + (forces[k + 1] - forces[k]) * (depth - depths[k]) / (depths[k + 1] - depths[k])
        yield c, d, dd, f * max(1 + c * dd, 0)


@table("heat of what is lost, heat through a circle, and wear, per second into or off the base and the follower", "share",
       "rubs", "damps", "k", "h", "K", "hb", "hf", "load", "a", "tb", "tf", "lost", "damped", "fx", "fy", "qb", "qf", "cb",
       "cf", "wb", "wf")
def heat_and_wear():
    for load, a, tb, tf, (vx, vy) in itertools.product(numbers("-1 80"), numbers("0 1e-3"), numbers("280"), numbers("260 410"),
                                                       slips):
        mu, share, rubs, damps, damped = numbers("0.3 0.4 0.9 0.7 0.25")
        k, h, K, hb, hf = numbers("45 2e3 1e-4 2e9 5e8")
        speed = sqrt(vx * vx + vy * vy)
        rubbed, limit = max(load, 0) * speed, mu * max(load, 0) / (speed or 1)
        heat = rubs * mu * rubbed + damps * damped
        through = (2 * k * a + pi * a * a * h) * (tf - tb)
        yield (share, rubs, damps, k, h, K, hb, hf, load, a, tb, tf, mu * rubbed, damped, -limit * vx, -limit * vy,
               share * heat, (1 - share) * heat, through, -through, K * rubbed / hb, K * rubbed / hf)


if __name__ == "__main__":
    for name in sys.argv[1:] or tables:
        tables[name](pathlib.Path(__file__).parent)

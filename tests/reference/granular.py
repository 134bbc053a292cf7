# SPDX-License-Identifier: MIT
"""Tables for the elastic, granular and adhesive laws, in 50-digit arithmetic from the equations of their sources.

usage: python3 granular.py [LAW...]      in this folder; needs mpmath

It shares nothing with the laws: where they use a closed form or a bisection, this uses another, or a root finder.
"""
import random
import sys

from mpmath import atan, cbrt, cos, e as euler, exp, findroot, lambertw, log, mp, mpf, nstr, pi, quad, sin, sqrt

mp.dps = 50
LAWS = {}


def law(make):
    LAWS[make.__name__] = make
    return make


def some(low, high, sign=False):
    """A number between 10^low and 10^high of six digits, as it is written."""
    text = "%.5e" % (10 ** random.uniform(low, high) * (random.choice((-1, 1)) if sign else 1))
    return mpf(text)


def pick(*values):
    return random.choice(values)


def write(name, note, columns, rows):
    with open(name + ".csv", "w", encoding="ascii") as out:
        out.write("".join("# %s\n" % line for line in note.split("\n")) + ",".join(columns) + "\n")
        for row in rows:
            cells = (value if isinstance(value, str) else nstr(value, 17, strip_zeros=True) for value in row)
            out.write(",".join(cells) + "\n")


def depth():
    return pick(some(-6, -3), some(-6, -3), some(-6, -3), mpf(0), -some(-6, -3))


def rate():
    return pick(some(-3, 0, True), some(-3, 0, True), mpf(0))


def ramp(x):
    return x if x > 0 else mpf(0)


def hertz(modulus, radius, d):
    """Force and circle of contact."""
    d = ramp(d)
    return mpf(4) / 3 * modulus * sqrt(radius) * d ** mpf(1.5), sqrt(radius * d)


def reduced(ya, va, yb, vb):
    return 1 / ((1 - va**2) / ya + (1 - vb**2) / yb)


@law
def hertz_spheres():
    rows = []
    for _ in range(40):
        modulus, radius, d = some(5, 11), some(-4, -1), depth()
        force, patch = hertz(modulus, radius, d)
        rows.append((modulus, radius, d, force, patch, force * ramp(d) * 2 / 5))
    write("hertz", "Elastic spheres (Johnson 1985, ch. 4): force, circle of contact, energy.",
          ("modulus", "radius", "depth", "force", "patch", "energy"), rows)


@law
def kelvin_voigt():
    rows = []
    for _ in range(40):
        k, c, clip, d, dd = some(3, 6), some(0, 3), pick("true", "false"), depth(), rate()
        force = k * d + c * dd if d > 0 else mpf(0)
        force = ramp(force) if clip == "true" else force
        rows.append((k, c, clip, d, dd, force, k * ramp(d) ** 2 / 2))
    write("kelvin_voigt", "Linear spring and damper, clipped at zero or not.",
          ("k", "c", "clip", "depth", "rate", "force", "energy"), rows)


@law
def hunt_crossley():
    rows = []
    for _ in range(40):
        k, n, c, d, dd = some(6, 9), pick(mpf(1), mpf(1.5), mpf("2.2")), some(-2, 1), depth(), rate()
        force = k * ramp(d) ** n * ramp(1 + mpf(3) / 2 * c * dd)
        rows.append((k, n, c, d, dd, force, k * ramp(d) ** (n + 1) / (n + 1)))
    write("hunt_crossley", "Hunt and Crossley 1975.", ("k", "n", "c", "depth", "rate", "force", "energy"), rows)


def returned(x):
    """What an impact with k d^n (1 + x d'/v) returns: the other root of x - ln(1 + x)."""
    kept = x - log(1 + x)
    return (1 + lambertw(-exp(-1 - kept)).real) / x


def damping_for(e):
    return findroot(lambda x: returned(x) - e, (mpf("1e-3"), (1 - mpf("1e-9")) / e), solver="anderson", tol=1e-40)


def latched(name, published, note):
    rows = []
    for _ in range(40):
        k, n, d, dd, v = some(6, 9), pick(mpf(1), mpf(1.5), mpf("2.2")), depth(), rate(), some(-2, 0)
        e, nominal = pick(mpf("0.3"), mpf("0.5"), mpf("0.9")), pick("true", "false")
        x = published(e) if nominal == "true" else damping_for(e)
        force = k * ramp(d) ** n * ramp(1 + x * dd / v)
        rows.append((k, n, e, nominal, d, dd, v, force, k * ramp(d) ** (n + 1) / (n + 1)))
    write(name, note, ("k", "n", "e", "nominal", "depth", "rate", "impact", "force", "energy"), rows)


@law
def lankarani_nikravesh():
    latched("lankarani_nikravesh", lambda e: mpf(3) / 4 * (1 - e**2),
            "Lankarani and Nikravesh 1990, as printed and so that it returns e; impact: depth rate at touch-down.")


@law
def flores():
    latched("flores", lambda e: mpf(8) / 5 * (1 - e) / e,
            "Flores et al. 2011, as printed and so that it returns e; impact: depth rate at touch-down.")


def clipped(z):
    """What a linear spring and damper with damping ratio z returns where it lets go at zero force: by its solution."""
    if z < 1:
        w = sqrt(1 - z**2)
        end = pi - atan(2 * z * w / (1 - 2 * z**2)) if 2 * z**2 < 1 else atan(2 * z * w / (2 * z**2 - 1))
        return exp(-z * end / w)
    w = sqrt(z**2 - 1)
    return exp(-z * log((z + w) / (z - w)) / w)


@law
def hertz_tsuji():
    rows = []
    for _ in range(40):
        modulus, radius, mass, d, dd = some(5, 11), some(-4, -1), some(-4, 0), depth(), rate()
        e, way = pick(mpf("0.1"), mpf("0.3"), mpf("0.8")), pick("Clipped", "Unclipped", "ClippedNominal")
        z = -log(e) / sqrt(log(e) ** 2 + pi**2)
        if way == "Clipped":
            z = findroot(lambda z: clipped(z) - e, (mpf("1e-3"), mpf("3.1")), solver="anderson", tol=1e-40)
        k = mpf(4) / 3 * modulus * sqrt(radius)
        force = k * ramp(d) ** mpf(1.5) + sqrt(5) * z * sqrt(mass * k) * ramp(d) ** mpf(0.25) * dd
        force = force if way == "Unclipped" else ramp(force)
        rows.append((modulus, radius, mass, e, way, d, dd, force, hertz(modulus, radius, d)[1]))
    write("hertz_tsuji", "Tsuji et al. 1992 with the damper of Antypov and Elliott 2011, and clipped.",
          ("modulus", "radius", "mass", "e", "way", "depth", "rate", "force", "patch"), rows)


def capped(pull, bound):
    """The pull, scaled to the size of the bound where it is above it."""
    size = sqrt(sum(x**2 for x in pull))
    return tuple(x * bound / size for x in pull) if size > bound else tuple(pull)


@law
def gran_hooke():
    rows = []
    for _ in range(60):
        k, gn, gt, mu, m = some(4, 6), some(0, 2), some(0, 2), some(-1, 0), some(-3, 0)
        d, dd, vx, vy, limit = depth(), rate(), rate(), rate(), pick("true", "false")
        force = k * d + m * gn * dd if d > 0 else mpf(0)
        force = ramp(force) if limit == "true" else force
        fx, fy = capped((-m * gt * vx, -m * gt * vy), mu * abs(force))
        rows.append((k, gn, gt, mu, limit, m, d, dd, vx, vy, force, fx, fy, k * ramp(d) ** 2 / 2))
    write("gran_hooke", "LAMMPS, gran/hooke, with and without limit_damping.",
          ("k", "gn", "gt", "mu", "limit", "m", "depth", "rate", "vx", "vy", "force", "fx", "fy", "energy"), rows)


@law
def gran_hertz():
    rows = []
    for _ in range(60):
        k, kt, gn, gt, mu = some(6, 8), some(6, 8), some(0, 4), some(0, 4), some(-1, 0)
        m, radius, dt, limit = some(-3, 0), some(-3, -1), some(-6, -4), pick("true", "false")
        d, dd, vx, vy, x, y = depth(), rate(), rate(), rate(), some(-8, -5, True), some(-8, -5, True)
        p = sqrt(ramp(d) * radius)
        force = p * (k * ramp(d) + m * gn * dd)
        force = ramp(force) if limit == "true" else force
        pull = (-p * (kt * (x + dt * vx) + m * gt * vx), -p * (kt * (y + dt * vy) + m * gt * vy))
        fx, fy = capped(pull, mu * abs(force))
        rows.append((k, kt, gn, gt, mu, limit, m, radius, dt, d, dd, vx, vy, x, y, force, fx, fy))
    write("gran_hertz", "LAMMPS, gran/hertz/history, a step of dt from the stretch x, y.",
          ("k", "kt", "gn", "gt", "mu", "limit", "m", "radius", "dt", "depth", "rate", "vx", "vy", "x", "y", "force", "fx",
           "fy"), rows)


def loads():
    """Elastic, adhesive and total normal load, and pull-off force."""
    elastic = some(-2, 2)
    if pick(True, False):
        return elastic, mpf(0), pick(elastic, elastic * mpf("1.25"), mpf(0)), mpf(0)
    pull_off = some(-2, 1)
    return elastic, -pull_off, elastic - pull_off, pull_off


LOADS = ("elastic", "adhesive", "load", "pull_off")


def limit_of(mu, load):
    return mu * (abs(load[0] + load[1] + 2 * load[3]) if load[3] > 0 else ramp(load[2]))


@law
def mindlin():
    rows = []
    for _ in range(120):
        g, mu, history, e = some(8, 10), some(-1, 0), pick("Displacement", "Force", "Rescale", "RescaleForce"), some(-1, 0)
        e = pick(mpf(1), min(e, mpf(1)))
        a, before, m, d, dt = some(-5, -3), some(-5, -3), some(-3, 0), some(-6, -4), some(-7, -5)
        vx, vy, load = rate(), rate(), loads()
        most = limit_of(mu, load) / (8 * g * a)
        u = [most * some(-1, mpf("0.5"), True) for _ in range(2)]
        u = [mpf("%.5e" % x) for x in u]
        lammps = pick("true", "false")
        damper = sqrt(5) * -log(e) / sqrt(log(e) ** 2 + pi**2) * sqrt(m * (load[0] / d if lammps == "true" else 8 * g * a))
        if "Force" in history:  # LAMMPS keeps the force
            kept = [8 * g * before * x * (a / before if history == "RescaleForce" and a < before else 1) for x in u]
            spring = [f + 8 * g * a * v * dt for f, v in zip(kept, (vx, vy))]
        else:
            scale = a / before if history == "Rescale" and a < before else 1
            spring = [8 * g * a * (x * scale + v * dt) for x, v in zip(u, (vx, vy))]
        pull = [-s - damper * v for s, v in zip(spring, (vx, vy))]
        rows.append((g, mu, history, e, lammps, a, before, m, d, dt, vx, vy, *load, *u, *capped(pull, limit_of(mu, load))))
    write("mindlin", "Mindlin's spring with the four histories of LAMMPS and either damper, a step of dt from the stretch x, y "
          "at the circle before.", ("g", "mu", "history", "e", "lammps", "a", "before", "m", "depth", "dt", "vx", "vy", *LOADS,
                                    "x", "y", "fx", "fy"), rows)


@law
def cundall_strack():
    rows = []
    for _ in range(120):
        kt, gt, mu, m, dt, lammps = some(3, 6), pick(some(0, 4), mpf(0)), some(-1, 0), some(-3, 0), some(-6, -4), pick("true", "false")
        d, vx, vy, load = some(-6, -4), rate(), rate(), loads()
        if lammps == "true" and load[3] == 0:
            load = (load[0], load[1], pick(load[2], -load[2]), load[3])
        most = mu * abs(load[2]) if lammps == "true" and load[3] == 0 else limit_of(mu, load)
        u = [mpf("%.5e" % (max(most, mpf("1e-3")) / kt * some(-1, mpf("0.5"), True))) for _ in range(2)]
        pull = [-kt * (x + dt * v) - m * gt * v for x, v in zip(u, (vx, vy))]
        force = capped(pull, most)
        after = capped([x + dt * v for x, v in zip(u, (vx, vy))], most / kt)
        if lammps == "true":  # as LAMMPS has it: -(kt u + m gt v) is the force
            after = [-(f + m * gt * v) / kt for f, v in zip(force, (vx, vy))]
        energy = kt * sum(x**2 for x in after) / 2
        rows.append((kt, gt, mu, m, lammps, d, dt, vx, vy, *load, *u, *force, energy))
    write("cundall_strack", "A linear spring and slider, limited as by Mindlin or as by LAMMPS, a step of dt from the stretch x, y.",
          ("kt", "gt", "mu", "m", "lammps", "depth", "dt", "vx", "vy", *LOADS, "x", "y", "fx", "fy", "energy"), rows)


@law
def partial_slip():
    rows = []
    for _ in range(60):
        g, mu, a, d, dt = some(8, 10), some(-1, 0), some(-5, -3), some(-6, -4), some(-7, -5)
        before, laid = mpf("%.5e" % (a * random.uniform(0.3, 1.5))), mpf("%.5e" % (d * random.uniform(0.3, 3)))
        vx, vy, load = rate(), rate(), loads()
        most = mu * ramp(load[2]) / (8 * g * a)
        u = [mpf("%.5e" % (most * some(-1, mpf("0.5"), True))) for _ in range(6)]
        ends = [a * sqrt(laid / d) * (mpf(k) / 3) ** mpf("0.7") for k in range(3)] + [mpf("inf")]
        fx = fy = mpf(0)
        for k in range(3):
            lower, upper = min(ends[k], a), min(ends[k + 1], a)
            was = ramp(min(ends[k + 1], before) - ends[k])
            if upper > lower:
                keep = min(was / (upper - lower), 1)
                pull = [-8 * g * (upper - lower) * (keep * x + v * dt) for x, v in zip(u[2 * k:], (vx, vy))]
                pressure = (upper - lower - (upper**3 - lower**3) / (3 * a**2)) / (2 * a / 3)
                px, py = capped(pull, mu * ramp(load[2]) * pressure)
                fx, fy = fx + px, fy + py
        rows.append((g, mu, laid, a, before, d, dt, vx, vy, *load, *u, fx, fy))
    write("partial_slip", "Three springs under a circle that stick and slip one by one, a step of dt from their stretch.",
          ("g", "mu", "laid", "a", "before", "depth", "dt", "vx", "vy", *LOADS, "x1", "y1", "x2", "y2", "x3", "y3", "fx", "fy"), rows)


@law
def rolling_resistance():
    rows = []
    for _ in range(60):
        k, c, mu, radius, dt = some(1, 4), some(-2, 1), some(-3, -1), some(-3, -1), some(-6, -4)
        wx, wy, load = some(-2, 1, True), some(-2, 1, True), loads()
        most = limit_of(mu, load) / k
        r = [mpf("%.5e" % (most * some(-1, mpf("0.5"), True))) for _ in range(2)]
        fx, fy = capped([-(k * (x + dt * v) + c * v) for x, v in zip(r, (radius * wy, -radius * wx))], limit_of(mu, load))
        mx, my = -radius * fy, radius * fx
        rows.append((k, c, mu, radius, dt, wx, wy, *load, *r, mx, my))
    write("rolling_resistance", "Spring, damper and slider against rolling, a step of dt from the way rolled x, y.",
          ("k", "c", "mu", "radius", "dt", "wx", "wy", *LOADS, "x", "y", "mx", "my"), rows)


@law
def twisting():
    rows = []
    for _ in range(60):
        g, mu, t, a, dt = some(8, 10), some(-1, 0), pick(mpf(0), some(-6, -4)), some(-5, -3), some(-6, -4)
        w, load, pressure = some(-2, 1, True), loads(), pick("Hertz", "Uniform")
        k, arm = 4 * g * a**3, 3 * pi / 16 if pressure == "Hertz" else mpf(2) / 3
        most = arm * a * limit_of(mu, load)
        q = mpf("%.5e" % (most / k * some(-1, mpf("0.5"), True)))
        (moment,) = capped((-k * (q + dt * w) - t * k * w,), most)
        rows.append((g, mu, t, pressure, a, dt, w, *load, q, moment))
    write("twisting", "Resistance against spinning: Marshall's, and the circle that slides under Hertz' pressure.",
          ("g", "mu", "t", "pressure", "a", "dt", "w", *LOADS, "twist", "moment"), rows)


@law
def dmt():
    rows = []
    for _ in range(30):
        modulus, w, radius, d = some(5, 10), some(-3, 0), some(-6, -2), depth()
        force, patch = hertz(modulus, radius, d)
        pull = 2 * pi * w * radius if d >= 0 else mpf(0)
        rows.append((modulus, w, radius, d, force - pull, force * ramp(d) * 2 / 5 - pull * ramp(d)))
    write("dmt", "Derjaguin, Muller and Toporov 1975.", ("modulus", "w", "radius", "depth", "force", "energy"), rows)


@law
def linear_cohesion():
    """Half of AreaFactor times where the undeformed gap overlaps: an ellipse of two semi-axes, or a strip; or a flat."""
    rows = []
    for _ in range(60):
        k, c, d, shape = some(3, 7), pick(mpf(1), mpf(2), mpf(4), some(-1, 1)), depth(), pick("point", "point", "line", "flat")
        first, second = sorted(some(1, 4) for _ in range(2))
        second = pick(second, first)
        whole = mpf(0) if shape == "point" else pick(mpf(1), mpf("0.5"), mpf("0.25"))
        part = mpf(1) if shape == "point" else pick(1 - whole, mpf(0))
        length, bend = (some(-3, 0), second) if shape == "line" else (mpf(0), mpf(0))
        flat = some(-6, -2) if shape == "flat" else mpf(0)

        def area(x):
            point = c / 2 * pi * sqrt(2 * x / first) * sqrt(2 * x / second)
            return part * point + whole * (c / 2 * 2 * sqrt(2 * x / bend) * length if shape == "line" else flat)

        touch = area(ramp(d)) if d >= 0 else mpf(0)
        energy = quad(area, [0, d / 10, d]) if d > 0 else mpf(0)
        rows.append((k, c, first, second, part, whole, length, bend, flat, d, -k * touch, -k * energy))
    write("linear_cohesion", "A pull of k times the area of contact; the energy by quadrature.",
          ("k", "c", "k1", "k2", "point", "whole", "length", "bend", "flat", "depth", "force", "energy"), rows)


@law
def linear_cohesion_spheres():
    """Behind Hertz: depths by root finders. k is such that the sum is 0 at a depth of up to a hundredth of the radius."""
    rows = []
    for _ in range(20):
        modulus, radius, c = some(6, 10), some(-4, -2), pick(mpf(1), mpf(2), mpf(4))
        k = mpf("%.5e" % (4 * modulus * sqrt(radius * some(-5, -2)) / (3 * c * pi * sqrt(radius))))
        mass, speed, weight = mpf("%.5e" % (4000 * radius**3)), some(-1, 1), some(-6, -2)
        balanced = (3 * c * pi * k * sqrt(radius) / (4 * modulus)) ** 2

        def net(d):
            return hertz(modulus, radius, d)[0] - k * c * pi * radius * d

        def stored(d):
            return hertz(modulus, radius, d)[0] * d * 2 / 5 - k * c * pi * radius * d**2 / 2

        def beyond(miss):  # the root above the depth where the sum is 0; both rise from there
            high = 2 * balanced
            while miss(high) < 0:
                high *= 2
            return findroot(miss, (balanced, high), solver="anderson", tol=1e-80, maxsteps=200)

        rows.append((modulus, radius, k, c, mass, speed, weight, beyond(lambda d: net(d) - weight),
                     beyond(lambda d: stored(d) - mass * speed**2 / 2)))
    write("linear_cohesion_spheres", "Hertz and linear cohesion: the depth at rest under a weight, and the deepest of an impact.",
          ("modulus", "radius", "k", "c", "mass", "speed", "weight", "rest", "deepest"), rows)


@law
def square_force():
    rows = []
    for _ in range(40):
        force, size, forms = some(-9, 0), some(-8, -3), pick("AtRange", "AtTouch")
        d = mpf("%.5e" % pick(size * some(-2, 1), -size * some(-2, 0), -size * some(-2, 0), -size * some(0, 1)))
        d = pick(d, d, d, d, -size, mpf(0))
        begins = size if forms == "AtRange" else mpf(0)
        holds = d >= -size
        energy = quad(lambda x: -force, [-begins, max(d, -size)])
        rows.append((force, size, forms, d, -force if holds else mpf(0), energy,
                     "1" if forms == "AtTouch" and not holds else "0"))
    write("square_force", "Liu et al. 2018: a constant pull up to a gap. The energy counts from where it begins; beyond, it is what is lost.",
          ("force", "range", "forms", "depth", "fn", "energy", "broken"), rows)


@law
def jkr():
    """From the circle of contact to the depth, which the law has to invert; the energy by quadrature."""
    rows = []
    for _ in range(40):
        modulus, w, radius = some(5, 8), some(-3, -1), some(-5, -2)
        c, release = sqrt(2 * pi * w / modulus), pick("MinOverlap", "PullOff")
        least = (c * radius / 4 * (3 if release == "PullOff" else 1)) ** (mpf(2) / 3)
        a = mpf("%.5e" % (least * (1 + some(-1, 1))))
        first = (c * radius) ** (mpf(2) / 3)

        def force(x):
            return 4 * modulus * x**3 / (3 * radius) - sqrt(8 * pi * w * modulus * x**3)

        def slope(x):
            return 2 * x / radius - sqrt(2 * pi * w / modulus) / (2 * sqrt(x))

        energy = quad(lambda x: force(x) * slope(x), [first, a])
        rows.append((modulus, w, radius, release, a**2 / radius - sqrt(2 * pi * w * a / modulus), force(a), energy))
    write("jkr", "Johnson, Kendall and Roberts 1971.",
          ("modulus", "w", "radius", "release", "depth", "force", "energy"), rows)


@law
def luding_hysteresis():
    rows = []
    for _ in range(60):
        k1, kc, most, d = some(4, 6), pick(mpf(0), some(3, 6)), some(-5, -3), depth()
        k2 = mpf("%.5e" % (k1 * (1 + some(-1, 1))))
        deepest = max(most, d)
        if d >= deepest:
            force = k1 * d
        else:
            force = max(k2 * (d - (1 - k1 / k2) * deepest), -kc * d)
        force = force if d > 0 else mpf(0)
        rows.append((k1, k2, kc, most, d, force))
    write("luding_hysteresis", "Luding 2008 with a constant k2, from the greatest depth before.",
          ("k1", "k2", "kc", "deepest", "depth", "force"), rows)


@law
def walton_braun():
    rows = []
    for _ in range(60):
        k1, s, most, d = some(4, 6), pick(mpf(0), some(2, 5)), some(-5, -3), depth()
        k2 = mpf("%.5e" % (k1 * (1 + some(-1, 1))))
        deepest = max(most, d)
        steep = k2 + s * k1 * deepest
        force = k1 * d if d >= deepest else ramp(steep * (d - deepest * (1 - k1 / steep)))
        force = force if d > 0 else mpf(0)
        rows.append((k1, k2, s, most, d, force))
    write("walton_braun", "Walton and Braun 1986, from the greatest depth before.",
          ("k1", "k2", "s", "deepest", "depth", "force"), rows)


def thornton_load(modulus, p, radius, d):
    at_yield = (pi * p / (2 * modulus)) ** 2 * radius
    if d <= at_yield:
        return hertz(modulus, radius, d)[0]
    return pi**3 * radius**2 * p**3 / (6 * modulus**2) + pi * p * radius * (d - at_yield)


@law
def thornton():
    """As the paper writes it: radius and dent of the unloading curve from the force at the greatest depth."""
    rows = []
    for _ in range(60):
        modulus, p, radius = some(9, 11), some(8, 9), some(-3, -1)
        at_yield = (pi * p / (2 * modulus)) ** 2 * radius
        most = mpf("%.5e" % (at_yield * some(-1, 2)))
        d = mpf("%.5e" % (most * pick(some(-1, 0), some(-1, 0), some(0, 1), mpf(-1))))
        deepest = max(most, d)
        load = thornton_load(modulus, p, radius, deepest)
        if d >= deepest or deepest <= at_yield:
            force = thornton_load(modulus, p, radius, d) if d > 0 else mpf(0)
        else:
            yield_force = thornton_load(modulus, p, radius, at_yield)
            flat = 4 * modulus / (3 * load) * ((2 * load + yield_force) / (2 * pi * p)) ** mpf(1.5)
            dent = deepest - (3 * load / (4 * modulus * sqrt(flat))) ** (mpf(2) / 3)
            force = hertz(modulus, flat, d - dent)[0]
        rows.append((modulus, p, radius, most, d, force))
    write("thornton", "Thornton 1997, from the greatest depth before.",
          ("modulus", "p", "radius", "deepest", "depth", "force"), rows)


@law
def capillary_bridge():
    rows = []
    for _ in range(40):
        tension, volume, angle, radius = some(-2, -1), some(-13, -11), pick(mpf(0), some(-1, 0)), some(-4, -2)
        rupture = (1 + angle / 2) * volume ** (mpf(1) / 3)
        d = mpf("%.5e" % pick(-rupture * some(-2, 0), some(-6, -4), -2 * rupture))
        most, gap = 4 * pi * radius * tension * mp.cos(angle), ramp(-d)

        def pull(g):
            s = g * sqrt(2 * radius / volume)
            return most / (1 + mpf("1.05") * s + mpf("2.5") * s**2)

        holds = gap <= rupture
        way = min(gap, rupture)
        energy = quad(pull, [0, way / 10, way]) - most * ramp(d)
        rows.append((tension, volume, angle, radius, d, -pull(gap) if holds else mpf(0), energy, "0" if holds else "1"))
    write("capillary_bridge", "Willett et al. 2000 up to the rupture of Lian et al. 1993. Beyond, broken is 1 and the energy is what is lost.",
          ("tension", "volume", "angle", "radius", "depth", "force", "energy", "broken"), rows)


def meniscus(angle, filling, curvature):
    """Half of the gap, the volume and the force over 2 pi gamma R of a bridge between spheres of radius 1.

    The slope b of the liquid runs from 0 at the neck to `last`; r (cos b - curvature r / 2), the force, is the same at
    each."""
    last, radius = pi / 2 - angle - filling, sin(filling)
    force = radius * cos(last) - curvature * radius**2 / 2
    root = lambda b: sqrt(cos(b) ** 2 - 2 * curvature * force)
    away = lambda b: 2 * force / (cos(b) + root(b))
    height = quad(lambda b: away(b) * cos(b) / root(b), [0, last])
    half = pi * quad(lambda b: away(b) ** 3 * cos(b) / root(b), [0, last])
    cap = pi * (2 - 3 * cos(filling) + cos(filling) ** 3) / 3
    return height - (1 - cos(filling)), 2 * (half - cap), force


@law
def young_laplace():
    rows, mp.dps = [], 20
    for volume in (mpf("1e-4"), mpf("3e-4"), mpf("1e-3")):
        for angle in (mpf(0), mpf("0.35"), mpf("0.7")):
            rupture = (1 + angle / 2) * cbrt(volume)
            at = [(2 * volume / pi) ** mpf("0.25"), -2 * cos(angle) / sqrt(2 * volume / pi)]
            for tenth in range(9):
                gap = tenth * rupture / 10

                def missed(filling, curvature):
                    half, held, _ = meniscus(angle, filling, curvature)
                    return [(half - gap / 2) / rupture, held / volume - 1]

                at = list(findroot(missed, at, tol=1e-24))
                rows.append((volume, angle, gap, mpf(tenth) / 10, 2 * pi * meniscus(angle, *at)[2]))
    mp.dps = 50
    write("young_laplace", "The Young-Laplace equation between spheres of radius 1 m, tension 1 N/m: the pull across a gap\n"
          "that is the given share of Lian's gap of rupture.", ("volume", "angle", "gap", "share", "pull"), rows)


@law
def parallel_bond():
    rows = []
    for _ in range(60):
        kn, ks, r, dt = some(10, 12), some(10, 12), some(-3, -2), some(-5, -4)
        bends, twists = [pick(mpf(0), mpf(1), mpf("0.3")) for _ in range(2)]
        area, inertia, polar = pi * r**2, pi * r**4 / 4, pi * r**4 / 2
        z, v = some(-6, -5, True), [some(-2, 0, True) for _ in range(2)]
        u, q = [some(-6, -5, True) for _ in range(2)], [some(-4, -3, True) for _ in range(3)]
        w, bonded = [some(-1, 1, True) for _ in range(3)], pick(mpf(1), mpf(1), mpf(1), mpf(0))
        way, turn = [a + dt * b for a, b in zip(u, v)], [a + dt * b for a, b in zip(q, w)]
        fn, ft = kn * area * z, [-ks * area * a for a in way]
        m = [-kn * inertia * turn[0], -kn * inertia * turn[1], -ks * polar * turn[2]]
        tension = -fn / area + bends * sqrt(m[0] ** 2 + m[1] ** 2) * r / inertia
        shear = sqrt(ft[0] ** 2 + ft[1] ** 2) / area + twists * abs(m[2]) * r / polar
        tear = mpf("%.5e" % (max(tension, mpf(1)) * pick(mpf("1.5"), mpf("3"), mpf("0.7"))))
        shear_off = mpf("%.5e" % (shear * pick(mpf("1.5"), mpf("3"), mpf("0.9"))))
        whole = bonded if tension <= tear and shear <= shear_off else mpf(0)
        rows.append((kn, ks, r, bends, twists, tear, shear_off, dt, z, *v, *w, *u, *q, bonded,
                     *(whole * a for a in (fn, *ft, *m))))
    write("parallel_bond", "Potyondy and Cundall 2004, a step of dt from the way and the angles before.",
          ("kn", "ks", "r", "bends", "twists", "tear", "shear_off", "dt", "z", "vx", "vy", "wx", "wy", "wn", "x", "y",
           "u", "v", "q", "bonded", "fn", "fx", "fy", "mx", "my", "mn"), rows)


if __name__ == "__main__":
    for name in sys.argv[1:] or LAWS:
        random.seed(name)
        LAWS[name]()

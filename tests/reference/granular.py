# SPDX-License-Identifier: MIT
"""Tables for the elastic, granular and adhesive laws, in 50-digit arithmetic from the equations of their sources.

usage: python3 granular.py [LAW...]      in this folder; needs mpmath

It shares nothing with the laws: where they use a closed form or a bisection, this uses another, or a root finder.
"""
import random
import sys

from mpmath import atan, e as euler, exp, findroot, lambertw, log, mp, mpf, nstr, pi, quad, sqrt

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


if __name__ == "__main__":
    for name in sys.argv[1:] or LAWS:
        random.seed(name)
        LAWS[name]()

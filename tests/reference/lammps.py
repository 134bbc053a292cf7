# SPDX-License-Identifier: MIT
"""Trajectories of LAMMPS's granular styles, in its own arithmetic: a sphere that hits a wall askew while it spins, or
another sphere head-on.

usage: python3 lammps.py [CASE...]      in this folder; needs lmp (Debian: lammps)

Each step's table row is what the force was computed from: the place after the step, and the speeds in its middle, which
follow from those of the dump at the end of the step. At a wall the normal stands still, so that nothing depends on how a
program turns its histories. Steps are powers of 2, so that times are exact.
"""
import math
import os
import subprocess
import sys
import tempfile

RADIUS, DENSITY = 0.005, 2500.0
MASS = 4.0 / 3 * math.pi * RADIUS**3 * DENSITY
INERTIA = 0.4 * MASS * RADIUS**2
MODULUS, POISSON = 1e8, 0.3
# For a sphere and a wall of one material. This release divides by 2 (1 - nu) there; between spheres, and in later
# releases, by 2 (1 - nu^2). It also derives another shear modulus at walls, so the modulus is given here.
AT_WALL = MODULUS / (2 * (1 - POISSON))
BETWEEN = MODULUS / (2 * (1 - POISSON**2))
SHEAR = MODULUS / (2 * (1 + POISSON)) / (2 * (2 - POISSON))


def restitution_of(alpha):
    """What PCM's equation calls a damper of that factor, which LAMMPS has from a polynomial."""
    z = alpha / math.sqrt(5)
    return math.exp(-math.pi * z / math.sqrt(1 - z * z))


def tsuji(e):
    """The polynomial of LAMMPS's `damping tsuji`."""
    terms = (1.2728, -4.2783, 11.087, -22.348, 27.467, -18.022, 4.8218)
    return sum(factor * e**power for power, factor in enumerate(terms))


HERTZ = f"ReducedModulus = {AT_WALL!r}; "
TANGENT = f"ReducedShearModulus = {SHEAR!r}; Friction = 0.3; "
RESCALE = "History = Rescale; AsLammps = true; "
BOTH = RESCALE + TANGENT.replace("Reduced", "Mindlin.Reduced").replace("Friction", "Mindlin.Friction") + \
    TANGENT.replace("Reduced", "Twisting.Reduced").replace("Friction", "Twisting.Friction") + "Pressure = Uniform; "
ADHESION = "WorkOfAdhesion = 1; "  # twice LAMMPS's surface energy
DAMPED = f"hertz/material {MODULUS} 0.6 {POISSON} damping tsuji"
RESTITUTION = f"HertzTsuji.Restitution = {restitution_of(tsuji(0.6))!r}; Damping = ClippedNominal; " + \
    f"Mindlin.Restitution = {restitution_of(tsuji(0.6))!r}; "


def mindlin(name, history):
    return (f"granular {DAMPED} tangential {name} {8 * SHEAR!r} 1.0 0.3 limit_damping",
            "HertzTsuji + Mindlin { " + HERTZ + RESTITUTION + TANGENT + f"History = {history}; AsLammps = true; }}", -18)


# The style of the wall or, after `pair`, of two spheres that spin about their normal; the contact type; and the step as
# a power of 2. For dmt, this release limits friction by the net force instead of the compressive part, so there is no
# twisting.
CASES = {
    "gran_hooke": ("hooke 2e4 NULL 200 100 0.3 1", "GranHooke { NormalStiffness = 2e4; NormalDamping = 200; "
                   "TangentialDamping = 100; Friction = 0.3; LimitDamping = false; }", -17),
    "gran_hooke_history": ("hooke/history 2e4 6e3 200 100 0.3 1", "GranHooke + CundallStrack { NormalStiffness = 2e4; "
                           "NormalDamping = 200; LimitDamping = false; GranHooke.Friction = 0; TangentialStiffness = 6e3; "
                           "CundallStrack.TangentialDamping = 100; CundallStrack.Friction = 0.3; AsLammps = true; }", -17),
    "gran_hertz_history": ("hertz/history 7e7 2e7 4e5 2e5 0.3 1", "GranHertz { NormalStiffness = 7e7; "
                           "TangentialStiffness = 2e7; NormalDamping = 4e5; TangentialDamping = 2e5; Friction = 0.3; "
                           "LimitDamping = false; }", -18),
    "mindlin": mindlin("mindlin", "Displacement"),
    "mindlin_force": mindlin("mindlin/force", "Force"),
    "mindlin_rescale": mindlin("mindlin_rescale", "Rescale"),
    "mindlin_rescale_force": mindlin("mindlin_rescale/force", "RescaleForce"),
    "jkr": (f"pair jkr {MODULUS} 0 {POISSON} 0.5 damping velocity tangential mindlin_rescale {8 * SHEAR!r} 0 0.3 twisting "
            "marshall", f"Jkr + Mindlin + Twisting {{ ReducedModulus = {BETWEEN!r}; " + ADHESION + BOTH + "Release = PullOff; }", -18),
    "dmt": (f"pair dmt {MODULUS} 0 {POISSON} 0.5 damping velocity tangential mindlin_rescale {8 * SHEAR!r} 0 0.3",
            f"Dmt + Mindlin {{ ReducedModulus = {BETWEEN!r}; " + ADHESION + RESCALE + TANGENT + "}", -18),
    "rolling_twisting": (f"granular hertz/material {MODULUS} 0 {POISSON} damping velocity tangential mindlin_rescale "
                         f"{8 * SHEAR!r} 0 0.3 rolling sds 2e4 2 0.02 twisting marshall",
                         "Hertz + Mindlin + RollingResistance + Twisting { " + HERTZ +
                         BOTH.replace("AsLammps", "Mindlin.AsLammps") + "RollingResistance.AsLammps = true; RollingStiffness = 2e4; RollingDamping = 2; RollingFriction = 0.02; }", -18),
}

SCRIPT = """units si
atom_style sphere
boundary f f f
newton off
comm_modify vel yes
region box block -0.1 0.1 -0.1 0.1 -0.01 0.1
create_box 1 box
{contact}
timestep {step!r}
fix motion all nve/sphere
dump rows all custom 1 rows id z vx vy vz fx fy fz omegax omegay omegaz tqx tqy tqz
dump_modify rows format float %.17g
run {steps}
"""

WALL = f"""create_atoms 1 single 0 0 {RADIUS + 1.5e-6!r}
set atom 1 diameter {2 * RADIUS!r} density {DENSITY!r} omega 30 -70 250
velocity all set 0.3 -0.2 -0.5
pair_style gran/hooke 1 0 0 0 0 0
pair_coeff * *
fix wall all wall/gran {{}} zplane 0 NULL"""

PAIR = f"""create_atoms 1 single 0 0 {2 * RADIUS + 1.5e-6!r}
create_atoms 1 single 0 0 0
set atom * diameter {2 * RADIUS!r} density {DENSITY!r} omega 0 0 250
set atom 2 omega 0 0 0
velocity all set 0 0 -0.25
group below id 2
velocity below set 0 0 0.25
pair_style granular
pair_coeff * * {{}}"""


def dumped(style, step, steps):
    """Of each atom its rows, of 13 numbers."""
    pair = style.startswith("pair ")
    contact = PAIR.format(style[5:]) if pair else WALL.format(style)
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "in"), "w", encoding="ascii") as script:
            script.write(SCRIPT.format(contact=contact, step=step, steps=steps))
        subprocess.run(["lmp", "-in", "in", "-log", "none"], cwd=folder, check=True, stdout=subprocess.DEVNULL)
        with open(os.path.join(folder, "rows"), encoding="ascii") as dump:
            cells = [line.split() for line in dump]
    return [[[float(cell) for cell in row[1:]] for row in cells if len(row) == 14 and row[0] == atom]
            for atom in ("1", "2")]


def middle(row, half):
    """Place, and speeds half a step before."""
    place, velocity, force, spin, torque = row[0], row[1:4], row[4:7], row[7:10], row[10:13]
    return [place] + [v - half * f / MASS for v, f in zip(velocity, force)] + [
        w - half * t / INERTIA for w, t in zip(spin, torque)]


COLUMNS = "t,depth,depth_rate,slip_x,slip_y,spin_x,spin_y,spin_n,radius,mass,want_n,want_x,want_y,want_mx,want_my,want_mn".split(",")


def table(style, step):
    """From the last row above the wall, or the other sphere, to the first one that has left it."""
    upper, lower = dumped(style, step, 400)
    still = [0.0] * 13
    rows = []
    for count, row in enumerate(upper):
        half = 0.5 * step if count else 0
        motion = [middle(row, half), middle(lower[count] if lower else still, half)]
        z, vx, vy, vz, wx, wy, wz = (a - b for a, b in zip(*motion))
        fx, fy, fz, tx, ty, tz = row[4:7] + row[10:13]
        # The contact point is R below the centre: it slips at v + w x (-R n), and its force rotates the sphere.
        slip_x, slip_y = vx - RADIUS * wy, vy + RADIUS * wx
        moment = tx - RADIUS * fy, ty + RADIUS * fx, tz
        share = 0.5 if lower else 1
        rows.append((count * step, RADIUS / share - z, -vz, slip_x, slip_y, wx, wy, wz, share * RADIUS, share * MASS,
                     fz, fx, fy, *moment))
    touching = [k for k, row in enumerate(rows) if row[10] != 0]
    first, last = touching[0] - 1, touching[-1] + 1
    assert first >= 0 and last < len(rows), "the contact begins and ends within the run"
    return rows[first:last + 1]


def main():
    for name in sys.argv[1:] or CASES:
        style, contact, power = CASES[name]
        rows = table(style, 2.0**power)
        with open(f"lammps/{name}.csv", "w", encoding="ascii") as out:
            written = style.replace("pair ", "pair_style granular, ") if style[:5] == "pair " else "fix wall/gran " + style
            out.write(f"# {written}; LAMMPS 29 Sep 2021 as in Debian 12\n# {contact}\n")
            out.write(",".join(COLUMNS) + "\n")
            for row in rows:
                out.write(",".join("%.17g" % cell for cell in row) + "\n")
        print(name, len(rows), "rows")


main()

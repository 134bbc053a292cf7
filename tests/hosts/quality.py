#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: quality.py ROOT BUILD

How well contacts hold, roll and stand in five scenes, under six laws and under MuJoCo's own contacts: holds the table of
docs/mujoco.md to what `pcm run` gives. PCM_UPDATE_GOLDEN=1 writes the table.
"""

import csv
import math
import os
import subprocess
import sys
import tempfile

ROOT, BUILD = sys.argv[1:3]
PAGE = os.path.join(ROOT, "docs", "mujoco.md")
BEGIN = "| | slope [mm] | stack [mm] | grip [mm] | wheel [mm] | stand [mm] |\n"

# F is the friction of the scene.
LAWS = [
    ("CompliantGround", "CompliantGround { Friction = F; }"),
    ("SmoothSpringDamper", "SmoothSpringDamper { Stiffness = 1e5; Damping = 300; "
     "CoefficientOfStaticFriction = F; CoefficientOfDynamicFriction = F; }"),
    ("HuntCrossley + CoulombRegularised", "HuntCrossley + CoulombRegularised { Stiffness = 1e6; Friction = F; }"),
    ("HuntCrossley + Dahl", "HuntCrossley + Dahl { HuntCrossley.Stiffness = 1e6; Friction = F; }"),
    ("HuntCrossley + LuGre", "HuntCrossley + LuGre { Stiffness = 1e6; StaticFriction = F; DynamicFriction = F; }"),
    ("HuntCrossley + GonthierBristle", "HuntCrossley + GonthierBristle { Stiffness = 1e6; StaticFriction = F; DynamicFriction = F; }"),
    ("MuJoCo's own contacts", "DefaultContact"),
]

HEAD = """<mujoco>
<compiler angle="degree"/><option timestep="0.001" gravity="{gravity}"/><default><geom friction="{friction}"/></default>
<worldbody><geom name="Floor" type="plane" size="50 50 1"/>"""


def box(name, x, y, z, half, mass):
    return (f'<body name="{name}" pos="{x} {y} {z}"><freejoint name="{name}"/>'
            f'<geom name="{name}" type="box" size="{half}" mass="{mass}"/></body>')


def scene(friction, bodies, actuators="", gravity="0 0 -9.81"):
    head = HEAD.format(gravity=gravity, friction=friction)
    return f"{head}{bodies}</worldbody><actuator>{actuators}</actuator></mujoco>"


def slope():
    """A box on a slope of 20 degrees: how far it slips in 9 s."""
    lean = math.radians(20)
    gravity = f"{9.81 * math.sin(lean)} 0 {-9.81 * math.cos(lean)}"
    return 0.8, scene(0.8, box("Box", 0, 0, 0.02, "0.1 0.05 0.02", 1), gravity=gravity), None, 10


def stack():
    """Ten boxes: how far the top one moves sideways in 9 s."""
    return 0.8, scene(0.8, "".join(box(f"B{k}", 0, 0, 0.05 + 0.1 * k, "0.05 0.05 0.05", 1) for k in range(10))), None, 10


def grip():
    """A part of 200 g between two fingers of 5 N: how far it slips in 9 s."""
    fingers = "".join(
        f'<body name="{name}" pos="{sign * 0.03} 0 0.5"><joint name="{name}" type="slide" axis="{-sign} 0 0" damping="5"/>'
        f'<geom name="{name}" type="sphere" size="0.01" mass="0.1"/></body>' for name, sign in (("Left", -1), ("Right", 1)))
    motors = '<motor name="left" joint="Left"/><motor name="right" joint="Right"/>'
    controls = "time,left,right\n0,5,5\n10,5,5\n"
    return 0.5, scene(0.5, fingers + box("Part", 0, 0, 0.5, "0.02 0.02 0.02", 0.2), motors), controls, 10


def wheel():
    """A driven wheel under a cart: its angle times its radius, less its way, after about 9 m."""
    cart = ('<body name="Cart" pos="0 0 0.1"><joint name="Way" type="slide" axis="1 0 0"/>'
            '<joint name="Height" type="slide" axis="0 0 1"/><geom type="box" size="0.1 0.05 0.02" mass="5" contype="0" '
            'conaffinity="0"/><body name="Wheel"><joint name="Axle" type="hinge" axis="0 1 0"/>'
            '<geom name="Wheel" type="cylinder" size="0.1 0.02" mass="1" euler="90 0 0"/></body></body>')
    return 0.8, scene(0.8, cart, '<velocity name="drive" joint="Axle" kv="5"/>'), "time,drive\n0,0\n1,10\n10,10\n", 10


def stand():
    """A quadruped of 12 kg whose joints are held by servos: how far its trunk drifts in 15 s."""
    legs = servos = ""
    for name, x, y in (("FL", 0.2, 0.1), ("FR", 0.2, -0.1), ("RL", -0.2, 0.1), ("RR", -0.2, -0.1)):
        legs += (f'<body pos="{x} {y} 0"><joint name="{name}h" axis="0 1 0" damping="1"/>'
                 '<geom type="capsule" fromto="0 0 0 -0.1 0 -0.17" size="0.015" mass="0.5" contype="0" conaffinity="0"/>'
                 f'<body pos="-0.1 0 -0.17"><joint name="{name}k" axis="0 1 0" damping="1"/>'
                 '<geom type="capsule" fromto="0 0 0 0.1 0 -0.17" size="0.012" mass="0.2" contype="0" conaffinity="0"/>'
                 f'<geom name="{name}" type="sphere" size="0.02" pos="0.1 0 -0.17" mass="0.05"/></body></body>')
        servos += f'<position name="{name}h" joint="{name}h" kp="100"/><position name="{name}k" joint="{name}k" kp="100"/>'
    trunk = ('<body name="Trunk" pos="0 0 0.36"><freejoint name="Trunk"/><geom type="box" size="0.25 0.1 0.05" mass="9" '
             f'contype="0" conaffinity="0"/>{legs}</body>')
    return 0.8, scene(0.8, trunk, servos), None, 20


def measured(what, first, last):
    def moved(name):
        return float(last[name]) - float(first[name])

    if what is slope:
        return abs(moved("Box.x"))
    if what is stack:
        return math.hypot(moved("B9.x"), moved("B9.y"))
    if what is grip:
        return abs(moved("Part.z"))
    if what is wheel:
        return 0.1 * float(last["Axle.angle"]) - float(last["Way.position"])
    return math.hypot(moved("Trunk.x"), moved("Trunk.y"))


def run(what, law, folder):
    """The measure in mm; None: the run was broken off, or what stood has fallen."""
    friction, text, controls, seconds = what()
    rules = "ContactType C = " + law.replace(" F;", f" {friction:g};") + ";\nDefaultPair -> C;\n"
    for name, content in (("s.xml", text), ("s.pcm", rules), ("s.csv", controls or "")):
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
    command = [os.path.join(BUILD, "tools", "pcm"), "run", "s.xml", "s.pcm", "--time", str(seconds), "--out", "o.csv",
               "--every", "1"] + (["--ctrl", "s.csv"] if controls else [])
    environment = dict(os.environ, PCM_PLUGIN_PATH=os.path.join(BUILD, "plugins"))
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if "ERROR" in done.stderr or "error:" in done.stderr:
        sys.exit(f"{what.__name__}, {law}: {done.stderr}")
    with open(os.path.join(folder, "o.csv"), encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if done.returncode not in (0, 1) or float(rows[-1]["time"]) < seconds - 0.01:
        return None
    return 1000 * measured(what, rows[5 if what is stand else 1], rows[-1])


SCENES = (slope, stack, grip, wheel, stand)


def shown(value):
    return "fails" if value is None or abs(value) > 200 else f"{abs(value):.3f}" if abs(value) < 1 else f"{abs(value):.1f}"


def close(new, old):
    """MuJoCo's own bits depend on the machine."""
    if "fails" in (new, old):
        return new == old
    return abs(float(new) - float(old)) <= 0.002 + 0.1 * abs(float(old))


def main():
    with tempfile.TemporaryDirectory() as folder:
        rows = [[name] + [shown(run(what, law, folder)) for what in SCENES] for name, law in LAWS]
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    before, table = page.split(BEGIN)
    lines = table.split("\n")
    end = next(i for i, line in enumerate(lines) if not line.startswith("|"))
    if os.environ.get("PCM_UPDATE_GOLDEN"):
        written = ["|---|---|---|---|---|---|"] + ["| " + " | ".join(row) + " |" for row in rows]
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(before + BEGIN + "\n".join(written + lines[end:]))
        return
    held = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[1:end]]
    wrong = [(new, old) for new, old in zip(rows, held)
             if new[0] != old[0] or not all(close(a, b) for a, b in zip(new[1:], old[1:]))]
    for new, old in wrong:
        print("measured", new, "the page has", old)
    if wrong or len(rows) != len(held):
        sys.exit("docs/mujoco.md has another table: PCM_UPDATE_GOLDEN=1 writes it")


main()

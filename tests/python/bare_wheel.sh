#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: bare_wheel.sh PYTHON ROOT
#
# What scripts/wheel makes, in an environment that has no compiler and none of this system's Python packages: the command, laws on
# arrays, geometry, and attachments to the wheel of MuJoCo that PyPI has. Skipped where PyPI cannot be reached.
set -eu
python=$1
root=$2
release=4.0.0
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
git -C "$root" rev-parse HEAD >/dev/null 2>&1 || { echo 'no repository of git'; exit 77; }
"$python" -m venv "$place/environment"
own=$place/environment/bin
"$own/pip" -q --disable-pip-version-check --timeout 20 --retries 1 install --only-binary :all: "mujoco==$release" 2>"$place/told" ||
    { echo "PyPI gave no mujoco $release: not tested with it"; exit 77; }

git -c advice.detachedHead=false clone --quiet --no-hardlinks "$root" "$place/clone"
"$place/clone/scripts/wheel" "$release" >"$place/told" 2>&1 || { cat "$place/told"; exit 1; }
"$own/pip" -q --disable-pip-version-check install "$place"/clone/out/pcm_contact-*-cp311-abi3-manylinux*.whl

cd "$place"
cat >foot.pcm <<'END'
ContactType Ground = CompliantGround { Stiffness = 1e6; Damping = 1e5; Friction = 0.8; };
DefaultPair -> Ground;
END
cat >ball.xml <<'END'
<mujoco><option timestep="1e-4"/><worldbody><geom type="plane" size="1 1 1"/>
<body pos="0 0 0.05"><freejoint/><geom type="box" size="0.05 0.05 0.05" mass="1"/></body></worldbody></mujoco>
END
cat >bare.py <<'END'
import subprocess
import mujoco, numpy, pcm

config = pcm.load("foot.pcm")
force = config["Ground"](depth=numpy.array([0, 1e-4]), depth_rate=0.0, slip=numpy.zeros((2, 2)), dt=1e-3)["force_n"]
assert force[0] == 0 and abs(force[1] / 1e6 / 1e-4**1.5 - 1) < 1e-12, force # 1e6 d^1.5

model = mujoco.MjModel.from_xml_path("ball.xml")
data = mujoco.MjData(model)
with pcm.attach(model, data, "foot.pcm") as host:
    for _ in range(5000):
        mujoco.mj_step(model, data)
    contacts = host.contacts()
assert len(contacts) == 4, contacts # the corners of the box, by libpcm-geometry
assert abs(contacts["force"][:, 2].sum() / 9.81 - 1) < 1e-3, contacts["force"]
END
env -i HOME="$place" PATH="$own" "$own/pcm" check foot.pcm
env -i HOME="$place" PATH="$own" "$own/pcm" models >models.txt
grep -q ViscoelasticGround models.txt
env -i HOME="$place" PATH="$own" "$own/python" bare.py
[ ! -e "$place/.cache/pcm" ] || { echo 'a host was compiled, although the wheel has one'; exit 1; }

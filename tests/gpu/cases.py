# SPDX-License-Identifier: MIT
# usage: cases.py FOLDER
#
# Exports every law, with the parameters of tests/plugins/test_bits.c, and sums of laws, for bits.py: a .pcm file, the
# header in double and in single precision, and CUDA's source for both. Needs the package pcm, and clang for the export.

import json
import os
import re
import sys

from pcm._header import Header

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

SUMS = [
    ("Hertz + Mindlin", ""),
    ("Hertz + Mindlin + RollingResistance", ""),
    ("HertzTsuji + Mindlin + RollingResistance + Twisting", "HertzTsuji.Restitution = 0.3;"),
    ("Jkr + Mindlin", ""),
    ("Dmt + CoulombRegularised", ""),
    ("KelvinVoigt + BrownMcPhee", ""),
]

KERNELS = """#include "{name}.h"
extern "C" __global__ void update(const T_contact *in, T_report *out, long long count)
{{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = T_update(in[i]);
}}
extern "C" __global__ void forces(const T_contact *in, T_result *out, long long count)
{{
    const long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x;
    if (i < count)
        out[i] = T_forces(in[i]);
}}
"""


def variants():
    """The models and parameters of the test of bits."""
    with open(os.path.join(ROOT, "tests", "plugins", "test_bits.c"), encoding="utf-8") as source:
        table = source.read().split("variants[] = {")[1].split("\n};")[0]
    return re.findall(r'\{"(\w+)", "((?:[^"\\]|\\.)*)"', table)


def write(folder, name, text):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def export(folder, name, model, parameters):
    """Writes one case. Returns the names of the headers' files, without their ends."""
    path = os.path.join(folder, f"{name}.pcm")
    write(folder, f"{name}.pcm", f"ContactType T = {model} {{ {parameters} }};\n")
    for end, single in (("", False), ("f", True)):
        header = Header(path, "T", single=single)
        write(folder, f"{name}{end}.h", header.text)
        write(folder, f"{name}{end}.cu", KERNELS.format(name=name + end))
    return {"name": name, "model": model, "parameters": parameters}


def main(folder):
    os.makedirs(folder, exist_ok=True)
    cases = [export(folder, f"c{k:02}", *variant) for k, variant in enumerate([*variants(), *SUMS])]
    write(folder, "cases.json", json.dumps(cases, indent=1))
    print(f"{len(cases)} cases")


main(sys.argv[1])

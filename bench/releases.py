# SPDX-License-Identifier: MIT
"""Writes the table of MuJoCo's releases in docs/speed.md, from runs of bench-mujoco.

usage: python3 bench/releases.py BUILD ... [--seconds S]

Each BUILD is of one release: meson setup BUILD -Dbench=true -Dmujoco_dir=FOLDER. The rows of the releases at hand are
measured anew, for S (1) seconds a scene; those of the others, which are named, stay. Needs a machine that does nothing else.
"""
import argparse
import os
import sys

import table

HEAD = "| MuJoCo | scene | contacts | its own contacts | laws, explicit | laws, implicit |"


def run(build, seconds):
    """The rows of a build by release and scene; none, and said so, where it has no such program."""
    if not os.path.exists(os.path.join(build, "bench", "bench-mujoco")):
        print(f"{build}: no bench-mujoco there: configure it with -Dbench=true and -Dmujoco_dir", file=sys.stderr)
        return {}
    rows = {}
    for line in table.measure(build, "bench-mujoco", seconds, "steps"):
        times = [line["rivals"]["own"], line["nanoseconds"], line["rivals"]["implicit"]]
        rows[tuple(line["name"].split(", "))] = [f"{line['size']:,}"] + [f"{float(f'{1e9 / time:.3g}'):,.0f}" for time in times]
    return rows


def main():
    words = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("build", nargs="+")
    words.add_argument("--seconds", type=float, default=1)
    given = words.parse_args()
    rows = {tuple(row[:2]): row[2:] for row in table.rows("speed.md", HEAD)}
    measured = {}
    for build in given.build:
        measured.update(run(build, given.seconds))
    for release in sorted({name[0] for name in rows} - {name[0] for name in measured}):
        print(f"{release} is not at hand: its rows stay", file=sys.stderr)
    rows.update(measured)
    order = sorted(rows, key=lambda name: [int(number) for number in name[0].split(".")])
    print(table.write("speed.md", HEAD, [[*name, *rows[name]] for name in order]))


if __name__ == "__main__":
    main()

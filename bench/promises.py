# SPDX-License-Identifier: MIT
"""Writes the tables of promises and of growth in docs/speed.md, from runs of the benches.

usage: python3 bench/promises.py BUILD [--seconds S]

Every comparison takes at most S (2) seconds; sizes go up to 10 million contacts. Needs a build with -Dbench=true on a
machine that does nothing else, and 8 GB of memory.
"""
import argparse

import table

BENCHES = "update pipeline laws mixed call threads touch commit bodies parts mujoco parser".split()
HEAD = "| promise | size | goal | measured | met | ours, ns | other, ns |"
MET = {None: "", True: "yes", False: "no"}


def digits(number):
    """Three digits, thousands apart."""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"


def cells(line):
    """One comparison as a row."""
    unit = {"nanoseconds": " ns"}.get(line["kind"], "")
    times = [digits(line[name]) if line[name] else "" for name in ("nanoseconds", "rival_nanoseconds")]
    goal = digits(line["goal"]) + unit if line["goal"] else ""
    return [line["name"], f"{line['size']:,}", goal, digits(line["ratio"]) + unit, MET[line["met"]], *times]


def main():
    words = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("build")
    words.add_argument("--seconds", type=float, default=2)
    given = words.parse_args()
    measure = lambda bench: table.measure(given.build, "bench-" + bench, given.seconds, "--large")
    table.write("speed.md", HEAD, [cells(line) for bench in BENCHES for line in measure(bench)])
    grown = [[line["name"].replace("update, ", ""), f"{line['size']:,}", digits(line["nanoseconds"])] for line in measure("growth")]
    table.write("speed.md", "| growth | contacts | ns per contact |", grown)


if __name__ == "__main__":
    main()

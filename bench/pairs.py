# SPDX-License-Identifier: MIT
"""Writes the table of pairs in docs/geometry-methods.md, from runs of bench-geometry.

usage: python3 bench/pairs.py BUILD [--runs N] [--seconds S]

Each time is the least of N (3) runs in which no comparison takes more than S (1) seconds, each ratio the middle one. Needs a
build with -Dbench=true on a machine that does nothing else, and what `scripts/needs bench` installs.
"""
import argparse
import statistics

import table

RIVALS = ["MuJoCo", "FCL", "Bullet"]
HEAD = "| pair | ours, ns | " + " | ".join(RIVALS) + " | ratio | moving: ours | " + " | ".join(RIVALS) + " | ratio |"


def run(build, seconds):
    """The lines of one run that compare a pair, by name."""
    return {line["name"]: line for line in table.measure(build, "bench-geometry", seconds) if "rivals" in line}


def cells(lines):
    """Ours, each rival's, and the ratio to the fastest, of one pair's lines in all runs."""
    least = lambda times: f"{min(times):,.0f}"
    rivals = [[line["rivals"][name] for line in lines if name in line["rivals"]] for name in RIVALS]
    ratio = statistics.median(line["ratio"] for line in lines)
    return [least(line["nanoseconds"] for line in lines)] + [least(times) if times else "" for times in rivals] + [f"{ratio:.2g}"]


def main():
    words = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("build")
    words.add_argument("--runs", type=int, default=3)
    words.add_argument("--seconds", type=float, default=1)
    given = words.parse_args()
    runs = [run(given.build, given.seconds) for _ in range(given.runs)]
    rows = []
    for pair in (name for name in runs[0] if not name.endswith(", moving")):
        of_pair = [cells([lines[pair + state] for lines in runs]) for state in ("", ", moving")]
        rows.append([pair.replace(", ", " and ", 1), *of_pair[0], *of_pair[1]])
    table.write("geometry-methods.md", HEAD, rows)


if __name__ == "__main__":
    main()

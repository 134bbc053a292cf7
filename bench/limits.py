# SPDX-License-Identifier: MIT
"""What each law's loop takes, beside what a processor could do at best.

usage: python3 bench/limits.py BUILD CPU GHZ [LAW...]

For AVX-512, on CPU (a name of llvm-mca's: icelake-server, znver3) at GHZ, per contact:

    took   nanoseconds of `pcm bench`, the best of five: other programs only slow it down
    ports  what the execution ports need for the loop's instructions, if none ever waited for another
    waits  what they need where each waits for its operands, as far as the processor looks ahead: its divisions, roots and
           series of exp and log hold up what follows them

and took over both; at the end, how many laws are within twice of each. Needs objdump, llvm-mca, a build with -Dbench=true
and a processor like CPU.
"""
import json
import os
import re
import subprocess
import sys

LANES = 8
NEEDED = {
    "MeasuredTable": ["defaults.Depths=(0.1, 0.4, 0.9) [mm]", "defaults.Forces=(1, 5, 30)"],
    "WallContact": ["defaults.GapLeft=-5e-4", "defaults.GapRight=5e-4"],
}


# How often a pass runs each of its full-width inner loops, in their order, where it has several: MeasuredTable starts a
# block, looks at the three lines of its table above, and makes forces of what it found.
PASSES = {"MeasuredTable": [1, 3, 1]}


def said(*command, given=None):
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout


def jump_target(text):
    found = re.match(r"j\w+\s+([0-9a-f]+)", text)
    return int(found.group(1), 16) if found else None


def loops_of(plugin):
    """The instructions of each innermost loop of full width, without its jump."""
    inside, code = False, []
    for line in said("objdump", "-d", "--no-show-raw-insn", plugin).splitlines():
        name = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        inside = name.group(1) == "pcm_forces_avx512" if name else inside
        parts = re.match(r"\s*([0-9a-f]+):\s+(.*)$", line)
        if inside and parts:
            code.append((int(parts.group(1), 16), parts.group(2)))
    place, loops = {address: k for k, (address, _) in enumerate(code)}, []
    for end, (address, text) in enumerate(code):
        start = place.get(jump_target(text), end + 1)
        body = [line for _, line in code[start:end]]
        inner = not any(start <= place.get(jump_target(line), -1) <= start + k for k, line in enumerate(body))
        if inner and any("%zmm" in line for line in body):
            loops.append(body)
    return [[re.sub(r"<.*>|#.*", "", line) for line in body if not re.match(r"j|nop|data16|xchg", line)] for body in loops]


def counted_loops(plugin, law):
    """Which of the loops a pass runs, and how often: the one with the most of full width, or those of PASSES."""
    loops = loops_of(plugin)
    if law not in PASSES:
        return [(1, loop) for loop in sorted(loops, key=lambda body: -sum("%zmm" in line for line in body))[:1]]
    if len(loops) != len(PASSES[law]):
        sys.exit(f"{law} has {len(loops)} full-width loops, not {len(PASSES[law])}: see PASSES")
    return list(zip(PASSES[law], loops))


def limits_of(loop, cpu):
    """Cycles of one pass of the loop: by its ports alone, and in many passes one after the other."""
    told = said("llvm-mca", "-mcpu=" + cpu, "-iterations=200", given="\n".join(loop) + "\n")
    ports, cycles = (float(re.search(name + r":\s*([\d.]+)", told).group(1)) for name in ("Block RThroughput", "Total Cycles"))
    return ports, cycles / 200


def best_of(build, law, runs=5):
    settings = [word for value in NEEDED.get(law, []) for word in ("--set", value)]
    command = [os.path.join(build, "tools", "pcm"), "bench", law, *settings, "--plugins", os.path.join(build, "plugins")]
    times = [json.loads(said(*command, "--json", "--seconds", "0.1").splitlines()[0])["nanoseconds"] for _ in range(runs)]
    return min(times)


def main():
    build, cpu, gigahertz = sys.argv[1], sys.argv[2], float(sys.argv[3])
    plugins = os.path.join(build, "plugins")
    laws = sys.argv[4:] or sorted(name[:-3] for name in os.listdir(plugins) if name.endswith(".so"))
    within = [0, 0]
    for law in laws:
        loops = counted_loops(os.path.join(plugins, law + ".so"), law)
        if not loops:
            continue
        took = best_of(build, law)
        cycles = [[times * limit for limit in limits_of(loop, cpu)] for times, loop in loops]
        ports, waits = (sum(column) / LANES / gigahertz for column in zip(*cycles))
        within = [within[0] + (took <= 2 * ports), within[1] + (took <= 2 * waits)]
        print(f"{law:24} took {took:6.2f} ns  ports {ports:5.2f} {took / ports:5.1f}  waits {waits:5.2f} {took / waits:5.1f}", flush=True)
    print(f"within twice: ports {within[0]}, waits {within[1]}")


if __name__ == "__main__":
    main()

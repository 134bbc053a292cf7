# SPDX-License-Identifier: MIT
"""What each law's loop takes, beside what the ports of a processor could do at best.

usage: python3 bench/limits.py BUILD CPU GHZ [LAW...]

For AVX-512: the reciprocal throughput that llvm-mca states for the loop on CPU (its names: icelake-server, znver3), at GHZ,
and the nanoseconds of `pcm bench`, a build with -Dbench=true. Needs objdump, llvm-mca and a processor like CPU.
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


def said(*command, given=None):
    return subprocess.run(command, input=given, capture_output=True, text=True, check=True).stdout


def jump_target(text):
    found = re.match(r"j\w+\s+([0-9a-f]+)", text)
    return int(found.group(1), 16) if found else None


def loop_of(plugin):
    """The instructions of the innermost loop with the most of full width, without its jump."""
    inside, code = False, []
    for line in said("objdump", "-d", "--no-show-raw-insn", plugin).splitlines():
        name = re.match(r"[0-9a-f]+ <(.*)>:$", line)
        inside = name.group(1) == "pcm_forces_avx512" if name else inside
        parts = re.match(r"\s*([0-9a-f]+):\s+(.*)$", line)
        if inside and parts:
            code.append((int(parts.group(1), 16), parts.group(2)))
    place, best = {address: k for k, (address, _) in enumerate(code)}, []
    for end, (address, text) in enumerate(code):
        start = place.get(jump_target(text), end + 1)
        body = [line for _, line in code[start:end]]
        inner = not any(start <= place.get(jump_target(line), -1) <= start + k for k, line in enumerate(body))
        if inner and sum("%zmm" in line for line in body) > sum("%zmm" in line for line in best):
            best = body
    return [re.sub(r"<.*>|#.*", "", line) for line in best if not re.match(r"j|nop|data16|xchg", line)]


def main():
    build, cpu, gigahertz = sys.argv[1], sys.argv[2], float(sys.argv[3])
    plugins = os.path.join(build, "plugins")
    laws = sys.argv[4:] or sorted(name[:-3] for name in os.listdir(plugins) if name.endswith(".so"))
    for law in laws:
        loop = loop_of(os.path.join(plugins, law + ".so"))
        if not loop:
            continue
        told = said("llvm-mca", "-mcpu=" + cpu, given="\n".join(loop) + "\n")
        limit = float(re.search(r"Block RThroughput:\s*([\d.]+)", told).group(1)) / LANES / gigahertz
        settings = [word for value in NEEDED.get(law, []) for word in ("--set", value)]
        timed = said(os.path.join(build, "tools", "pcm"), "bench", law, *settings, "--plugins", plugins, "--json", "--seconds", "0.1")
        took = json.loads(timed.splitlines()[0])["nanoseconds"]
        print(f"{law:24} {took:6.2f} ns  {limit:5.2f} ns  {took / limit:5.1f}")


if __name__ == "__main__":
    main()

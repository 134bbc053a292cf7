# SPDX-License-Identifier: MIT
"""What each law's loop takes, beside what a processor could do at best.

usage: python3 bench/limits.py BUILD [--cpu NAME] [--runs N] [LAW...]

For AVX-512, per contact of 1024:

    took   nanoseconds of `pcm bench`, the least of N (5) runs of many samples: other programs only slow it down
    ports  what the execution ports need for the loop's instructions, if none ever waited for another
    waits  what they need where each waits for its operands, as far as the processor looks ahead: its divisions, roots and
           series of exp and log hold up what follows them
    moves  nanoseconds of a law that only adds up the columns that this one reads, and writes the sum to those that this
           one writes, in the same minute: what the caches and the call give
    limit  the larger of waits and moves, and how many times that it took

and at the end, how many laws are within twice of each. Ports and waits are llvm-mca's for the processor NAME (default:
this one; an Ice Lake, where llvm-mca is older than it), at the clock that it keeps under such instructions. Needs
objdump, llvm-mca, a C compiler, a build with -Dbench=true, and AVX-512.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

LANES = 8
NEEDED = {
    "MeasuredTable": ["defaults.Depths=(0.1, 0.4, 0.9) [mm]", "defaults.Forces=(1, 5, 30)"],
    "WallContact": ["defaults.GapLeft=-5e-4", "defaults.GapRight=5e-4"],
}


# The number of runs of each full-width inner loop in one pass, in order, for laws with several. MeasuredTable fills its
# lines, passes over the table above twice, there and back, and computes forces. Maugis looks at the shapes, prepares a
# block, takes a first radius, ten steps of Newton's method, and computes forces; the last four loops are for ellipses.
# PartialSlip adds eight springs up, once.
PASSES = {"MeasuredTable": [1, 2, 2, 1], "Maugis": [1, 1, 1, 10, 1, 0, 0, 0, 0], "PartialSlip": [1, 8]}

STAND_IN = "icelake-server"  # llvm-mca may be older than the processor

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FLAGS = "-O2 -fPIC -fopenmp-simd -fno-math-errno -fno-trapping-math -ffp-contract=off -fvisibility=hidden".split()

# A chain of dependent additions, one per cycle, among full-width products, for which processors lower their clock.
CLOCK = """
#include <stdio.h>
#include <time.h>
int main(void)
{
    double best = 1;
    for (int run = 0; run < 300; run++) {
        struct timespec a, b;
        unsigned long   x = 1;
        clock_gettime(CLOCK_MONOTONIC, &a);
        for (int i = 0; i < 20000; i++)
            __asm__ volatile("vmulpd %%zmm0, %%zmm0, %%zmm1\\n\\tadd $1, %0\\n\\tadd $1, %0\\n\\tadd $1, %0\\n\\tadd $1, %0"
                             : "+r"(x) : : "xmm1");
        clock_gettime(CLOCK_MONOTONIC, &b);
        const double took = ((b.tv_sec - a.tv_sec) * 1e9 + (b.tv_nsec - a.tv_nsec)) / 80000;
        best = took < best ? took : best;
    }
    printf("%g\\n", 1 / best);
}
"""


def said(*command, given=None):
    return subprocess.run(command, input=given, stdout=subprocess.PIPE, text=True, check=True).stdout


def compiled(source, path, *flags):
    subprocess.run([os.environ.get("CC", "cc"), "-x", "c", "-", "-o", path, *flags], input=source, text=True, check=True)
    return path


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
    """Which of the loops a pass runs, and how often: the one with the most of full width, or those of PASSES. Laws with
    elastic.h look what shapes a batch has, and have a loop for spheres, the shortest of those that compute."""
    loops = loops_of(plugin)
    if law in PASSES:
        if len(loops) != len(PASSES[law]):
            sys.exit(f"{law} has {len(loops)} full-width loops, not {len(PASSES[law])}: see PASSES")
        return list(zip(PASSES[law], loops))
    with open(os.path.join(ROOT, "plugins", law + ".c")) as source:
        if '"elastic.h"' in source.read() and len(loops) > 1:
            looks = [loop for loop in loops if len(loop) < 10]
            return [(1, min((loop for loop in loops if loop not in looks), key=len))] + [(1, look) for look in looks]
    return [(1, loop) for loop in sorted(loops, key=lambda body: -sum("%zmm" in line for line in body))[:1]]


def limits_of(loop, cpu):
    """Cycles of one pass of the loop: by its ports alone, and in many passes one after the other."""
    told = said("llvm-mca", "-mcpu=" + cpu, "-iterations=200", given="\n".join(loop) + "\n")
    ports, cycles = (float(re.search(name + r":\s*([\d.]+)", told).group(1)) for name in ("Block RThroughput", "Total Cycles"))
    return ports, cycles / 200


def columns_read(loop):
    """How many columns the loop reads: places of memory that move on with it, not those that it writes too."""
    origin, read, written = {}, set(), set()
    for line in loop:
        moved = re.match(r"mov\s+(\S+),(%r\w+)$", line.strip())
        place = re.search(r"\((%r\w+),(%r\w+),[18]\)(\S*)\s*$|\((%r\w+),(%r\w+),[18]\)", line)
        if moved:
            origin[moved.group(2)] = moved.group(1)
        elif place and "mm" in line:
            base, step = place.group(1) or place.group(4), place.group(2) or place.group(5)
            stored = place.group(1) and not place.group(3).startswith(",")
            (written if stored else read).add((origin.get(base, base), step))
    return len(read - written)


def source_of_moves(model, reads):
    """A law that reads as many of the model's columns, adds them up and writes the sum wherever that one writes."""
    inputs, outputs, states = [f"b->{name}[i]" for name in model["inputs"]], [], []
    if not {"load_n", "loss_friction"} & set(model["inputs"]):
        outputs.append("b->force_n[i]")
    outputs += [f"b->{name}[i]" for name in model["outputs"] if name not in ("energy", "dissipation", "mode")]
    for state in model["states"]:
        for _ in range(2 if state["shape"] == "tangent" else 1):
            k, role = len(states), state["role"].upper()
            states.append(f'{{"s{k}", "m", "moved", 1, PCM_SCALAR, PCM_{role}, {"PCM_STEPS" if state["steps"] else 0}, 1}}')
            outputs += [f"b->next[{k}][i]"] + ([f"b->rate[{k}][i]"] if role == "CONTINUOUS" and not state["steps"] else [])
    amounts = [f'{{.name = "a{k}", .unit = "J", .doc = "moved", .flow_unit = "W"}}' for k in range(len(model["amounts"]))]
    inside = [f"b->state[{k}][i]" for k in range(len(states))]
    for k in range(len(amounts)):
        inside += [f"b->base_amount[{k}][i]", f"b->follower_amount[{k}][i]"]
        outputs += [f"b->base_flow[{k}][i]", f"b->follower_flow[{k}][i]"]
    values = (inside + inputs)[:max(reads, 1)]
    bits_in, bits_out = bits_of(model["inputs"]), bits_of(model["outputs"])
    tables = [("pcm_state states", ".states = PCM_TABLE(states), ", states),
              ("pcm_amount amounts", ".amounts = PCM_TABLE(amounts), ", amounts)]
    return f"""
#include <pcm/plugin.h>
typedef struct {{ double share; }} Law;
static void update(const pcm_batch *b)
{{
    const Law law = *(const Law *)b->params;
    PCM_EACH(b, i) {{
        const double sum = law.share * ({" + ".join(values)});
        {" ".join(f"{to} = {'(int64_t)' if 'life' in to else ''}sum;" for to in outputs)}
    }}
}}
static const pcm_param params[] = {{PCM_REAL(Law, share, "Share", "1", 0, "of the sum")}};
{" ".join(f"static const {name}[] = {{{', '.join(rows)}}};" for name, _, rows in tables if rows)}
PCM_KERNELS(update);
PCM_MODEL(Moves, "Reads and writes", .params = PCM_TABLE(params), {"".join(use for _, use, rows in tables if rows)}
          .inputs = {bits_in}, .outputs = {bits_out}, .flags = PCM_PULLS | PCM_ACTIVE | PCM_JUMPS);
"""


BITS = {
    "slip_x": "SLIP", "spin_x": "SPIN", "x": "POSITION", "velocity_x": "VELOCITY", "load_n": "LOAD",
    "loss_friction": "LOSS", "base_spin_x": "BODY_SPINS", "base_axis_x": "AXES", "force_x": "FRICTION", "moment_n": "MOMENT", "elastic_n": "SHARES",
}
ALONE = ["depth", "depth_rate", "radius", "mass", "contact_radius", "fresh", "area", "share", "energy", "dissipation", "life",
         "mode", "patch_radius", "onset"]


def bits_of(names):
    bits = [BITS.get(name, name.upper() if name in ALONE else None) for name in names]
    return " | ".join("PCM_" + bit for bit in bits if bit) or "0"


def took_by(build, law, plugins):
    settings = [word for value in NEEDED.get(law, []) for word in ("--set", value)]
    command = [os.path.join(build, "tools", "pcm"), "bench", law, *settings, "--plugins", plugins]
    return json.loads(said(*command, "--json", "--seconds", "0.05").splitlines()[0])["least_nanoseconds"]


def measure(build, law, cpu, gigahertz, runs):
    """What it took, and its limits by ports, waits and moves; None for one without a loop."""
    pcm, plugins = os.path.join(build, "tools", "pcm"), os.path.join(build, "plugins")
    loops = counted_loops(os.path.join(plugins, law + ".so"), law)
    if not loops:
        return None
    cycles = [[times * limit for limit in limits_of(loop, cpu)] for times, loop in loops]
    ports, waits = (sum(column) / LANES / gigahertz for column in zip(*cycles))
    model = json.loads(said(pcm, "models", law, "--json", "--plugins", plugins))
    reads = len(model["inputs"]) if law in PASSES else columns_read(loops[0][1])
    with tempfile.TemporaryDirectory() as folder:
        headers = ["-I" + os.path.join(at, "include") for at in (ROOT, build)]
        compiled(source_of_moves(model, reads), os.path.join(folder, "Moves.so"), "-shared", *FLAGS, *headers)
        times = [(took_by(build, law, plugins), took_by(build, "Moves", folder)) for _ in range(runs)]
    took, moves = (min(column) for column in zip(*times))
    return took, ports, waits, moves


def processor():
    """The processor's name, where it has AVX-512."""
    with open("/proc/cpuinfo") as told:
        lines = dict(line.split(":", 1) for line in told if ":" in line)
    told = {name.strip(): value.split() for name, value in lines.items()}
    if "avx512f" not in told.get("flags", []):
        sys.exit("this processor has no AVX-512")
    return " ".join(told["model name"])


def counts(cpu):
    """Whether llvm-mca has the times of full-width instructions for that processor."""
    command = ["llvm-mca", "-mcpu=" + cpu]
    return subprocess.run(command, input="vaddpd %zmm0,%zmm1,%zmm2\n", capture_output=True, text=True).returncode == 0


def main():
    words = argparse.ArgumentParser(description=__doc__, usage=argparse.SUPPRESS,
                                    formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("build")
    words.add_argument("laws", nargs="*")
    words.add_argument("--cpu", default="native")
    words.add_argument("--runs", type=int, default=5)
    given = words.parse_intermixed_args()
    name, cpu = processor(), given.cpu if counts(given.cpu) else STAND_IN
    with tempfile.TemporaryDirectory() as folder:
        gigahertz = float(said(compiled(CLOCK, os.path.join(folder, "clock"), "-O2", "-mavx512f")))
    print(f"{name} at {gigahertz:.1f} GHz" + (f", waits as of {cpu}" if cpu != given.cpu else ""), flush=True)
    laws = given.laws or sorted(name[:-3] for name in os.listdir(os.path.join(given.build, "plugins")) if name.endswith(".so"))
    within = [0, 0, 0]
    for law in laws:
        found = measure(given.build, law, cpu, gigahertz, given.runs)
        if found:
            took, ports, waits, moves = found
            limits = ports, waits, max(waits, moves)
            within = [count + (took <= 2 * limit) for count, limit in zip(within, limits)]
            print(f"{law:24} took {took:6.2f} ns  ports {ports:5.2f}  waits {waits:5.2f}  moves {moves:5.2f}  "
                  f"limit {limits[2]:5.2f} {took / limits[2]:4.1f}", flush=True)
    print(f"within twice: ports {within[0]}, waits {within[1]}, waits or moves {within[2]}")


if __name__ == "__main__":
    main()

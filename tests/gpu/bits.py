# SPDX-License-Identifier: MIT
# usage: bits.py CASES [CONTACTS]
#
# Runs the headers that cases.py has exported on a GPU, in double and in single precision, compiled by nvcc as it comes,
# and compares every number with the plugin's on this machine's processor: in double precision bit for bit (NaN as NaN),
# in single precision within 3e-5 of the largest force. Then times them. Needs a driver of CUDA, nvcc and the package
# pcm. Writes report.csv into the current folder; fails where a number differs.

import concurrent.futures
import csv
import json
import os
import subprocess
import sys

import numpy
from device import Device

import pcm
from pcm._header import structs_of

NUMBERS = {"double": "f8", "float": "f4", "pcmx_int": "i8"}
TIMED = 1 << 20
TIME, STEP = 0.5, 1e-4
SINGLE = 3e-5  # of the largest force: states that no contact has reach 2e-5 in Mindlin, others stay below 1e-5


# ---- Contacts ---------------------------------------------------------------------------------------------------


def plausible(name, count, dice):
    """Numbers of usual sizes."""
    u = dice.uniform(-1, 1, count)
    if name == "depth":
        return u * 1e-3
    if name in ("depth_rate", "slip_x", "slip_y", "velocity_x", "velocity_y", "velocity_z"):
        return u * numpy.where(numpy.arange(count) % 3 > 0, 0.1, 1e-3)
    if "spin" in name:
        return u * 10
    if name in ("x", "y", "z"):
        return u * 1e-3
    sizes = {"radius": 0.01, "mass": 1.0, "contact_radius": 1e-4, "area": 1e-4, "share": 1.0}
    if name in sizes:
        return numpy.abs(u) * sizes[name] + 1e-3 * sizes[name]
    if name == "fresh":
        return numpy.round(numpy.abs(u))
    if name.startswith("state."):
        return u * numpy.where(numpy.arange(count) % 2 > 0, 1e-3, 1e-6)
    if "axis" in name:
        return u
    return 300 * numpy.abs(u) if name.startswith(("base_", "follower_")) else u * 100


def any_number(name, count, dice):
    """Of ten contacts one has random bits, one the ends of the range, and one zeros of both signs; the others are
    plausible."""
    column = plausible(name, count, dice)
    kind = numpy.arange(count) % 10
    bits = dice.integers(0, 1 << 64, count, dtype=numpy.uint64).view("f8")
    ends = [0, -0.0, 1, -1, numpy.inf, -numpy.inf, numpy.nan, 4.9e-324, -4.9e-324, 2.2e-308, 1e308, -1e308]
    column = numpy.where(kind == 7, bits, column)
    column = numpy.where(kind == 8, numpy.array(ends)[dice.integers(0, len(ends), count)], column)
    return numpy.where((kind == 9) & (dice.integers(0, 4, count) == 0), numpy.where(bits > 0, 0.0, -0.0), column)


def layout(structs, kind):
    """The struct as numpy knows it, and the names of its numbers, with dots."""
    fields, names = [], []
    for name, number in structs[kind].items():
        if number in NUMBERS:
            fields.append((name, NUMBERS[number]))
            names.append(name)
        else:
            inner, within = layout(structs, number.removeprefix("T_"))
            fields.append((name, inner))
            names += [f"{name}.{each}" for each in within]
    return numpy.dtype(fields, align=True), names


def column_of(array, name):
    for part in name.split("."):
        array = array[part]
    return array


def make_contacts(dtype, names, count, draw, seed):
    dice = numpy.random.default_rng(seed)
    contacts = numpy.zeros(count, dtype)
    with numpy.errstate(all="ignore"):
        for name in names:
            column_of(contacts, name)[:] = draw(name, count, dice)
    column_of(contacts, "time")[:] = TIME
    column_of(contacts, "dt")[:] = STEP
    return contacts


# ---- The plugin's numbers ---------------------------------------------------------------------------------------

ROWS = {
    "load_t": ("load_x", "load_y"),
    "slip": ("slip_x", "slip_y"),
    "spin": ("spin_x", "spin_y", "spin_n"),
    "position": ("x", "y", "z"),
    "velocity": ("velocity_x", "velocity_y", "velocity_z"),
    **{
        f"{side}_{what}": tuple(f"{side}_{what}_{axis}" for axis in "xyn")
        for side in ("base", "follower")
        for what in ("spin", "axis")
    },
}


NUMBERS_OF_A_LAW = (
    "depth depth_rate radius mass area share fresh load_n load_elastic load_adhesive load_pull_off contact_radius "
    "loss_friction loss_damping"
).split()


def arguments(law, contacts, names):
    """A contact's numbers as arguments of pcm's laws."""
    columns = {name: numpy.ascontiguousarray(column_of(contacts, name), "f8") for name in names}
    given = {name: columns.pop(name) for name in list(columns) if name in NUMBERS_OF_A_LAW}
    for argument, parts in ROWS.items():
        if any(part in columns for part in parts):
            given[argument] = numpy.column_stack([columns.pop(part, numpy.zeros(len(contacts))) for part in parts])
    states = [columns.pop(name) for name in names if name.startswith("state.")]
    if states:
        given["state"] = numpy.stack(states)
    hosts = {name.removeprefix("host_"): columns.pop(name) for name in names if name.startswith("host_")}
    for name in [name.removesuffix("_x") for name in hosts if name.removesuffix("_x") + "_y" in hosts]:
        hosts[name] = numpy.column_stack([hosts.pop(f"{name}_x"), hosts.pop(f"{name}_y")])
    if hosts:
        given["inputs"] = hosts
    for side in ("base", "follower"):
        amounts = {
            name.removeprefix(f"{side}_"): columns.pop(name) for name in list(columns) if name.startswith(f"{side}_")
        }
        if amounts:
            given[f"{side}_amounts"] = amounts
    left = set(columns) - {"time", "dt"}
    assert not left, f"{law}: no argument for {left}"
    return given


def expected(law, contacts, names, wanted):
    """The numbers of T_report by the plugin, by their names in the header."""
    with numpy.errstate(all="ignore"):
        given = arguments(law, contacts, names)
        out = law(**given, time=TIME, dt=STEP)
        for k in range(law._traits["columns"]):
            if law._traits["host_steps"] >> k & 1:
                out["next"][k] = given["state"][k] + STEP * out["rate"][k]
    states = [name.removeprefix("state.") for name in names if name.startswith("state.")]
    events = [name for name in wanted if name.startswith("event_")]  # in the law's order
    numbers = {}
    for name in wanted:
        short = name.removeprefix("result.")
        kind, _, rest = short.partition(".")
        if kind in ("next", "rate") and rest:
            numbers[name] = out[kind][states.index(rest)]
        elif short.startswith("event_"):
            numbers[name] = out["event"][events.index(name)]
        elif short.endswith("_flow"):
            side, _, amount = short.removesuffix("_flow").partition("_")
            numbers[name] = out[f"{side}_flow"][law.amounts.index(amount)]
        else:
            numbers[name] = out[short]
    return numbers


# ---- The GPU's numbers ------------------------------------------------------------------------------------------


def build(folder, name, architecture, *flags):
    """Compiles a case. Returns the cubin and the compiler's words."""
    made = os.path.join(folder, f"{name}{len(flags)}.cubin")
    command = [
        "nvcc",
        "-cubin",
        "-O3",
        f"-arch=sm_{architecture}",
        *flags,
        os.path.join(folder, f"{name}.cu"),
        "-o",
        made,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{done.stdout}{done.stderr}")
    with open(made, "rb") as file:
        return file.read()


def evaluate(device, function, contacts, dtype, rounds=1):
    into, out = device.upload(contacts), device.allocate(len(contacts) * dtype.itemsize)
    seconds = min(device.run(function, len(contacts), into, out) for _ in range(rounds))
    found = device.download(out, len(contacts), dtype)
    device.free(into, out)
    return found, seconds


def differing(found, numbers):
    """How many numbers differ from those, and a first one in words."""
    count, first = 0, ""
    for name, want in numbers.items():
        got = numpy.ascontiguousarray(column_of(found, name))
        same = got.view("u8") == numpy.ascontiguousarray(want).view("u8")
        if want.dtype.kind == "f":
            same |= numpy.isnan(got) & numpy.isnan(want)
        if not same.all():
            lane = int(numpy.argmin(same))
            first = first or f"{name} of contact {lane}: {got[lane]!r}, not {want[lane]!r}"
            count += int((~same).sum())
    return count, first


def worst(found, numbers):
    """The largest error of a force, as a share of the largest force."""
    error = 0.0
    for name in numbers:
        if name.startswith(("result.force", "result.moment")):
            want, got = numbers[name], column_of(found, name).astype("f8")
            usual = numpy.isfinite(want)
            largest = numpy.abs(want[usual]).max(initial=0)
            if largest > 0:
                errors = numpy.where(numpy.isfinite(got), numpy.abs(got - want), numpy.inf)[usual]
                error = max(error, float(errors.max() / largest))
    return error


def run_case(device, folder, case, images, count):
    """A row of the report."""
    name = case["name"]
    config = pcm.load(os.path.join(folder, f"{name}.pcm"))
    law = config["T"]
    row = {"case": f"{case['model']} {{{case['parameters']}}}"}
    for end in ("", "f"):
        with open(os.path.join(folder, f"{name}{end}.h"), encoding="utf-8") as file:
            structs = structs_of(file.read(), "T")
        contact, names = layout(structs, "contact")
        report, wanted = layout(structs, "report")
        result, _ = layout(structs, "result")
        module = device.module(images[name + end])
        update, forces = device.function(module, "update"), device.function(module, "forces")
        if not end:
            contacts = make_contacts(contact, names, count, any_number, 1)
            found, _ = evaluate(device, update, contacts, report)
            numbers = expected(law, contacts, names, wanted)
            row["numbers"] = len(contacts) * len(wanted)
            row["differ"], row["first"] = differing(found, numbers)
            found, _ = evaluate(device, forces, contacts, result)
            few = {key.removeprefix("result."): value for key, value in numbers.items() if key.startswith("result.")}
            more, first = differing(found, few)
            row["numbers"] += len(contacts) * len(few)
            row["differ"], row["first"] = row["differ"] + more, row["first"] or first
            row["registers"], row["private bytes"] = device.registers(forces)
            if name + "m" in images:
                module = device.module(images[name + "m"])
                found, _ = evaluate(device, device.function(module, "update"), contacts, report)
                row["differ with fast math"] = differing(found, numbers)[0]
        else:
            contacts = make_contacts(contact, names, count, plausible, 2)
            found, _ = evaluate(device, update, contacts, report)
            row["single: worst"] = worst(found, expected(law, contacts, names, wanted))
        many = make_contacts(contact, names, TIMED, plausible, 3)
        _, seconds = evaluate(device, forces, many, result, rounds=5)
        row["single: ns" if end else "ns"] = 1e9 * seconds / TIMED
    return row


def main(folder, count):
    with open(os.path.join(folder, "cases.json"), encoding="utf-8") as file:
        cases = json.load(file)
    device = Device()
    print(
        device.name,
        f"sm_{device.architecture}",
        subprocess.run(["nvcc", "--version"], capture_output=True, text=True, check=True).stdout.split("\n")[-3],
        flush=True,
    )
    jobs = {case["name"] + end: [case["name"] + end] for case in cases for end in ("", "f")}
    jobs |= {case["name"] + "m": [case["name"], "--use_fast_math"] for case in cases}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        made = {name: pool.submit(build, folder, job[0], device.architecture, *job[1:]) for name, job in jobs.items()}
        images = {name: job.result() for name, job in made.items()}
    print(f"{len(images)} kernels compiled", flush=True)
    rows = [run_case(device, folder, case, images, count) for case in cases]
    with open("report.csv", "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(dict.fromkeys(key for row in rows for key in row)))
        writer.writeheader()
        writer.writerows(rows)
    for row in rows:
        print(row, flush=True)
    differ, numbers = sum(row["differ"] for row in rows), sum(row["numbers"] for row in rows)
    fast = sum(row.get("differ with fast math", 0) for row in rows)
    inexact = [row["case"] for row in rows if not row["single: worst"] <= SINGLE]
    print(f"{len(rows)} cases, {numbers} numbers: {differ} differ; with --use_fast_math {fast}")
    print(f"in single precision too far from the plugin: {inexact}")
    return bool(differ or fast or inexact)


sys.exit(main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 100000))

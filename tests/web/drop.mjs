// SPDX-License-Identifier: MIT
// usage: node drop.mjs ROOT
//
// A mass that is dropped on what loses no energy leaves with the speed at which it came: on a spring, on a stiff one, and on
// one whose magnet pulls across a gap.
import { strict as assert } from "node:assert";
import { pathToFileURL } from "node:url";

const { curvesOf } = await import(pathToFileURL(`${process.argv[2]}/web/explore/curves.js`));

const springs = (stiffness, power) => (depth) => stiffness * Math.max(depth, 0) ** power;
const magnet = (pull, scale, range) => (depth) => {
    const gap = Math.max(-depth, 0);
    return gap < range ? -pull * ((1 + gap / scale) ** -4 - (1 + range / scale) ** -4) : 0;
};
const sum = (a, b) => (depth) => a(depth) + b(depth);

function rebound(force, motion) {
    const engine = { force: (row) => force(row[1]), run: (rows) => ({ force_n: rows.map((row) => force(row[1])) }) };
    const { drop } = curvesOf(engine, [], { depth: 1e-3, gap: 0, time: 0.5, ...motion }, [], ["drop"]);
    return drop.notes[0][1];
}

for (const mass of [0.1, 1, 20])
    for (const speed of [0.2, 0.5, 2])
        for (const force of [
            springs(1e5, 1),
            springs(1e9, 1.5),
            sum(springs(1e5, 1), magnet(5, 3e-3, 2e-2)),
            sum(springs(1e5, 1), magnet(0.4 * mass * speed, 3e-3, 2e-2)),
        ]) {
            const ratio = rebound(force, { mass, speed });
            assert(Math.abs(ratio - 1) < 2e-3, `rebound ${ratio} of ${mass} kg at ${speed} m/s`);
        }

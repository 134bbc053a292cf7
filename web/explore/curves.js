// SPDX-License-Identifier: MIT
// curves.js - what a contact is put through, and what is drawn of it. A motion is SI: m, m/s, s, kg.
import { modes } from "../shared/modes.js";

const points = 200;

/** One colour has one meaning in all pictures. */
const [separated, sticking, slipping, touching] = modes.map(({ color }) => color);
const colors = { separated, sticking, slipping, touching, pressing: "#8a3ffc", leaving: "#b28600", later: "#0f8a8a" };
const turn = 2 * Math.PI;
const range = (count, of) => Array.from({ length: count + 1 }, (_, i) => of(i / count, i));

/** Work of a force along a path, J: the sum of the finite trapezoids. */
function work(force, way) {
    let sum = 0;
    for (let i = 1; i < way.length; i++) {
        const part = 0.5 * (force[i] + force[i - 1]) * (way[i] - way[i - 1]);
        if (Number.isFinite(part)) sum += part;
    }
    return sum;
}

const column = (rows, k) => rows.map((row) => row[k]);
const [T, DEPTH, RATE, WAY, SLIP] = [0, 1, 2, 3, 4];
const friction = (results) => results.force_x.map((force) => -force);

/** Each depth with a new contact, all at one rate. */
function pressed(rig, motion, rate, label) {
    const apart = Math.max(0.2 * motion.depth, motion.gap);
    const rows = range(points, (s) => [0, (motion.depth + apart) * s - apart, rate, 0, 0, 1]);
    return { label, color: colors[label], x: column(rows, DEPTH), y: rig(rows, "force_n").force_n };
}

function depthCurve(rig, motion) {
    return {
        curves: [
            pressed(rig, motion, 0, "at rest"),
            pressed(rig, motion, motion.rate, "pressing"),
            pressed(rig, motion, -motion.rate, "leaving"),
        ],
    };
}

/** The depth over cycles that start and end apart: by a tenth of the depth, or as far as the contact still holds. */
function pressCycles({ depth, gap, time, cycles }) {
    const apart = Math.max(0.1 * depth, gap);
    const half = 0.5 * (depth + apart);
    return range(points * cycles, (s, i) => {
        const angle = turn * cycles * s;
        const t = time * cycles * s;
        return [t, half * (1 - Math.cos(angle)) - apart, half * Math.sin(angle) * (turn / time), 0, 0, i ? 0 : 1];
    });
}

function pressCurve(rig, motion) {
    const rows = pressCycles(motion);
    const results = rig(rows);
    const inside = work(results.force_n, column(rows, DEPTH));
    const put = work(
        results.force_n.map((force, i) => (rows[i][RATE] > 0 ? force : 0)),
        column(rows, DEPTH),
    );
    const back = put > 0 ? Math.sqrt(Math.max(0, 1 - inside / put)) : NaN;
    return {
        curves: [{ label: "pressed and let go", x: column(rows, DEPTH), y: results.force_n, rows, results }],
        notes: [
            ["energy inside", inside, "J"],
            ["as restitution", back, ""],
        ],
    };
}

/** Each slip with a new contact: at first touch, and after sliding for the given time. */
function slipCurve(rig, motion) {
    const steps = 24;
    const slips = range(60, (s) => motion.slip * (2 * s - 1));
    const first = slips.map((slip) => [0, motion.depth, 0, 0, slip, 1]);
    const steady = slips.flatMap((slip) =>
        range(steps, (s, i) => [motion.time * s, motion.depth, 0, slip * motion.time * s, slip, i ? 0 : 1]),
    );
    const last = friction(rig(steady, "force_x")).filter((_, i) => i % (steps + 1) === steps);
    return {
        curves: [
            { label: "at first touch", x: slips, y: friction(rig(first, "force_x")) },
            { label: `after ${motion.time} s`, color: colors.later, x: slips, y: last },
        ],
    };
}

/** The contact is rubbed back and forth at the given depth. */
function rubCycles({ depth, time, way, cycles }) {
    return range(points * cycles, (s, i) => {
        const angle = turn * cycles * s;
        return [time * cycles * s, depth, 0, way * Math.sin(angle), (way * Math.cos(angle) * turn) / time, i ? 0 : 1];
    });
}

function rubCurve(rig, motion) {
    const rows = rubCycles(motion);
    const results = rig(rows);
    const held = friction(results);
    return {
        curves: [{ label: "rubbed", x: column(rows, WAY), y: held, rows, results }],
        notes: [["energy inside", work(held, column(rows, WAY)), "J"]],
    };
}

/** An estimate of the depth that a mass reaches at that speed: the depth at which the force of a slowly pressed contact
 * has absorbed its energy. */
function impactDepth(rig, { mass, speed, depth }) {
    rig.force([0, 0, 0, 0, 0, 1]);
    for (let [t, deep] = [1e-6, 1e-8]; deep < 1; deep *= 1.3, t += 1e-6)
        if (rig.force([t, deep, 0, 0, 0, 0]) * deep >= mass * speed * speed) return deep;
    return Math.max(depth, 1e-3);
}

/** A mass falls on the other object under gravity, and bounces: velocity Verlet, with short steps near the other. It
 * leaves with the speed at which it passes depth 0, or with a larger one beyond. */
function dropCurve(rig, motion) {
    const { mass, speed, time } = motion;
    const [gravity, most] = [9.81, 2000];
    const near = impactDepth(rig, motion);
    const short = near / Math.max(speed, 1e-3) / 40;
    const rows = [[0, 0, speed, 0, 0, 1]];
    let force = rig.force(rows[0]);
    let [t, depth, rate, out] = [0, 0, speed, NaN];
    while (t <= time && rows.length < most && Number.isFinite(force)) {
        const isFar = depth < -near && force === 0;
        const dt = isFar ? Math.max(short, Math.min(time / 200, -depth / (2 * Math.abs(rate) + 1e-9))) : short;
        const pull = gravity - force / mass;
        const [before, rateBefore] = [depth, rate];
        depth += (rate + 0.5 * pull * dt) * dt;
        t += dt;
        rows.push([t, depth, rate + pull * dt, 0, 0, 0]);
        force = rig.force(rows.at(-1));
        rate += 0.5 * (pull + gravity - force / mass) * dt;
        const passes = before > 0 && depth <= 0 ? before / (before - depth) : 1;
        const leaving = -(rateBefore + passes * (rate - rateBefore));
        if (depth <= 0 && rate < 0 && !(out >= leaving)) out = leaving;
    }
    return {
        curves: [{ label: "height", x: column(rows, T), y: rows.map((row) => -row[DEPTH]) }],
        notes: [Number.isNaN(out) ? "does not leave within the time" : ["rebound", out / speed, "of the speed"]],
    };
}

/** The contact is dragged from rest at several depths: gives the loads that it holds, and those at which it slips. */
function modeCurve(rig, motion) {
    const [depths, steps] = [16, 24];
    const names = ["separated", "sticking", "slipping", "touching"];
    const curves = names.map((label) => ({ label, color: colors[label], x: [], y: [], marks: true }));
    for (let k = 0; k <= depths; k++) {
        const depth = (motion.depth * k) / depths;
        const rows = range(steps, (s, i) => [
            motion.time * s, depth, 0, motion.way * s ** 3, (3 * motion.way * s * s) / motion.time, i ? 0 : 1,
        ]);
        const results = rig(rows, "mode", "force_n", "force_x", "force_y");
        results.mode.forEach((mode, i) => {
            const into = curves[mode] ?? curves[0];
            into.x.push(results.force_n[i]);
            into.y.push(Math.hypot(results.force_x[i], results.force_y[i]));
        });
    }
    return { curves };
}

/** The states of a contact that is pressed and rubbed at once. */
function stateCurve(rig, motion, states) {
    const pressing = pressCycles(motion);
    const rubbing = rubCycles(motion);
    const rows = pressing.map((row, i) => [...row.slice(0, WAY), rubbing[i][WAY], rubbing[i][SLIP], i ? 0 : 1]);
    const results = rig(rows);
    const curves = states.map((label) => ({ label, x: column(rows, T), y: results[label], rows, results }));
    if (curves.length === 1) return { curves };
    const greatest = curves.map(({ y }) => Math.max(...y.filter(Number.isFinite).map(Math.abs)));
    return {
        y: ["share of its greatest", ""],
        curves: curves.map((curve, i) => ({ ...curve, y: curve.y.map((value) => value / (greatest[i] || 1)) })),
        notes: curves.map(({ label }, i) => [label === states[0] ? `greatest: ${label}` : label, greatest[i], ""]),
    };
}

export const kinds = [
    { name: "depth", title: "Normal force", x: ["depth", "m"], y: ["force", "N"], draw: depthCurve },
    { name: "press", title: "Pressed and let go", x: ["depth", "m"], y: ["force", "N"], draw: pressCurve },
    { name: "slip", title: "Friction over slip", x: ["slip", "m/s"], y: ["friction", "N"], draw: slipCurve },
    { name: "rub", title: "Rubbed forth and back", x: ["way", "m"], y: ["friction", "N"], draw: rubCurve },
    { name: "drop", title: "Dropped", x: ["time", "s"], y: ["height", "m"], draw: dropCurve },
    { name: "modes", title: "Stick, slip, apart", x: ["normal load", "N"], y: ["tangential load", "N"], draw: modeCurve },
    { name: "states", title: "Memory", x: ["time", "s"], y: ["state", ""], draw: stateCurve },
];

/** Curves of the contact that is open in the engine. states: names of the states to draw; wanted: names of curves,
 * undefined for all. */
export function curvesOf(engine, columns, motion, states, wanted) {
    const rig = (rows, ...results) => engine.run(rows, columns, results.length > 0 ? results : columns);
    rig.force = (row) => engine.force(row, columns);
    return Object.fromEntries(
        kinds
            .filter(({ name }) => !wanted || wanted.includes(name))
            .filter(({ name }) => name !== "states" || states.length > 0)
            .map(({ name, draw }) => [name, draw(rig, motion, states)]),
    );
}

const depths = Array.from({ length: 36 }, (_, i) => 1e-7 * 1.5 ** i); // to 0.15 m

/** Forces at these depths, each of a contact that has touched before. */
function forcesFromTouch(engine, columns, depths) {
    const rows = depths.flatMap((depth) => [[0, 0, 0, 0, 0, 1], [1e-3, depth, 0, 0, 0, 0]]);
    return engine.run(rows, columns, ["force_n"]).force_n.filter((_, i) => i % 2 === 1);
}

/** The largest gap across which a contact still pulls after touching; 0: none, Infinity: it never ends. */
function gapOf(engine, columns) {
    const forces = forcesFromTouch(engine, columns, depths.map((depth) => -depth));
    const last = forces.findLastIndex((force) => force !== 0);
    return last === depths.length - 1 ? Infinity : (depths[last] ?? 0);
}

/** The depth that gives approximately the motion's force, from the start or from first touch on, unless the motion sets
 * a depth, and the gap up to which the contact is followed. If no depth gives the force: as deep as the gap, or 1
 * mm. */
export function depthFor(engine, columns, { depth: wanted, force, gap: apart }) {
    const gap = gapOf(engine, columns);
    const atOnce = () => depths.find((depth) => engine.force([0, depth, 0, 0, 0, 1], columns) >= force);
    const fromTouch = () => depths[forcesFromTouch(engine, columns, depths).findIndex((each) => each >= force)];
    const found = wanted || (atOnce() ?? fromTouch() ?? (gap > 0 && gap < Infinity ? gap : 1e-3));
    const depth = wanted || Number(found.toPrecision(2));
    return { depth, gap: apart || Math.min(depth, 1.2 * gap) };
}

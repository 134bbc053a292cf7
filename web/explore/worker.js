// SPDX-License-Identifier: MIT
// worker.js - the laws run here, so that one which never returns can be ended with its worker.
import { curvesOf, depthFor } from "./curves.js";
import { Engine } from "./engine.js";
import { unpacked } from "../shared/packed.js";

let engine;
let pinned = { key: undefined, answer: undefined };

async function start({ program, laws, files }) {
    engine = await Engine.start(await unpacked(program), files);
    engine.resting = new Map(laws.map(({ name, module }) => [name, module]));
}

/** The law's inputs other than the motion: the page's value, else a usual one. */
function openContact(type, between, given, motion) {
    let opened = engine.open(type, between, given);
    const usual = { radius: 0.01, mass: motion.mass, area: 1e-4, contact_radius: 1e-3 };
    const all = { ...given };
    for (let tries = 0; !opened.good && tries < 40; tries++) {
        const missing = /write --input (\w+)=NUMBER/.exec(opened.message)?.[1];
        if (!missing) return opened;
        all[missing] = usual[missing] ?? 0;
        opened = engine.open(type, between, all);
    }
    return opened;
}

/** One setting: a text, one of its types and a motion, with the named curves. */
async function draw({ name, text, type, between, motion, given }, kinds) {
    const before = performance.now();
    const found = await engine.read(name, text);
    if (!found.good) return { read: found };
    const real = found.types.filter((each) => !each.native);
    const chosen = real.find((each) => each.name === type) ?? real[0];
    if (!chosen) return { read: found };
    const contact = openContact(chosen.name, between, given, motion);
    if (!contact.good) return { read: found, type: chosen.name, contact };
    const used = { ...motion, ...depthFor(engine, contact.columns, motion) };
    const states = chosen.model[0].states
        .map(({ name: state }) => [`${state}_x`, state].find((column) => contact.columns.includes(column)))
        .filter(Boolean);
    const curves = curvesOf(engine, contact.columns, used, states, kinds);
    const radius = contact.inputs.find((input) => input.name === "radius")?.value ?? NaN;
    const derived = engine.derived({ ...used, radius });
    return { read: found, type: chosen.name, contact, states, curves, derived, spent: performance.now() - before };
}

/** Pinned curves are drawn once. */
async function drawPinned(setting) {
    const key = JSON.stringify(setting);
    if (pinned.key !== key) pinned = { key, answer: setting && (await draw(setting)) };
    return pinned.answer;
}

async function answer(data) {
    if (data.kind === "start") {
        await start(data);
        postMessage({ kind: "started" });
        return;
    }
    const below = await drawPinned(data.pinned);
    const now = await draw(data.setting, data.kinds);
    postMessage({ kind: "drawn", id: data.id, rest: data.rest, pinned: below, now, rejected: engine.rejected });
    engine.rejected = [];
}

/** The page reports errors. */
onmessage = ({ data }) => answer(data).catch(reportError);

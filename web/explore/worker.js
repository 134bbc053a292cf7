// SPDX-License-Identifier: MIT
// worker.js - the laws run here, so that one which never returns can be ended with its worker.
import { curvesOf, depthFor } from "./curves.js";
import { Engine } from "./engine.js";

let engine;

async function start({ program, laws, files }) {
    engine = await Engine.start(program, files);
    const rejected = [];
    for (const { name, bytes } of laws)
        for (const message of await engine.link(bytes)) rejected.push({ name, message });
    return rejected;
}

/** What the law reads beside the motion: what the page gives, else what is usual. */
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

/** One setting: a text, a type of it and a motion, drawn. */
function draw({ name, text, type, between, motion, given }) {
    const before = performance.now();
    const read = engine.read(name, text);
    if (!read.good) return { read };
    const real = read.types.filter((each) => !each.native);
    const chosen = real.find((each) => each.name === type) ?? real[0];
    if (!chosen) return { read };
    const contact = openContact(chosen.name, between, given, motion);
    if (!contact.good) return { read, type: chosen.name, contact };
    const used = { ...motion, depth: motion.depth || depthFor(engine, contact.columns, motion.force) };
    const states = chosen.model[0].states.flatMap(
        (state) => contact.columns.filter((c) => c === state.name || c === `${state.name}_x`),
    );
    const curves = curvesOf(engine, contact.columns, used, states);
    const radius = contact.inputs.find((input) => input.name === "radius")?.value ?? NaN;
    const derived = engine.derived({ ...used, radius });
    return { read, type: chosen.name, contact, motion: used, curves, derived, spent: performance.now() - before };
}

onmessage = async ({ data }) => {
    if (data.kind === "start") {
        postMessage({ kind: "started", rejected: await start(data) });
        return;
    }
    const pinned = data.pinned ? draw(data.pinned) : undefined;
    postMessage({ kind: "drawn", id: data.id, pinned, now: draw(data.setting) });
};

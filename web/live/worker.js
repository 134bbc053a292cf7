// SPDX-License-Identifier: MIT
// worker.js - the scene runs here, so that a law which never returns can be ended with its worker.
import loadMujoco from "@mujoco/mujoco";
import { unpacked } from "../shared/packed.js";
import { Simulation } from "./simulation.js";
import { sceneOf } from "./scene.js";
import { World } from "./world.js";

const budget = 60; // ms that a request may take of simulated time, before it answers with less

let world;
let simulation;

const bytesOf = (texts) => Object.fromEntries(Object.entries(texts).map(([path, text]) => [path, new TextEncoder().encode(text)]));
const fromBase64 = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));

async function start({ mujoco, program, laws, files, scene, controls }) {
    const [wasmBinary, compiled] = await Promise.all([unpacked(mujoco), unpacked(program)]);
    const module = await loadMujoco({ wasmBinary, locateFile: (path) => path, print: () => {}, printErr: () => {} });
    world = await World.start(compiled, bytesOf(files));
    world.resting = new Map(laws.map(({ name, module: packed }) => [name, packed]));
    const packed = Object.fromEntries(Object.entries(scene.files).map(([path, bytes]) => [path, fromBase64(bytes)]));
    simulation = new Simulation(module, world, { path: scene.path, files: packed }, controls);
    return { scene: sceneOf(simulation) };
}

/** Reads a text; its rules act from the next step on. */
async function read({ name, text }) {
    const found = await world.read(name, text);
    const adopted = found.good ? simulation.adopt() : { good: false };
    const rejected = world.rejected;
    world.rejected = [];
    return { read: found, adopted, rejected, messages: world.messages() };
}

/** Steps of the scene until `span` s have passed, or the budget is spent where it counts. A frame shows the motion at which
 * the last forces were found. */
function advance({ span, patient }) {
    const before = performance.now();
    const events = [];
    const from = simulation.data.time;
    const steps = Math.round(span / simulation.timestep);
    let frame;
    let done = 0;
    while (done < steps && !simulation.failure) {
        done++;
        const last = done === steps || (!patient && performance.now() - before > budget);
        events.push(...simulation.step(last ? (time) => (frame = simulation.frame(time)) : undefined));
        if (last) break;
    }
    frame ??= simulation.frame();
    return {
        frame,
        events,
        asked: steps * simulation.timestep,
        passed: simulation.data.time - from,
        spent: performance.now() - before,
        failure: simulation.failure,
        messages: world.messages(),
        motion: { qpos: Array.from(simulation.data.qpos) },
    };
}

const answers = {
    start,
    read,
    advance,
    reset({ key }) {
        simulation.reset(key);
        return { frame: simulation.frame(), messages: world.messages() };
    },
    pull({ grip }) {
        simulation.pull = grip;
        return {};
    },
    push({ body, velocity }) {
        const { model } = simulation;
        const mass = model.body_subtreemass[model.body_rootid[body]];
        simulation.pushes.push({ body, impulse: velocity.map((part) => mass * part) });
        return {};
    },
    control({ actuator, value }) {
        simulation.data.ctrl[actuator] = value;
        return {};
    },
};

onmessage = async ({ data }) => {
    try {
        postMessage({ id: data.id, answer: await answers[data.kind](data) });
    } catch (error) {
        postMessage({ id: data.id, error: error.message ?? String(error) });
    }
};

// SPDX-License-Identifier: MIT
// scenes.mjs - a live scene without its page: the same modules, in Node.
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Simulation } from "../../web/live/simulation.js";
import { World } from "../../web/live/world.js";

export const [root, build, work] = process.argv.slice(2);
const web = join(build, "web");
const { default: load } = await import(pathToFileURL(join(web, "node_modules/@mujoco/mujoco/mujoco.js")));
const program = readFileSync(join(web, "live.wasm"));
const mujoco = await load({ print: () => {}, printErr: () => {} });

/** Runs the native command. */
export function pcm(...words) {
    return execFileSync(join(build, "tools/pcm"), words, { encoding: "utf8", env: { ...process.env, PCM_PLUGIN_PATH: join(build, "plugins") }, stdio: ["ignore", "pipe", "ignore"] });
}

/** A table of controls, as pages hold it. */
export function tableOf(path) {
    const [names, ...rows] = readFileSync(path, "utf8").trim().split("\n").map((line) => line.split(","));
    const numbers = rows.map((row) => row.map(Number));
    return { names, rows: numbers, times: numbers.map((row) => row[names.indexOf("time")]) };
}

/** The scene of a file's text under a text of rules. files: others, by path. */
export async function start(xml, rules, { files = {}, included = {}, controls } = {}) {
    const bytes = Object.fromEntries(Object.entries(included).map(([path, text]) => [path, new TextEncoder().encode(text)]));
    const world = await World.start(program, bytes);
    for (const file of readdirSync(join(web, "laws")))
        if (file.endsWith(".wasm.gz")) world.resting.set(basename(file, ".wasm.gz"), readFileSync(join(web, "laws", file)).toString("base64"));
    const held = { "scene.xml": new TextEncoder().encode(xml), ...files };
    const simulation = new Simulation(mujoco, world, { path: "scene.xml", files: held }, controls);
    const read = await world.read("rules.pcm", rules);
    if (!read.good) throw new Error(JSON.stringify(read.diagnostics));
    const adopted = simulation.adopt();
    if (!adopted.good) throw new Error(adopted.why ?? JSON.stringify(world.messages()));
    return simulation;
}

/** The native run of the same scene in explicit steps: qpos at its end. */
export function nativeEnd(name, xml, rules, time, ...options) {
    const [scene, text, out] = [`${name}.xml`, `${name}.pcm`, `${name}.csv`].map((file) => join(work, file));
    writeFileSync(scene, xml);
    writeFileSync(text, rules);
    pcm("run", scene, text, "--time", String(time), "--out", out, "--every", String(time), "--explicit", ...options);
    return readFileSync(out, "utf8").trim().split("\n").at(-1).split(",").map(Number).slice(1);
}

export function run(simulation, time) {
    const steps = Math.round(time / simulation.timestep);
    for (let i = 0; i < steps && !simulation.failure; i++) simulation.step();
    if (simulation.failure) throw new Error(simulation.failure);
    return Array.from(simulation.data.qpos);
}

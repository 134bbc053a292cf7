// SPDX-License-Identifier: MIT
// usage: node motion.mjs ROOT BUILD WORK
//
// A live scene moves as the native host moves it, and its contacts have the forces of the native library to the last bit.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { masksOf } from "../../web/live/model.js";
import { CONTACT } from "../../web/live/world.js";
import { nativeEnd, pcm, root, run, start, tableOf, work } from "./scenes.mjs";

const climber = join(root, "configs/climber");
const xml = readFileSync(join(climber, "climber.xml"), "utf8");
const rules = readFileSync(join(climber, "climber.pcm"), "utf8");
const included = { "../rise.pcm": readFileSync(join(root, "configs/rise.pcm"), "utf8") };
const controls = tableOf(join(climber, "climber.csv"));

function far(a, b) {
    return Math.max(...a.map((part, i) => Math.abs(part - b[i])));
}

/* ---- Trajectories ------------------------------------------------------------------------------------------------ */

const climbing = await start(xml, rules, { included, controls });
const end = run(climbing, 1);
pcm("run", join(climber, "climber.xml"), join(climber, "climber.pcm"), "--ctrl", join(climber, "climber.csv"), "--out", join(work, "climber.csv"), "--every", "1", "--explicit");
const native = readFileSync(join(work, "climber.csv"), "utf8").trim().split("\n").at(-1).split(",").map(Number).slice(1, 1 + end.length);
console.log(`climber, 1 s: ${far(end, native)} m or rad from the native host`);
assert(far(end, native) < 1e-9);
assert.equal(climbing.parts, 1);

/** Every kind of shape that the page gives to libpcm-geometry, each on a ground of the plane, a box or a height field. */
const body = (name, geom, at) => `<body name="${name}" pos="${at}" euler="20 10 5"><freejoint/><geom name="${name}" mass="0.5" ${geom}/></body>`;
const shapes = `<mujoco model="shapes"><option timestep="0.0005"/>
<asset><mesh name="wedge" vertex="0 0 0  0.1 0 0  0 0.08 0  0 0 0.06  0.1 0 0.06"/>
<hfield name="hills" file="hills.bin" size="0.5 0.4 0.05 0.1"/>
</asset>
<worldbody><geom name="Floor" type="plane" size="2 2 1"/><geom name="Hills" type="hfield" hfield="hills" pos="0 2 0"/>
${body("Box", 'type="box" size="0.05 0.04 0.03"', "0 0 0.1")}
${body("Rod", 'type="cylinder" size="0.03 0.05"', "0.3 0 0.1")}
${body("Pill", 'type="capsule" size="0.03 0.05"', "0.6 0 0.1")}
${body("Wedge", 'type="mesh" mesh="wedge"', "-0.4 0 0.1")}
${body("Ball", 'type="sphere" size="0.04"', "0.1 2.1 0.12")}
${body("Brick", 'type="box" size="0.05 0.04 0.03"', "-0.2 1.9 0.14")}
</worldbody></mujoco>`;
const soft = "ContactType Soft = CompliantGround { Stiffness = 2e4; Damping = 50; Friction = 0.6; };\nDefaultPair -> Soft;\n";
const heights = Float32Array.from("010101101010011001100110010101", Number);
const hills = Buffer.concat([Buffer.from(Int32Array.of(5, 6).buffer), Buffer.from(heights.buffer)]);
writeFileSync(join(work, "hills.bin"), hills);
const falling = await start(shapes, soft, { files: { "hills.bin": hills } });
const fallen = run(falling, 0.13);
assert(falling.frame().contacts.length >= 6 * CONTACT);
const there = nativeEnd("shapes", shapes, soft, 0.13);
["Box", "Rod", "Pill", "Ball", "Wedge", "Brick"].forEach((name) => {
    const at = 7 * falling.objects.filter(({ fixed }) => !fixed).findIndex(({ names }) => names[0] === name);
    const apart = far(fallen.slice(at, at + 7), there.slice(at, at + 7));
    console.log(`${name}, 0.13 s: ${apart} m or rad from the native host`);
    assert(apart < 1e-9, name);
});

/** Laws of elastic bodies read the shape of each contact, here of a capsule's ends on flats. */
const grip = readFileSync(join(root, "configs/grip/grip.xml"), "utf8");
const tips = `ContactType Tip = HertzTsuji + Mindlin { ReducedModulus = 1 [MPa]; ReducedShearModulus = 0.2 [MPa]; HertzTsuji.Restitution = 0.3;
Mindlin.Friction = 1; };\nDefaultPair -> Tip;\n`;
const hold = "time,place,left,right\n0,0,2,2\n";
writeFileSync(join(work, "hold.csv"), hold);
const gripping = await start(grip, tips, { controls: tableOf(join(work, "hold.csv")) });
const held = run(gripping, 0.05);
const heldThere = nativeEnd("grip", grip, tips, 0.05, "--ctrl", join(work, "hold.csv"));
console.log(`gripper, 0.05 s: ${far(held, heldThere)} m or rad from the native host`);
assert(far(held, heldThere) < 1e-9);

/* ---- Bits -------------------------------------------------------------------------------------------------------- */

/** The rows of one contact in each step, from its first to before it ends, and the rig's answer to the same motion. The step
 * is a power of two, as the rig takes it from differences of time. */
async function history(foot, type) {
    const scene = await start(xml.replace('timestep="0.0005"', 'timestep="0.00048828125"'), rules, { included, controls });
    const rows = [];
    for (let i = 0; i < 1200; i++)
        scene.step((time) => {
            const all = scene.world.contacts();
            for (let at = 0; at < all.length; at += CONTACT)
                if (scene.objects[all[at + 3]].names[0] === foot || scene.objects[all[at + 2]].names[0] === foot) rows.push([time, ...all.subarray(at, at + CONTACT)]);
        });
    const same = rows.filter((row) => row[1] === rows[0][1]);
    // The rig's first row has no step: the contact begins one earlier, at rest.
    const first = [type, same[0][0] - scene.timestep, 0, 0, 0, 0].join(",");
    const lines = same.map((row) => [type, row[0], row[22], row[28], row[23], row[24]].join(","));
    writeFileSync(join(work, "motion.csv"), `contact,t,depth,depth_rate,slip_x,slip_y\n${first}\n${lines.join("\n")}\n`);
    const table = pcm("rig", join(climber, "climber.pcm"), "--motion", join(work, "motion.csv"));
    const [names, , ...found] = table.trim().split("\n").map((line) => line.split(","));
    const columns = ["force_x", "force_y", "force_n"].map((name) => names.indexOf(name));
    return { same, rig: found.map((row) => columns.map((column) => Number(row[column]))) };
}

for (const [foot, type] of [["HindLeftFoot", "Slip"], ["MiddleRightFoot", "Tread"]]) {
    const { same, rig } = await history(foot, type);
    assert(same.length > 900, `${foot}: ${same.length} rows`);
    same.forEach((row, i) => [0, 1, 2].forEach((k) => assert.equal(row[16 + k], rig[i][k], `${foot}, row ${i}, component ${k}`)));
    console.log(`${foot}: ${same.length} forces have the bits of pcm rig`);
}

climbing.reset();
const once = run(climbing, 0.4);
climbing.reset();
assert.deepEqual(run(climbing, 0.4), once);

/* ---- Native contacts --------------------------------------------------------------------------------------------- */

/** Masks let exactly the named pairs collide. */
function masksAreExact(count, density, seed) {
    let state = seed;
    const random = () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
    const kinds = Array.from({ length: count }, () => Math.floor(6 * random()));
    const meets = Array.from({ length: 6 }, () => Array.from({ length: 6 }, () => random() < density));
    const native = (i, k) => meets[Math.min(kinds[i], kinds[k])][Math.max(kinds[i], kinds[k])];
    const pairs = [];
    for (let i = 0; i < count; i++) for (let k = i + 1; k < count; k++) if (native(i, k)) pairs.push([i, k]);
    const { contype, conaffinity } = masksOf(count, pairs);
    for (let i = 0; i < count; i++)
        for (let k = i + 1; k < count; k++)
            assert.equal(Boolean(contype[i] & conaffinity[k] || contype[k] & conaffinity[i]), native(i, k), `${i} ${k}`);
}
for (let seed = 1; seed < 40; seed++) masksAreExact(20, (seed % 10) / 9, seed);
const all = Array.from({ length: 80 }, (_, i) => [i, (i + 1) % 80]);
assert.equal(masksOf(80, all), undefined);

/** A pair of MuJoCo's own keeps its contact, one with a law has no other; both hold the ball. */
const two = `<mujoco><worldbody><geom name="Floor" type="plane" size="1 1 1"/>
<body name="A" pos="0 0 0.11"><freejoint/><geom name="A" size="0.1" mass="1"/></body>
<body name="B" pos="0.5 0 0.11"><freejoint/><geom name="B" size="0.1" mass="1"/></body></worldbody></mujoco>`;
const mixed = await start(two, "ContactType Soft = CompliantGround { Stiffness = 1e4; };\nObjectPair Floor * A -> Soft;\n");
run(mixed, 2);
let shown;
mixed.step(() => (shown = mixed.frame()));
assert.equal(shown.contacts.length, CONTACT);
assert.equal(shown.natives.length, 1);
for (const force of [shown.contacts[17], shown.natives[0].force[0]]) assert(Math.abs(force - 9.81) < 0.05, `${force} N`);

/* ---- Stiff laws, and what cannot be ------------------------------------------------------------------------------- */

/** A contact that explicit steps of the scene cannot follow: the native run is thrown, the page takes parts of a step. */
const stiff = "ContactType Hard = ViscoelasticGround { GroundStiffness = 1e7; GroundDamping = 1000; TanhRate = 1000; Friction = 0.8; };\nDefaultPair -> Hard;\n";
const block = two.replace("<worldbody>", '<option timestep="0.01"/><worldbody>');
const hard = await start(block, stiff);
const rest = run(hard, 2);
console.log(`stiff ground at steps of 10 ms: ${hard.parts} parts a step, ${((0.1 - rest[2]) * 1e6).toFixed(2)} um deep`);
assert(hard.parts > 1);
assert(Math.abs((0.1 - rest[2]) * 1e7 - 9.81) < 0.1 && Math.hypot(rest[0], rest[1]) < 1e-3);
assert(far(rest, nativeEnd("hard", block, stiff, 2)) > 1e-3);

await assert.rejects(start("<mujoco>\n<worldbody><geom type='round'/></worldbody></mujoco>", soft), /round[^]*line 2/);
await assert.rejects(start(xml, rules, { included, controls: { ...controls, names: controls.names.map((name) => name.replace("FrontLeftSwing", "FrontLeft")) } }), /no column for actuator/);

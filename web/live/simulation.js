// SPDX-License-Identifier: MIT
// simulation.js - MuJoCo moves the bodies of a scene; libpcm finds the contacts of pairs with a law and gives their forces.
import { GEOM, masksOf, Model, objectsOf, pairsOf, shapeOf } from "./model.js";
import { MOTION } from "./world.js";

const ENERGY = 2; // mjENBL_ENERGY
const RK4 = 1; // mjINT_RK4
const FINEST = 4096; // parts of a step
const BARELY = 0.8; // of the largest stable step: the scene's own, if it is not above
const AHEAD = 2.5; // steps: places are known for the start of the last one, and bodies become faster
const WELL = 0.25; // the same, where it is taken in parts
const PULL = 10 * Math.PI; // rad/s, of the spring by which a body is pulled
const NEVER = -1e9; // m, a margin at which an explicit pair never touches

/** Controls over time: rows [time, value of each actuator], linear between rows. */
function controlsAt({ times, rows }, time, into) {
    let i = times.findLastIndex((each) => each <= time);
    i = Math.max(0, i);
    const next = Math.min(i + 1, times.length - 1);
    const part = next > i && time > times[i] ? (time - times[i]) / (times[next] - times[i]) : 0;
    for (let k = 0; k < into.length; k++) into[k] = rows[i][k] + part * (rows[next][k] - rows[i][k]);
}

export class Simulation {
    /** mujoco: its module; scene: {path, files: {path: bytes}}; controls: undefined, or {times, names, rows}. Throws what
     * MuJoCo says of a scene that it refuses. */
    constructor(mujoco, world, scene, controls) {
        Object.assign(this, { mujoco, world });
        for (const [path, bytes] of Object.entries(scene.files)) {
            mujoco.FS.mkdirTree(`/scene/${path}`.replace(/\/[^/]*$/, ""));
            mujoco.FS.writeFile(`/scene/${path}`, bytes);
        }
        const loaded = mujoco.MjModel.from_xml_path(`/scene/${scene.path}`);
        this.model = new Model(mujoco, loaded);
        this.data = new mujoco.MjData(loaded);
        this.handles = [loaded, this.data];
        this.model.opt.enableflags |= ENERGY;
        this.timestep = this.model.opt.timestep;
        this.notes = [];
        this.#prepare();
        this.#takeControls(controls);
        this.pull = undefined; // {body, local, target}
        this.pushes = []; // {body, impulse}
        this.parts = 1;
        this.reset();
    }

    #prepare() {
        const { model } = this;
        this.objects = objectsOf(model);
        this.pairs = pairsOf(model, this.objects);
        const shapes = this.objects.map((object) => shapeOf(model, object));
        this.world.build(this.objects, shapes, this.pairs);
        this.margins = Array.from(model.pair_margin ?? []);
        this.masks = { contype: model.geom_contype.slice(), conaffinity: model.geom_conaffinity.slice() };
        if (model.opt.integrator === RK4) this.notes.push("The scene asks for RK4; this page takes steps of Euler.");
    }

    #takeControls(controls) {
        if (!controls) return;
        const count = this.model.nu;
        const named = (i) => this.model.nameOf("actuator", i) || `actuator${i}`;
        const columns = Array.from({ length: count }, (_, i) => controls.names.indexOf(named(i)));
        const missing = columns.findIndex((column) => column < 0);
        if (missing >= 0) throw new Error(`the table of controls has no column for actuator '${named(missing)}'`);
        this.controls = { times: controls.times, rows: controls.rows.map((row) => columns.map((column) => row[column])) };
    }

    /** The arrays that change, looked up again where the memory has grown. */
    #arrays() {
        if (this.arrays?.qpos.length === this.model.nq && this.arrays.qpos.byteLength > 0) return this.arrays;
        const names = ["qpos", "qvel", "ctrl", "xpos", "xquat", "xipos", "cvel", "subtree_com", "xfrc_applied", "geom_xpos", "geom_xmat", "site_xpos", "site_xmat"];
        this.model.forget();
        this.arrays = Object.fromEntries(names.map((name) => [name, this.data[name]]));
        return this.arrays;
    }

    /* ---- Rules --------------------------------------------------------------------------------------------------- */

    /** The rules that the world has read act from now on: {good, rules, served}. */
    adopt() {
        const answer = this.world.begin();
        if (!answer.good) return answer;
        this.served = answer.served;
        const natives = this.pairs.filter(({ b }, i) => answer.served[i] !== 1 && this.objects[b].geom >= 0);
        const geoms = natives.map(({ a, b }) => [this.objects[a].geom, this.objects[b].geom]);
        const masks = masksOf(this.model.ngeom, geoms);
        if (!masks) return { good: false, why: "these rules leave too many different groups of geoms to MuJoCo: give more pairs a law, or fewer" };
        this.model.geom_contype.set(masks.contype);
        this.model.geom_conaffinity.set(masks.conaffinity);
        this.#setMargins(answer.served);
        this.parts = 1;
        return answer;
    }

    #setMargins(served) {
        const keys = new Set(this.pairs.filter((_, i) => served[i] === 1).map(({ a, b }) => this.#key(this.objects[a].geom, this.objects[b].geom)));
        this.margins.forEach((margin, i) => {
            const isServed = keys.has(this.#key(this.model.pair_geom1[i], this.model.pair_geom2[i]));
            this.model.pair_margin[i] = isServed ? NEVER : margin;
        });
    }

    #key(a, b) {
        return `${Math.min(a, b)} ${Math.max(a, b)}`;
    }

    /* ---- Time ---------------------------------------------------------------------------------------------------- */

    /** Starts again: from keyframe number `key`, -1: from the scene's own state. */
    reset(key = -1) {
        const [model, data] = this.handles;
        if (key >= 0) this.mujoco.mj_resetDataKeyframe(model, data, key);
        else this.mujoco.mj_resetData(model, data);
        this.world.reset();
        this.pushes = [];
        this.parts = 1;
        this.steps = 0;
        this.failure = undefined;
        this.mujoco.mj_forward(model, data);
        this.#fillMotion();
    }

    #fillMotion() {
        const { geom_xpos, geom_xmat, site_xpos, site_xmat, cvel, subtree_com, xipos } = this.#arrays();
        const motion = this.world.motion();
        const root = this.model.body_rootid;
        this.objects.forEach(({ geom, site, body }, i) => {
            const at = i * MOTION;
            const [places, axes, id] = geom >= 0 ? [geom_xpos, geom_xmat, geom] : [site_xpos, site_xmat, site];
            for (let k = 0; k < 3; k++) {
                motion[at + k] = places[3 * id + k];
                motion[at + 18 + k] = subtree_com[3 * root[body] + k];
                motion[at + 21 + k] = xipos[3 * body + k];
            }
            for (let k = 0; k < 9; k++) motion[at + 3 + k] = axes[9 * id + k];
            for (let k = 0; k < 6; k++) motion[at + 12 + k] = cvel[6 * body + k];
        });
    }

    #addForces() {
        const { xfrc_applied } = this.#arrays();
        const wrenches = this.world.wrenches();
        xfrc_applied.fill(0);
        this.objects.forEach(({ body }, i) => {
            if (body > 0) for (let k = 0; k < 6; k++) xfrc_applied[6 * body + k] += wrenches[6 * i + k];
        });
    }

    /** A point of a body, in world axes. */
    pointOf(body, local) {
        const { xpos, xquat } = this.#arrays();
        const [w, x, y, z] = xquat.subarray(4 * body, 4 * body + 4);
        const [a, b, c] = local;
        const [u, v, t] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
        const moved = [a + w * u + y * t - z * v, b + w * v + z * u - x * t, c + w * t + x * v - y * u];
        return moved.map((part, k) => xpos[3 * body + k] + part);
    }

    /** Adds a force at a point to a body's row. */
    #push(body, point, force) {
        const { xfrc_applied, xipos } = this.#arrays();
        const arm = point.map((part, k) => part - xipos[3 * body + k]);
        for (let k = 0; k < 3; k++) {
            const [i, j] = [(k + 1) % 3, (k + 2) % 3];
            xfrc_applied[6 * body + k] += force[k];
            xfrc_applied[6 * body + 3 + k] += arm[i] * force[j] - arm[j] * force[i];
        }
    }

    /** A spring from the grabbed point to the pointer, damped so that it does not swing, which would move the mass of the
     * body's tree at 5 Hz; softer where a step could not follow. */
    #pullBody(step) {
        if (!this.pull) return;
        const { body, local, target } = this.pull;
        const { cvel, subtree_com } = this.#arrays();
        const point = this.pointOf(body, local);
        const mass = this.model.body_subtreemass[this.model.body_rootid[body]];
        const own = 1 / this.model.body_invweight0[2 * body];
        const stiffness = Math.min(mass * PULL * PULL, (0.1 * own) / step ** 2);
        const damping = Math.min(2 * Math.sqrt(stiffness * mass), (0.3 * own) / step);
        const centre = this.model.body_rootid[body];
        const arm = point.map((part, k) => part - subtree_com[3 * centre + k]);
        const force = [0, 1, 2].map((k) => {
            const [i, j] = [(k + 1) % 3, (k + 2) % 3];
            const turning = cvel[6 * body + i] * arm[j] - cvel[6 * body + j] * arm[i];
            return stiffness * (target[k] - point[k]) - damping * (cvel[6 * body + 3 + k] + turning);
        });
        this.#push(body, point, force);
    }

    #giveImpulses(step) {
        const { xipos } = this.#arrays();
        for (const { body, impulse } of this.pushes)
            this.#push(body, Array.from(xipos.subarray(3 * body, 3 * body + 3)), impulse.map((part) => part / step));
        this.pushes = [];
    }

    /** One part of a step. watch(time): called at its end, when places and forces are still those of its start. */
    #advance(step, watch) {
        const [model, data] = this.handles;
        const arrays = this.#arrays();
        const { time } = data;
        if (this.controls) controlsAt(this.controls, time, arrays.ctrl);
        this.model.opt.timestep = step;
        this.mujoco.mj_step1(model, data);
        this.#fillMotion();
        const status = this.world.update(time, step);
        if (status !== 0) this.failure ??= `a contact gave no force at ${time.toPrecision(4)} s (${status})`;
        this.#addForces();
        this.#pullBody(step);
        this.#giveImpulses(step);
        this.mujoco.mj_step2(model, data);
        this.world.commit();
        // MuJoCo starts again where the motion is bad: the clock goes back.
        if (!(data.time > time)) this.failure ??= `the motion is not finite at ${time.toPrecision(4)} s`;
        watch?.(time);
    }

    /** The parts of a step by which contacts stay stable: those of the last update, which are looked at in each step where
     * they are few, and those that the motion is about to make. */
    #choose() {
        const count = this.world.count();
        const isDue = count > 0 && this.steps % Math.ceil(count / 16) === 0;
        const now = isDue ? this.world.stable() : Infinity;
        const stable = Math.min(now, this.world.ahead(this.data.time, AHEAD * this.timestep));
        if (stable === Infinity && !isDue && count > 0) return;
        const wanted = this.timestep <= BARELY * stable ? 1 : Math.min(FINEST, Math.ceil(this.timestep / (WELL * stable)));
        this.parts = wanted > this.parts ? wanted : Math.max(wanted, Math.floor(0.9 * this.parts));
    }

    /** One step of the scene. watch(time): as above, in its last part. Returns the events of contacts. */
    step(watch) {
        this.#choose();
        this.steps++;
        const events = [];
        const { parts, timestep } = this;
        for (let i = 0; i < parts && !this.failure; i++) {
            this.#advance(timestep / parts, i === parts - 1 ? watch : undefined);
            events.push(...this.world.events());
        }
        return events;
    }

    /* ---- What is shown ------------------------------------------------------------------------------------------- */

    /** A frame: time, poses of all bodies (7 each), rows of contacts, MuJoCo's own contacts, energies. */
    frame(time = this.data.time) {
        const { xpos, xquat } = this.#arrays();
        const bodies = this.model.nbody;
        const poses = new Float64Array(7 * bodies);
        for (let i = 0; i < bodies; i++) {
            poses.set(xpos.subarray(3 * i, 3 * i + 3), 7 * i);
            poses.set(xquat.subarray(4 * i, 4 * i + 4), 7 * i + 3);
        }
        const [potential, kinetic] = this.data.energy;
        const [work, stored, dissipated, residue] = this.world.energies();
        return {
            time,
            poses,
            contacts: this.world.contacts(),
            natives: this.#natives(),
            energies: [potential, kinetic, stored, dissipated, residue, work],
            parts: this.parts,
        };
    }

    #natives() {
        const found = [];
        const contacts = this.data.contact;
        const count = contacts.size();
        const force = new this.mujoco.DoubleBuffer(6);
        for (let i = 0; i < count; i++) {
            const contact = contacts.get(i);
            const { geom1, geom2, dist, efc_address } = contact;
            if (efc_address >= 0 && geom1 >= 0 && geom2 >= 0) {
                this.mujoco.mj_contactForce(...this.handles, i, force);
                found.push({
                    geoms: [geom1, geom2],
                    feature: i,
                    depth: -dist,
                    friction: contact.friction[0],
                    point: Array.from(contact.pos),
                    frame: Array.from(contact.frame),
                    force: Array.from(force.GetView()).slice(0, 3),
                });
            }
            contact.delete();
        }
        contacts.delete();
        force.delete();
        return found;
    }

    free() {
        for (const handle of this.handles.reverse()) handle.delete();
    }
}

export { GEOM };

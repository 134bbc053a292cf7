// SPDX-License-Identifier: MIT
// view.js - the 3-D view.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { element } from "../shared/elements.js";
import { quantile } from "../shared/numbers.js";
import { Arrows } from "./arrows.js";
import { Bodies } from "./bodies.js";
import { FAR } from "./record.js";
import { isPlane } from "./shapes.js";

const MANY = 60; // contacts, beyond which only the chosen one has its cone
const SAMPLES = 20000; // of positions and forces, by which sizes are judged
const NEAR = 16; // pixels

/** Calls visit(table, row) for a sample of rows of a table over all chunks, about SAMPLES of them. */
function sample(record, name, visit) {
    const rows = record.chunks.reduce((sum, chunk) => sum + chunk[name].frame.length, 0);
    const stride = Math.ceil(rows / SAMPLES);
    for (const chunk of record.chunks)
        for (let row = 0; row < chunk[name].frame.length; row += stride) visit(chunk[name], row);
}

/** The centre and size of the region that holds most of the positions of all frames. Objects that fall away do not
 * count. */
function extentOf(record) {
    const shown = new Set(record.shapes.filter((shape) => !isPlane(shape)).map(({ subject }) => subject));
    const along = [[], [], []];
    const take = ({ x, y, z }, i) => [x, y, z].forEach((column, k) => along[k].push(column[i]));
    sample(record, "poses", (poses, i) => shown.has(poses.subject[i]) && take(poses, i));
    sample(record, "rows", (rows, i) => rows.depth[i] > FAR && take(rows, i));
    const low = along.map((numbers) => quantile(numbers, 0.05));
    const high = along.map((numbers) => quantile(numbers, 0.95));
    const size = Math.max(0.05, Math.hypot(...high.map((x, k) => x - low[k])));
    return { middle: new THREE.Vector3(...high.map((x, k) => (x + low[k]) / 2)), size };
}

const sizeOfForce = (rows, i) => Math.hypot(rows.forceX[i], rows.forceY[i], rows.forceN[i]);

/** The force that 9 of 10 forces of all frames are below: its arrow has half of the largest length. */
function usualForce(record) {
    const forces = [];
    sample(record, "rows", (rows, i) => {
        const size = sizeOfForce(rows, i);
        if (size > 0) forces.push(size);
    });
    return quantile(forces, 0.9) || 1;
}

/** Whether the processor does the drawing: smooth edges would take half of its time. */
function isSoftware() {
    const context = document.createElement("canvas").getContext("webgl2");
    const facts = context?.getExtension("WEBGL_debug_renderer_info");
    const name = facts ? context.getParameter(facts.UNMASKED_RENDERER_WEBGL) : "";
    context?.getExtension("WEBGL_lose_context")?.loseContext();
    return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class View {
    /** into: the element that the view fills; choose(contact) is called for a click. Throws without WebGL. */
    constructor(into, record, choose) {
        Object.assign(this, { into, record, choose, frame: 0 });
        // A picture taken between two frames, as under a virtual clock, would find an empty canvas.
        this.renderer = new THREE.WebGLRenderer({ antialias: !isSoftware(), preserveDrawingBuffer: true });
        this.renderer.debug.checkShaderErrors = false; // waits for the graphics card
        into.append(this.renderer.domElement);
        this.scene = new THREE.Scene();
        this.scene.background = new THREE.Color(0xf4f6f8);
        this.camera = new THREE.PerspectiveCamera(45, 1, 0.01, 1000);
        this.camera.up.set(0, 0, 1);
        this.arrows = new Arrows(this.scene);
        this.at = new THREE.Vector3();
        this.normal = new THREE.Vector3();
        this.force = new THREE.Vector3();
        this.turn = new THREE.Quaternion();
        this.controls = new OrbitControls(this.camera, this.renderer.domElement);
        this.controls.addEventListener("change", () => this.#render());
        this.fit();
        this.#listen();
        new ResizeObserver(() => this.#resize()).observe(into);
        this.#resize();
    }

    /** Takes sizes and bodies from the data read so far, and looks from the first camera. */
    fit() {
        const { record } = this;
        this.extent = extentOf(record);
        this.longest = 0.25 * this.extent.size;
        this.usual = usualForce(record);
        this.bodies?.remove();
        this.bodies = new Bodies(this.scene, record, 20 * this.extent.size);
        this.bodies.place(this.frame);
        this.look(record.cameras[0]);
    }

    /** Looks from a camera of the recording; undefined: from a point from which everything is visible. */
    look(camera) {
        const { middle, size } = this.extent;
        this.camera.near = size / 500;
        this.camera.far = 100 * size;
        this.camera.fov = camera ? THREE.MathUtils.radToDeg(camera.angle) : 45;
        this.camera.position.copy(this.#freeEye());
        this.controls.target.copy(middle);
        if (camera) {
            this.camera.position.fromArray(camera.eye);
            this.controls.target.fromArray(camera.target);
        }
        this.camera.updateProjectionMatrix();
        this.controls.update();
    }

    /** Among viewpoints around the centre, chooses one with a free view of it. */
    #freeEye() {
        const { middle, size } = this.extent;
        const sides = [[-0.6, -1.4], [1.4, -0.6], [0.6, 1.4], [-1.4, 0.6]];
        const eyes = sides.map(([x, y]) => new THREE.Vector3(x, y, 0.6).multiplyScalar(0.9 * size).add(middle));
        const free = eyes.find((eye) => {
            const along = middle.clone().sub(eye);
            return !this.bodies.hit(new THREE.Raycaster(eye, along.clone().normalize(), 0, 0.7 * along.length()));
        });
        return free ?? eyes[0];
    }

    #resize() {
        const width = this.into.clientWidth;
        const height = this.into.clientHeight;
        if (!width || !height) return;
        this.renderer.setSize(width, height);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        this.renderer.render(this.scene, this.camera); // the new canvas is empty
    }

    /** Draws once for all changes before the browser's next frame. */
    #render() {
        this.waiting ??= requestAnimationFrame(() => {
            this.waiting = undefined;
            this.renderer.render(this.scene, this.camera);
        });
    }

    show(frame, chosen) {
        this.frame = frame;
        this.bodies.place(frame);
        this.#showContacts(frame, chosen);
        this.#render();
    }

    #showContacts(frame, chosen) {
        const few = this.record.contactCount(frame) <= MANY;
        this.arrows.begin();
        this.record.eachContact(frame, (contact, rows, i) => {
            if (this.#isSeen(rows, i)) this.#showContact(contact, rows, i, contact === chosen, few);
        });
        this.arrows.end();
    }

    /** Sets this.at to the contact's position; false if it has none. */
    #isSeen(rows, i) {
        this.at.set(rows.x[i], rows.y[i], rows.z[i]);
        return rows.depth[i] > FAR && Number.isFinite(this.at.lengthSq());
    }

    #showContact(contact, rows, i, isChosen, few) {
        const { at, normal, force, turn } = this;
        turn.set(rows.qx[i], rows.qy[i], rows.qz[i], rows.qw[i]);
        normal.set(0, 0, 1).applyQuaternion(turn);
        force.set(rows.forceX[i], rows.forceY[i], rows.forceN[i]).applyQuaternion(turn);
        const size = force.length();
        const thick = this.longest / (isChosen ? 28 : 50);
        this.arrows.mark(at, normal, rows.mode[i], 1.3 * thick);
        if (!(size > 0) || !Number.isFinite(size)) return; // an infinite or NaN force is only shown as text
        const length = this.longest * Math.min((0.5 * size) / this.usual, 1);
        this.arrows.force(at, force.divideScalar(size), length, thick / 2, isChosen ? "#000000" : "#b5179e");
        const friction = this.record.frictionOf(contact);
        if (friction > 0 && rows.forceN[i] > 0 && (isChosen || few))
            this.arrows.cone(at, normal, friction, length * Math.min(1, rows.forceN[i] / size), rows.mode[i]);
    }

    /* ---- Choosing ---- */

    #listen() {
        const canvas = this.renderer.domElement;
        let from;
        canvas.addEventListener("pointerdown", (event) => (from = [event.offsetX, event.offsetY]));
        canvas.addEventListener("pointerup", (event) => {
            if (from && Math.hypot(event.offsetX - from[0], event.offsetY - from[1]) < 4)
                this.#pick(event.offsetX, event.offsetY);
        });
    }

    /** A contact near the pixel, or else the strongest contact of the object there. */
    #pick(x, y) {
        const subject = this.#subjectAt(x, y);
        let near, strong;
        let least = NEAR;
        let most = -1;
        this.record.eachContact(this.frame, (contact, rows, i) => {
            if (!this.#isSeen(rows, i)) return;
            const [px, py] = this.pixelOf(this.at);
            const far = Math.hypot(px - x, py - y);
            const force = sizeOfForce(rows, i);
            if (far < least) [least, near] = [far, contact];
            if ((contact.a === subject || contact.b === subject) && force > most) [most, strong] = [force, contact];
        });
        if (near ?? strong) this.choose(near ?? strong);
    }

    #subjectAt(x, y) {
        const { clientWidth: width, clientHeight: height } = this.into;
        const ray = new THREE.Raycaster();
        ray.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
        return this.bodies.hit(ray)?.subject;
    }

    /** The screen position of a point of the world. */
    pixelOf(at) {
        const seen = at.clone().project(this.camera);
        return [((seen.x + 1) / 2) * this.into.clientWidth, ((1 - seen.y) / 2) * this.into.clientHeight];
    }

    /** The screen position of the centre of an object. */
    pixelOfSubject(subject) {
        return this.pixelOf(this.bodies.middleOf(subject));
    }
}

/** The line shown instead of the 3-D view. */
export function noView() {
    return element("p", { className: "missing" }, "No 3-D view: this browser has no WebGL. All else works without it.");
}

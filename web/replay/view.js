// SPDX-License-Identifier: MIT
// view.js - the 3-D view.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { element } from "../shared/elements.js";
import { quantile } from "../shared/numbers.js";
import { Arrows } from "./arrows.js";
import { FAR, frameOf, worldForce } from "./record.js";
import { drawn } from "./shapes.js";

const MANY = 60; // contacts, beyond which only the chosen one has its cone
const PLANE = 6;
const NEAR = 16; // pixels

function lights() {
    const sun = new THREE.DirectionalLight(0xffffff, 2);
    sun.position.set(2, -3, 5);
    return [new THREE.HemisphereLight(0xffffff, 0x777788, 2), sun];
}

/** Where most of the positions of all frames are: the middle and the size. What falls off does not count. */
function extentOf(record) {
    const shown = new Set(record.shapes.filter(({ kind }) => kind !== PLANE).map(({ subject }) => subject));
    const along = [[], [], []];
    const take = (columns, i) => columns.forEach((column, k) => along[k].push(column[i]));
    for (const { poses, rows } of record.chunks) {
        poses.subject.forEach((subject, i) => shown.has(subject) && take([poses.x, poses.y, poses.z], i));
        rows.depth.forEach((depth, i) => depth > FAR && take([rows.x, rows.y, rows.z], i));
    }
    const low = along.map((numbers) => quantile(numbers, 0.05));
    const high = along.map((numbers) => quantile(numbers, 0.95));
    const size = Math.max(0.05, Math.hypot(...high.map((x, k) => x - low[k])));
    return { middle: new THREE.Vector3(...high.map((x, k) => (x + low[k]) / 2)), size };
}

/** The force of which 9 of 10 are below, over all frames: it is drawn as long as an arrow may be in half. */
function usualForce(record) {
    const forces = [];
    for (const { rows } of record.chunks)
        rows.forceN.forEach((n, i) => {
            const size = Math.hypot(rows.forceX[i], rows.forceY[i], n);
            if (size > 0) forces.push(size);
        });
    return quantile(forces, 0.9) || 1;
}

export class View {
    /** into: the element that the view fills; choose(contact) is told what is clicked. Throws without WebGL. */
    constructor(into, record, choose) {
        Object.assign(this, { into, record, choose, points: [] });
        this.renderer = new THREE.WebGLRenderer({ antialias: true });
        this.renderer.debug.checkShaderErrors = false; // which waits for the graphics card
        into.append(this.renderer.domElement);
        this.scene = new THREE.Scene();
        this.scene.background = new THREE.Color(0xf4f6f8);
        this.scene.add(...lights());
        this.camera = new THREE.PerspectiveCamera(45, 1, 0.01, 1000);
        this.camera.up.set(0, 0, 1);
        this.extent = extentOf(record);
        this.longest = 0.25 * this.extent.size;
        this.usual = usualForce(record);
        this.arrows = new Arrows(this.scene);
        this.#build();
        this.controls = new OrbitControls(this.camera, this.renderer.domElement);
        this.controls.addEventListener("change", () => this.#render());
        this.#place(0);
        this.look(record.cameras[0]);
        this.#listen();
        new ResizeObserver(() => this.#resize()).observe(into);
        this.#resize();
    }

    #build() {
        this.groups = this.record.subjects.map(() => new THREE.Group());
        for (const shape of this.record.shapes)
            this.groups[shape.subject].add(drawn(shape, 20 * this.extent.size));
        this.groups.forEach((group, subject) => {
            group.userData.subject = subject;
            this.scene.add(group);
        });
    }

    /** From a camera of the recording; undefined: from where all is seen. */
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

    /** Of the places around, one from which nothing stands before the middle. */
    #freeEye() {
        const { middle, size } = this.extent;
        const sides = [[-0.6, -1.4], [1.4, -0.6], [0.6, 1.4], [-1.4, 0.6]];
        const eyes = sides.map(([x, y]) => new THREE.Vector3(x, y, 0.6).multiplyScalar(0.9 * size).add(middle));
        const between = eyes.map((eye) => {
            const along = middle.clone().sub(eye);
            return new THREE.Raycaster(eye, along.clone().normalize(), 0, 0.7 * along.length()).intersectObjects(this.groups).length;
        });
        return eyes[between.indexOf(Math.min(...between))];
    }

    #place(frame) {
        this.groups.forEach((group, subject) => {
            const at = this.record.poseAt(subject, frame);
            group.visible = at !== undefined;
            if (!at) return;
            const { poses, i } = at;
            group.position.set(poses.x[i], poses.y[i], poses.z[i]);
            group.quaternion.set(poses.qx[i], poses.qy[i], poses.qz[i], poses.qw[i]);
        });
        this.scene.updateMatrixWorld();
    }

    #resize() {
        const width = this.into.clientWidth;
        const height = this.into.clientHeight;
        if (!width || !height) return;
        this.renderer.setSize(width, height);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        this.#render();
    }

    /** Once for all that changes until the browser draws. */
    #render() {
        this.waiting ??= requestAnimationFrame(() => {
            this.waiting = undefined;
            this.renderer.render(this.scene, this.camera);
        });
    }

    show(frame, chosen) {
        this.#place(frame);
        this.#showContacts(frame, chosen);
        this.#render();
    }

    #showContacts(frame, chosen) {
        this.points = [];
        this.record.eachContact(frame, (contact, rows, i) => {
            const at = new THREE.Vector3(rows.x[i], rows.y[i], rows.z[i]);
            if (rows.depth[i] > FAR && Number.isFinite(at.length())) this.points.push({ contact, rows, i, at });
        });
        this.arrows.begin();
        for (const point of this.points) this.#showContact(point, chosen);
        this.arrows.end();
    }

    #showContact({ contact, rows, i, at }, chosen) {
        const normal = new THREE.Vector3(...frameOf(rows, i)[2]);
        const force = new THREE.Vector3(...worldForce(rows, i));
        const size = force.length();
        const thick = this.longest / (contact === chosen ? 28 : 50);
        this.arrows.mark(at, normal, rows.mode[i], 1.3 * thick);
        if (!(size > 0) || !Number.isFinite(size)) return; // a force that is no number is told, not drawn
        const length = this.longest * Math.min(0.5 * size / this.usual, 1);
        this.arrows.force(at, force.divideScalar(size), length, thick / 2, contact === chosen ? "#000000" : "#b5179e");
        const friction = this.record.frictionOf(contact);
        if (friction > 0 && rows.forceN[i] > 0 && (contact === chosen || this.points.length <= MANY))
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

    /** A contact near the pixel, or else the strongest one of the object there. */
    #pick(x, y) {
        const near = this.points
            .map((point) => ({ point, far: Math.hypot(...this.pixelOf(point.at).map((p, k) => p - [x, y][k])) }))
            .sort((a, b) => a.far - b.far)[0];
        const chosen = near && near.far < NEAR ? near.point : this.#strongestAt(x, y);
        if (chosen) this.choose(chosen.contact);
    }

    #strongestAt(x, y) {
        const { clientWidth: width, clientHeight: height } = this.into;
        const ray = new THREE.Raycaster();
        ray.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
        const hit = ray.intersectObjects(this.groups.filter((group) => group.visible))[0];
        const subject = hit?.object.parent.userData.subject;
        const size = ({ rows, i }) => Math.hypot(rows.forceX[i], rows.forceY[i], rows.forceN[i]);
        return this.points
            .filter(({ contact }) => contact.a === subject || contact.b === subject)
            .sort((a, b) => size(b) - size(a))[0];
    }

    /** Where a point of the world is seen. */
    pixelOf(at) {
        const seen = at.clone().project(this.camera);
        return [((seen.x + 1) / 2) * this.into.clientWidth, ((1 - seen.y) / 2) * this.into.clientHeight];
    }

    /** Where the middle of an object is seen. */
    pixelOfSubject(subject) {
        return this.pixelOf(new THREE.Box3().setFromObject(this.groups[subject]).getCenter(new THREE.Vector3()));
    }
}

/** The line that stands where there is no 3-D view. */
export function noView() {
    return element("p", { className: "missing" }, "No 3-D view: this browser has no WebGL. All else works without it.");
}

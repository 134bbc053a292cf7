// SPDX-License-Identifier: MIT
// view.js - the 3-D view.
import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { element } from "../shared/elements.js";
import { text } from "../shared/numbers.js";
import { Arrows } from "./arrows.js";
import { Bodies } from "./bodies.js";
import { extentOf, roundBelow, sizeOfForce, usualForce } from "./extent.js";
import { FAR } from "./record.js";

const NEAR = 16; // pixels
const themes = {
    light: { sky: 0xe9eef3, ground: 0xd5d9dc, hemisphere: [0xffffff, 0xc9c3ba, 2.2], key: 1.9, force: "#d6006c", chosen: "#111111" },
    dark: { sky: 0x12171d, ground: 0x3a4149, hemisphere: [0xcfdcec, 0x2a2724, 1.35], key: 2.1, force: "#ff5fae", chosen: "#ffffff" },
};

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
        Object.assign(this, { into, record, choose, frame: 0, usual: 0, follows: false });
        const soft = isSoftware();
        // A picture taken between two frames, as under a virtual clock, would find an empty canvas.
        this.renderer = new THREE.WebGLRenderer({ antialias: !soft, preserveDrawingBuffer: true });
        this.renderer.setPixelRatio(soft ? 0.8 : Math.min(2, devicePixelRatio));
        this.renderer.debug.checkShaderErrors = false; // waits for the graphics card
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = soft ? THREE.BasicShadowMap : THREE.PCFShadowMap;
        into.append(this.renderer.domElement);
        this.scene = new THREE.Scene();
        this.#light(soft);
        this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 1000);
        this.camera.up.set(0, 0, 1);
        this.spacing = { value: 1 };
        this.arrows = new Arrows(this.scene);
        for (const name of ["at", "normal", "force", "centre"]) this[name] = new THREE.Vector3();
        this.turn = new THREE.Quaternion();
        this.controls = new OrbitControls(this.camera, this.renderer.domElement);
        this.controls.addEventListener("change", () => this.#render());
        this.#addScales();
        this.setTheme(matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
        this.fit();
        this.#listen();
        new ResizeObserver(() => this.#resize()).observe(into);
        this.#resize();
    }

    /* ---- Light and scales ---------------------------------------------------------------------------------------- */

    #light(soft) {
        this.sky = new THREE.HemisphereLight();
        this.key = new THREE.DirectionalLight();
        this.key.castShadow = true;
        this.key.shadow.mapSize.setScalar(soft ? 1024 : 2048);
        this.key.shadow.radius = 4;
        this.scene.add(this.sky, this.key, this.key.target);
    }

    #addScales() {
        this.forceScale = element("span", { className: "force-scale" });
        this.gridScale = element("span", { className: "grid-scale" });
        this.into.append(element("div", { className: "scales", "aria-hidden": "true" }, this.forceScale, this.gridScale));
    }

    setTheme(name) {
        const { sky, hemisphere, key, ground } = themes[name];
        this.theme = name;
        this.scene.background = new THREE.Color(sky);
        this.scene.fog = new THREE.Fog(sky, 1, 2);
        this.sky.color.set(hemisphere[0]);
        this.sky.groundColor.set(hemisphere[1]);
        this.sky.intensity = hemisphere[2];
        this.key.intensity = key;
        this.ground = new THREE.Color(ground);
        if (!this.bodies) return;
        this.#build();
        this.#reach();
        this.show(this.frame, this.chosen);
    }

    /** Takes sizes and bodies from the data read so far, and looks from the first camera. */
    fit() {
        const { record } = this;
        this.#build();
        this.extent = extentOf(record, this.bodies);
        this.longest = 0.3 * this.extent.size;
        this.usual = usualForce(record);
        this.spacing.value = roundBelow(this.extent.size / 4);
        this.gridScale.textContent = `grid ${lengthText(this.spacing.value)}`;
        this.#build();
        this.#aimLight(this.extent.middle);
        this.look(record.cameras[0]);
    }

    #build() {
        const { record } = this;
        this.bodies?.remove();
        const looks = { ground: this.ground, spacing: this.spacing, number: (subject) => record.subjects[subject].body ?? subject };
        this.bodies = new Bodies(this.scene, record, 60 * (this.extent?.size ?? 1), looks);
        this.bodies.place(this.frame);
    }

    #aimLight(at) {
        const { size } = this.extent;
        const { camera } = this.key.shadow;
        this.key.target.position.copy(at);
        this.key.position.set(0.5, -0.9, 2).multiplyScalar(1.2 * size).add(at);
        Object.assign(camera, { left: -size, right: size, top: size, bottom: -size, near: 0.1 * size, far: 6 * size });
        this.key.shadow.bias = -0.0005;
        this.key.shadow.normalBias = 0.004 * size;
        camera.updateProjectionMatrix();
    }

    #reach() {
        const { size } = this.extent;
        const far = Math.max(size, this.camera.position.distanceTo(this.controls.target));
        this.scene.fog.near = 3 * far + size;
        this.scene.fog.far = 12 * far + 6 * size;
    }

    /* ---- The camera ---------------------------------------------------------------------------------------------- */

    /** Looks from a camera of the recording; undefined: from a point from which everything is visible. */
    look(camera) {
        const { middle, size } = this.extent;
        this.camera.near = size / 200;
        this.camera.far = 200 * size;
        this.camera.fov = camera ? THREE.MathUtils.radToDeg(camera.angle) : 40;
        this.camera.position.copy(this.#freeEye());
        this.controls.target.copy(middle);
        if (camera) {
            this.camera.position.fromArray(camera.eye);
            this.controls.target.fromArray(camera.target);
        }
        this.camera.updateProjectionMatrix();
        this.controls.update();
        this.#reach();
        this.#render();
    }

    /** Among viewpoints around the centre, chooses one with a free view of it. */
    #freeEye() {
        const { middle, size } = this.extent;
        const narrow = Math.max(1, 1.1 / (this.camera.aspect || 1));
        const sides = [[-0.75, -1.3], [1.3, -0.75], [0.75, 1.3], [-1.3, 0.75]];
        const eyes = sides.map(([x, y]) => new THREE.Vector3(x, y, 0.72).multiplyScalar(1.1 * narrow * size).add(middle));
        const free = eyes.find((eye) => {
            const along = middle.clone().sub(eye);
            return !this.bodies.hit(new THREE.Raycaster(eye, along.clone().normalize(), 0, 0.7 * along.length()));
        });
        return free ?? eyes[0];
    }

    /** The middle of what moves, in the present frame. */
    #centreNow() {
        const sum = new THREE.Vector3();
        let count = 0;
        for (const subject of this.extent.moving) {
            const at = this.record.poseAt(subject, this.frame);
            if (!at) continue;
            sum.add(this.at.set(at.poses.x[at.i], at.poses.y[at.i], at.poses.z[at.i]));
            count++;
        }
        return count > 0 ? sum.divideScalar(count) : undefined;
    }

    setFollow(follows) {
        this.follows = follows;
        this.followed = follows ? this.#centreNow() : undefined;
    }

    #follow() {
        const now = this.follows && this.#centreNow();
        if (!now || !this.followed) return;
        const moved = now.clone().sub(this.followed);
        this.followed = now;
        this.camera.position.add(moved);
        this.controls.target.add(moved);
        this.#aimLight(this.controls.target);
        this.controls.update();
    }

    #resize() {
        const width = this.into.clientWidth;
        const height = this.into.clientHeight;
        if (!width || !height) return;
        const isFirst = !this.sized;
        this.sized = true;
        this.renderer.setSize(width, height);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        if (isFirst) this.look(this.record.cameras[0]);
        this.#draw(); // the new canvas is empty
    }

    #draw() {
        this.#showForceScale();
        this.renderer.render(this.scene, this.camera);
        this.drawn = (this.drawn ?? 0) + 1;
    }

    /** Draws now and finely, at a size that the window need not have. */
    pose(width, height) {
        if (!this.posed) {
            this.renderer.setPixelRatio(1);
            this.renderer.shadowMap.type = THREE.PCFShadowMap;
            this.key.shadow.map?.dispose();
            this.key.shadow.map = null;
            this.key.shadow.mapSize.setScalar(2048);
            this.scene.traverse(({ material }) => material && (material.needsUpdate = true));
            this.posed = true;
        }
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        if (!this.framed) this.look(this.record.cameras[0]);
        this.framed = true;
        this.renderer.render(this.scene, this.camera);
    }

    /** Draws once for all changes before the browser's next frame. */
    #render() {
        this.waiting ??= requestAnimationFrame(() => {
            this.waiting = undefined;
            this.#reach();
            this.#draw();
        });
    }

    /** A round force, {words, pixels}: as long as its arrow is at the place looked at, in a view of that height. Undefined:
     * there are no forces yet. */
    forceScaleAt(height) {
        const far = this.camera.position.distanceTo(this.controls.target);
        const metre = height / (2 * far * Math.tan(THREE.MathUtils.degToRad(this.camera.fov / 2)));
        const newton = (this.longest * 0.5 * metre) / this.usual;
        if (!(this.usual > 0 && Number.isFinite(newton))) return undefined;
        const force = roundBelow(Math.max(1e-12, 140 / newton));
        return { words: forceText(force), pixels: Math.round(force * newton) };
    }

    #showForceScale() {
        const scale = this.forceScaleAt(this.into.clientHeight);
        this.forceScale.hidden = !scale;
        if (scale) this.forceScale.style.setProperty("--long", `${scale.pixels}px`);
        this.forceScale.textContent = scale?.words ?? "";
    }

    /** What the present theme draws with. */
    get colors() {
        return themes[this.theme];
    }

    show(frame, chosen) {
        Object.assign(this, { frame, chosen });
        this.bodies.place(frame);
        this.#follow();
        this.#showContacts(frame, chosen);
        this.#render();
    }

    #showContacts(frame, chosen) {
        if (this.record.times.length === 0) return;
        this.arrows.begin();
        this.record.eachContact(frame, (contact, rows, i) => {
            if (this.#isSeen(rows, i)) this.#showContact(contact, rows, i, contact === chosen);
        });
        this.arrows.end();
    }

    /** Sets this.at to the contact's position; false if it has none. */
    #isSeen(rows, i) {
        this.at.set(rows.x[i], rows.y[i], rows.z[i]);
        return rows.depth[i] > FAR && Number.isFinite(this.at.lengthSq());
    }

    /** The first forces of a live scene say what is usual; larger ones later make all arrows smaller. */
    #learn(size) {
        if (size > 1.6 * this.usual && this.record.isLive) this.usual = this.usual > 0 ? this.usual + 0.05 * (size - this.usual) : size;
    }

    #showContact(contact, rows, i, isChosen) {
        const { at, normal, force, turn } = this;
        turn.set(rows.qx[i], rows.qy[i], rows.qz[i], rows.qw[i]);
        normal.set(0, 0, 1).applyQuaternion(turn);
        force.set(rows.forceX[i], rows.forceY[i], rows.forceN[i]).applyQuaternion(turn);
        const size = force.length();
        const thick = this.longest / (isChosen ? 22 : 34);
        this.arrows.mark(at, normal, rows.mode[i], 0.6 * thick);
        if (!(size > 0) || !Number.isFinite(size)) return; // an infinite or NaN force is only shown as text
        this.#learn(size);
        const length = this.longest * Math.min((0.5 * size) / this.usual, 1);
        this.arrows.force(at, force.divideScalar(size), length, thick / 2, isChosen ? themes[this.theme].chosen : themes[this.theme].force);
        const friction = this.record.frictionOf(contact);
        if (friction > 0 && rows.forceN[i] > 0 && isChosen)
            this.arrows.cone(at, normal, friction, length * Math.min(1, rows.forceN[i] / size), rows.mode[i]);
    }

    /* ---- Choosing ------------------------------------------------------------------------------------------------ */

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
        const subject = this.hitAt(x, y)?.subject;
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

    /** The level direction away from the eye, as a unit vector. */
    ahead() {
        const along = this.camera.getWorldDirection(new THREE.Vector3()).setZ(0);
        return (along.lengthSq() > 1e-6 ? along.normalize() : along.set(1, 0, 0)).toArray();
    }

    /** A ray through a pixel. */
    rayAt(x, y) {
        const { clientWidth: width, clientHeight: height } = this.into;
        const ray = new THREE.Raycaster();
        ray.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
        return ray;
    }

    /** What is seen at a pixel: {subject, point}; undefined: nothing. */
    hitAt(x, y) {
        return this.bodies.hit(this.rayAt(x, y));
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

const lengthText = (length) => (length >= 1 ? `${text(length)} m` : length >= 0.01 ? `${text(100 * length)} cm` : `${text(1000 * length)} mm`);
const forceText = (force) => (force >= 1000 ? `${text(force / 1000)} kN` : force >= 0.1 ? `${text(force)} N` : `${text(1000 * force)} mN`);

/** The line shown instead of the 3-D view. */
export function noView() {
    return element("p", { className: "missing" }, "No 3-D view: this browser has no WebGL. All else works without it.");
}

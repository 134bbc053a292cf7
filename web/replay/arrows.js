// SPDX-License-Identifier: MIT
// arrows.js - forces, modes and friction cones of the contacts of a frame, drawn many at once.
import * as THREE from "three";
import { flatMaterial } from "./materials.js";
import { modes, modeOf } from "../shared/modes.js";

const up = new THREE.Vector3(0, 1, 0);
const colors = new Map();

/** Created once and shared. */
function colorOf(name) {
    if (!colors.has(name)) colors.set(name, new THREE.Color(name));
    return colors.get(name);
}

/** Instances of one geometry; the capacity grows on demand. */
class Copies {
    constructor(scene, geometry, material) {
        Object.assign(this, { scene, geometry, material, count: 0 });
        this.mesh = this.#room(64);
    }

    #room(capacity) {
        const mesh = new THREE.InstancedMesh(this.geometry, this.material, capacity);
        mesh.frustumCulled = false;
        mesh.renderOrder = this.material.depthTest ? 0 : 1;
        mesh.setColorAt(0, colorOf("#000000"));
        this.scene.add(mesh);
        return mesh;
    }

    #grow() {
        const old = this.mesh;
        this.mesh = this.#room(2 * this.count);
        this.mesh.instanceMatrix.array.set(old.instanceMatrix.array);
        this.mesh.instanceColor.array.set(old.instanceColor.array);
        this.scene.remove(old);
        old.dispose();
    }

    begin() {
        this.count = 0;
    }

    add(matrix, color) {
        if (this.count === this.mesh.instanceMatrix.count) this.#grow();
        this.mesh.setMatrixAt(this.count, matrix);
        this.mesh.setColorAt(this.count++, colorOf(color));
    }

    end() {
        this.mesh.count = this.count;
        this.mesh.visible = this.count > 0;
        if (this.count > 0) this.mesh.instanceMatrix.needsUpdate = this.mesh.instanceColor.needsUpdate = true;
    }
}

/** The symbol of each mode at the contact point: a cube for sticking, a ring for slipping, a ball for touching, a pyramid for apart. */
function markOf(mode) {
    if (mode === 1) return new THREE.BoxGeometry(1.4, 1.4, 1.4);
    if (mode === 2) return new THREE.TorusGeometry(0.9, 0.3, 8, 20).rotateX(Math.PI / 2);
    if (mode === 3) return new THREE.IcosahedronGeometry(0.9, 1);
    return new THREE.TetrahedronGeometry(0.9);
}

/** Drawn even if objects hide the contact points. */
const flat = () => flatMaterial({ depthTest: false, transparent: true });

export class Arrows {
    constructor(scene) {
        const open = (sides) => new THREE.ConeGeometry(1, 1, sides, 1, true).rotateX(Math.PI).translate(0, 0.5, 0);
        this.shafts = new Copies(scene, new THREE.CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), flat());
        this.heads = new Copies(scene, new THREE.ConeGeometry(1, 1, 14).translate(0, 0.5, 0), flat());
        this.marks = modes.map((_, mode) => new Copies(scene, markOf(mode), flat()));
        // A glass cone means sticking, a wire cone slipping.
        this.cones = new Copies(scene, open(32), flatMaterial({ opacity: 0.35, depthWrite: false }));
        this.wires = new Copies(scene, open(16), flatMaterial({ wireframe: true }));
        this.matrix = new THREE.Matrix4();
        this.turn = new THREE.Quaternion();
        this.scale = new THREE.Vector3();
        this.neck = new THREE.Vector3();
        this.all = [this.shafts, this.heads, this.cones, this.wires, ...this.marks];
    }

    begin() {
        for (const copies of this.all) copies.begin();
    }

    end() {
        for (const copies of this.all) copies.end();
    }

    #place(copies, at, along, width, length, color) {
        this.turn.setFromUnitVectors(up, along);
        this.scale.set(width, length, width);
        copies.add(this.matrix.compose(at, this.turn, this.scale), color);
    }

    /** Draws a force from its point; along: a unit vector. */
    force(at, along, length, width, color) {
        const head = Math.min(length, 4 * width);
        this.neck.copy(at).addScaledVector(along, length - head);
        this.#place(this.shafts, at, along, width, length - head, color);
        this.#place(this.heads, this.neck, along, 2.4 * width, head, color);
    }

    mark(at, normal, mode, size) {
        this.#place(this.marks[mode] ?? this.marks[0], at, normal, size, size, modeOf(mode).color);
    }

    /** The cone of forces that friction can hold, around the normal. */
    cone(at, normal, friction, height, mode) {
        const copies = mode === 2 ? this.wires : this.cones;
        this.#place(copies, at, normal, friction * height, height, modeOf(mode).color);
    }
}

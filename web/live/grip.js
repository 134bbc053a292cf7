// SPDX-License-Identifier: MIT
// grip.js - bodies are pulled by the pointer: a spring from the grabbed point to it, in the plane that faces the eye.
import * as THREE from "three";

export class Grip {
    /** page: its scene, its runner. */
    constructor(view, page) {
        Object.assign(this, { view, page });
        const canvas = view.renderer.domElement;
        const ends = new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(), new THREE.Vector3()]);
        this.line = new THREE.Line(ends, new THREE.LineBasicMaterial({ color: 0xff9900, depthTest: false, fog: false }));
        this.line.frustumCulled = false;
        this.line.visible = false;
        this.line.renderOrder = 2;
        view.scene.add(this.line);
        canvas.addEventListener("pointerdown", (event) => this.#begin(event), { capture: true });
        canvas.addEventListener("pointermove", (event) => this.#move(event));
        for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, () => this.end());
    }

    /** Where a point of the world is in the axes of a body. */
    #localOf(subject, point) {
        const { poses, i } = this.page.record.poseAt(subject, this.view.frame);
        const turn = new THREE.Quaternion(poses.qx[i], poses.qy[i], poses.qz[i], poses.qw[i]);
        return point.clone().sub(new THREE.Vector3(poses.x[i], poses.y[i], poses.z[i])).applyQuaternion(turn.invert());
    }

    #begin(event) {
        if (event.button !== 0 || event.shiftKey) return;
        const hit = this.view.hitAt(event.offsetX, event.offsetY);
        const subject = hit && this.page.scene.subjects[hit.subject];
        if (!subject?.moves || this.page.player.frame < this.page.record.times.length - 1) return;
        this.body = subject.body;
        this.subject = hit.subject;
        this.local = this.#localOf(hit.subject, hit.point);
        this.plane = new THREE.Plane().setFromNormalAndCoplanarPoint(this.view.camera.getWorldDirection(new THREE.Vector3()), hit.point);
        this.view.controls.enabled = false;
        this.view.into.classList.add("pulling");
        event.target.setPointerCapture(event.pointerId);
    }

    #move(event) {
        if (!this.plane) return;
        const target = this.view.rayAt(event.offsetX, event.offsetY).ray.intersectPlane(this.plane, new THREE.Vector3());
        if (target) this.pullTo(target);
    }

    /** Pulls the grabbed point there, if the scene runs. */
    pullTo(target) {
        this.target = target;
        this.page.runner.ask("pull", { grip: { body: this.body, local: this.local.toArray(), target: target.toArray() } });
        this.show();
    }

    end() {
        if (!this.plane) return;
        this.plane = this.target = undefined;
        this.view.controls.enabled = true;
        this.view.into.classList.remove("pulling");
        this.page.runner.ask("pull", { grip: undefined });
        this.show();
    }

    /** Draws the spring. */
    show() {
        this.line.visible = Boolean(this.target);
        if (!this.target) return;
        const { poses, i } = this.page.record.poseAt(this.subject, this.view.frame);
        const turn = new THREE.Quaternion(poses.qx[i], poses.qy[i], poses.qz[i], poses.qw[i]);
        const at = this.local.clone().applyQuaternion(turn).add(new THREE.Vector3(poses.x[i], poses.y[i], poses.z[i]));
        this.line.geometry.setFromPoints([at, this.target]);
    }
}

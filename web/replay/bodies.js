// SPDX-License-Identifier: MIT
// bodies.js - the shapes of objects in the scene: those of one form are drawn at once.
import * as THREE from "three";
import { formOf, geometryOf, isDrawnAlone, isPlane, lookOf, sizeOf } from "./shapes.js";

const nowhere = new THREE.Matrix4().makeScale(0, 0, 0);

/** The pose of a shape in its object. */
function placeOf(shape) {
    const [w, x, y, z] = shape.orientation;
    const turn = new THREE.Quaternion(x, y, z, w);
    return new THREE.Matrix4().compose(new THREE.Vector3().fromArray(shape.position), turn, sizeOf(shape));
}

export class Bodies {
    /** far: m, the size at which an infinite plane is drawn; looks: as lookOf takes them. */
    constructor(scene, record, far, looks) {
        Object.assign(this, { record, far, looks, meshes: [], shapes: record.subjects.map(() => []) });
        this.rows = record.subjects.map(() => ({})); // one per subject: the parent that has its pose
        const forms = new Map();
        for (const shape of record.shapes) {
            const form = formOf(shape);
            if (!forms.has(form)) forms.set(form, []);
            forms.get(form).push(shape);
        }
        for (const shapes of forms.values()) scene.add(this.#mesh(shapes));
        this.pose = new THREE.Matrix4();
        this.matrix = new THREE.Matrix4();
        this.position = new THREE.Vector3();
        this.turn = new THREE.Quaternion();
        this.one = new THREE.Vector3(1, 1, 1);
    }

    remove() {
        for (const mesh of this.meshes) {
            mesh.removeFromParent();
            mesh.geometry.dispose();
            mesh.material.dispose();
            mesh.dispose?.();
        }
    }

    /** The instanced shapes of one form; a cloud of points cannot be instanced. */
    #mesh(shapes) {
        const geometry = geometryOf(shapes[0], this.far);
        const { material, colors } = lookOf(shapes, this.looks);
        const alone = isDrawnAlone(shapes[0]);
        const mesh = alone ? new THREE.Points(geometry, material) : new THREE.InstancedMesh(geometry, material, shapes.length);
        mesh.matrixAutoUpdate = mesh.frustumCulled = false;
        mesh.receiveShadow = !alone;
        mesh.castShadow = !alone && !isPlane(shapes[0]) && !material.transparent;
        mesh.userData.subjects = shapes.map(({ subject }) => subject);
        shapes.forEach((shape, index) => {
            if (!alone) mesh.setColorAt(index, colors[index]);
            this.shapes[shape.subject].push({ mesh, index, place: placeOf(shape) });
        });
        this.meshes.push(mesh);
        return mesh;
    }

    #put({ mesh, index }, matrix) {
        mesh.boundingSphere = null;
        if (mesh.isPoints) {
            mesh.matrix.copy(matrix);
            return;
        }
        mesh.setMatrixAt(index, matrix);
        mesh.instanceMatrix.needsUpdate = true;
    }

    #poseOf({ poses, i }) {
        this.position.set(poses.x[i], poses.y[i], poses.z[i]);
        this.turn.set(poses.qx[i], poses.qy[i], poses.qz[i], poses.qw[i]);
        return this.pose.compose(this.position, this.turn, this.one);
    }

    /** Moves the subjects whose pose has changed. */
    place(frame) {
        for (let subject = 0; subject < this.shapes.length; subject++) {
            if (this.shapes[subject].length === 0) continue;
            const at = this.record.poseAt(subject, frame);
            const row = this.rows[subject];
            if (row.poses === at?.poses && row.i === at?.i && row.placed) continue;
            this.rows[subject] = { poses: at?.poses, i: at?.i, placed: true };
            if (at) this.#poseOf(at);
            for (const shape of this.shapes[subject])
                this.#put(shape, at ? this.matrix.multiplyMatrices(this.pose, shape.place) : nowhere);
        }
    }

    /** The first subject that a ray hits, as {subject, distance}. */
    hit(ray) {
        for (const mesh of this.meshes) mesh.updateMatrixWorld(true);
        const first = ray.intersectObjects(this.meshes, false)[0];
        return first && { subject: first.object.userData.subjects[first.instanceId ?? 0], distance: first.distance, point: first.point };
    }

    /** The centre of a subject's shapes. */
    middleOf(subject) {
        return this.boxOf(subject).getCenter(new THREE.Vector3());
    }

    /** The box around a subject's shapes. */
    boxOf(subject) {
        const box = new THREE.Box3();
        const part = new THREE.Box3();
        for (const { mesh, index } of this.shapes[subject]) {
            if (!mesh.geometry.boundingBox) mesh.geometry.computeBoundingBox();
            if (mesh.isPoints) this.matrix.copy(mesh.matrix);
            else mesh.getMatrixAt(index, this.matrix);
            box.union(part.copy(mesh.geometry.boundingBox).applyMatrix4(this.matrix));
        }
        return box;
    }
}

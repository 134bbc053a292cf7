// SPDX-License-Identifier: MIT
// extent.js - what a recording shows: the region in which things move, and how strong its forces usually are.
import * as THREE from "three";
import { quantile } from "../shared/numbers.js";
import { isPlane } from "./shapes.js";

const SAMPLES = 20000; // of positions and forces, by which sizes are judged

/** Calls visit(table, row) for a sample of rows of a table over all chunks, about SAMPLES of them. */
function sample(record, name, visit) {
    const rows = record.chunks.reduce((sum, chunk) => sum + chunk[name].frame.length, 0);
    const stride = Math.ceil(rows / SAMPLES);
    let at = 0;
    for (const chunk of record.chunks) {
        for (; at < chunk[name].frame.length; at += stride) visit(chunk[name], at);
        at -= chunk[name].frame.length;
    }
}

/** For each subject the columns of its sampled positions. */
function pathsOf(record) {
    const paths = record.subjects.map(() => [[], [], []]);
    sample(record, "poses", ({ subject, x, y, z }, i) => [x, y, z].forEach((column, k) => paths[subject[i]][k].push(column[i])));
    return paths;
}

/** The box of a subject on its way; single frames in which it is far away do not count. */
function swept(bodies, subject, path) {
    const box = bodies.boxOf(subject);
    const low = new THREE.Vector3(...path.map((numbers) => quantile(numbers, 0.05) - numbers[0]));
    const high = new THREE.Vector3(...path.map((numbers) => quantile(numbers, 0.95) - numbers[0]));
    return box.union(box.clone().translate(low)).union(box.clone().translate(high));
}

/** The centre and size of the region of what moves; of all, if nothing does. Subjects may know whether they move. */
export function extentOf(record, bodies) {
    const grounds = new Set(record.shapes.filter(isPlane).map(({ subject }) => subject));
    const paths = pathsOf(record);
    const known = record.subjects.map((_, i) => i).filter((i) => bodies.shapes[i].length > 0 && !grounds.has(i) && paths[i][0].length > 0);
    const moves = (i) => record.subjects[i].moves ?? paths[i].some((numbers) => quantile(numbers, 0.95) - quantile(numbers, 0.05) > 1e-4);
    const moving = known.filter(moves);
    const box = new THREE.Box3();
    for (const i of moving.length > 0 ? moving : known) box.union(swept(bodies, i, paths[i]));
    if (box.isEmpty()) box.setFromCenterAndSize(new THREE.Vector3(), new THREE.Vector3(1, 1, 1));
    const size = Math.max(1e-3, box.getSize(new THREE.Vector3()).length());
    return { middle: box.getCenter(new THREE.Vector3()), size, low: box.min.z, moving };
}

export const sizeOfForce = (rows, i) => Math.hypot(rows.forceX[i], rows.forceY[i], rows.forceN[i]);

/** The force that 9 of 10 forces of all frames are below; 0: there are none. */
export function usualForce(record) {
    const forces = [];
    sample(record, "rows", (rows, i) => {
        const size = sizeOfForce(rows, i);
        if (size > 0) forces.push(size);
    });
    return quantile(forces, 0.9);
}

/** The round number, 1, 2 or 5 times a power of ten, that is at most this. */
export function roundBelow(number) {
    const power = 10 ** Math.floor(Math.log10(number));
    return [5, 2, 1].find((factor) => factor * power <= number * (1 + 1e-9)) * power;
}

// SPDX-License-Identifier: MIT
// shapes.js - the shapes of objects as geometries that can be drawn; the numbers are those of pcm_shape_kind.
import * as THREE from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";

/** About the z axis, where three.js has them about y. */
function upright(geometry) {
    return geometry.rotateX(Math.PI / 2);
}

function vectors({ points }) {
    return Array.from({ length: points.length / 3 }, (_, i) => new THREE.Vector3().fromArray(points, 3 * i));
}

function mesh(points, triangles) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(points, 3));
    geometry.setIndex(new THREE.BufferAttribute(triangles, 1));
    geometry.computeVertexNormals();
    return geometry;
}

/** Two triangles between four neighbours. */
function grid({ points, columns }) {
    const rows = points.length / 3 / columns;
    const triangles = [];
    for (let i = 0; i + 1 < rows; i++)
        for (let j = 0; j + 1 < columns; j++) {
            const at = i * columns + j;
            triangles.push(at, at + 1, at + columns, at + 1, at + columns + 1, at + columns);
        }
    return mesh(points, Uint32Array.from(triangles));
}

const geometries = [
    ({ dimensions: d }) => new THREE.SphereGeometry(d[0], 24, 16),
    ({ dimensions: d }) => upright(new THREE.CapsuleGeometry(d[0], d[1], 8, 20)),
    ({ dimensions: d }) => upright(new THREE.CylinderGeometry(d[0], d[0], d[1], 32)),
    ({ dimensions: d }) => new THREE.BoxGeometry(d[0], d[1], d[2]),
    ({ dimensions: d }) => new THREE.SphereGeometry(1, 24, 16).scale(d[0], d[1], d[2]),
    ({ dimensions: d }) => new THREE.CircleGeometry(d[0], 40),
    ({ dimensions: d }, far) => new THREE.PlaneGeometry(d[0] || far, d[1] || far),
    (shape) => new THREE.BufferGeometry().setFromPoints(vectors(shape)),
    (shape) => new ConvexGeometry(vectors(shape)),
    (shape) => mesh(shape.points, shape.triangles),
    grid,
];
const CLOUD = 7;
const PLANE = 6;

/** far: m, how large a plane without sides is to be. */
export function drawn(shape, far) {
    const geometry = geometries[shape.kind](shape, far);
    const given = shape.color.some((part) => part > 0);
    const [red, green, blue, opacity] = given ? shape.color : shape.kind === PLANE ? [0.82, 0.82, 0.8, 1] : [0.6, 0.65, 0.7, 1];
    const color = new THREE.Color().setRGB(red, green, blue, THREE.SRGBColorSpace);
    const look = { color, opacity, transparent: opacity < 1, side: THREE.DoubleSide };
    const object =
        shape.kind === CLOUD
            ? new THREE.Points(geometry, new THREE.PointsMaterial({ color, size: 4, sizeAttenuation: false }))
            : new THREE.Mesh(geometry, new THREE.MeshLambertMaterial(look));
    object.position.fromArray(shape.position);
    const [w, x, y, z] = shape.orientation;
    object.quaternion.set(x, y, z, w);
    return object;
}

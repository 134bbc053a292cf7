// SPDX-License-Identifier: MIT
// shapes.js - the shapes of objects as geometries and looks; the numbers are those of pcm_shape_kind.
import * as THREE from "three";
import { ConvexGeometry } from "three/addons/geometries/ConvexGeometry.js";
import { bodyMaterial, groundMaterial, quietColor } from "./materials.js";

/** About the z axis; three.js has them about y. */
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

/** Two triangles between four neighbouring points. */
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

const SPHERE = 0;
const CAPSULE = 1;
const CYLINDER = 2;
const BOX = 3;
const ELLIPSOID = 4;
const DISK = 5;
const PLANE = 6;
const CLOUD = 7;

/** Scaled shapes have size 1. */
const geometries = [
    () => new THREE.SphereGeometry(1, 24, 16),
    ({ dimensions: d }) => upright(new THREE.CapsuleGeometry(d[0], d[1], 6, 16)),
    () => upright(new THREE.CylinderGeometry(1, 1, 1, 32)),
    () => new THREE.BoxGeometry(1, 1, 1),
    () => new THREE.SphereGeometry(1, 24, 16),
    () => new THREE.CircleGeometry(1, 40),
    ({ dimensions: d }, far) => new THREE.PlaneGeometry(d[0] || far, d[1] || far),
    (shape) => new THREE.BufferGeometry().setFromPoints(vectors(shape)),
    (shape) => new ConvexGeometry(vectors(shape)),
    (shape) => mesh(shape.points, shape.triangles),
    grid,
];

/** far: m, the size at which an infinite plane is drawn. */
export function geometryOf(shape, far) {
    return geometries[shape.kind](shape, far);
}

/** The scale of the geometry. */
export function sizeOf({ kind, dimensions: d }) {
    if (kind === SPHERE) return new THREE.Vector3(d[0], d[0], d[0]);
    if (kind === CYLINDER) return new THREE.Vector3(d[0], d[0], d[1]);
    if (kind === DISK) return new THREE.Vector3(d[0], d[0], 1);
    return kind === BOX || kind === ELLIPSOID ? new THREE.Vector3(...d) : new THREE.Vector3(1, 1, 1);
}

let forms = 0;

/** Shapes of one form share a geometry and, except for their colours, a material. */
export function formOf(shape) {
    const opacity = opacityOf(shape);
    const own = shape.kind > DISK ? `${forms++}` : shape.kind === CAPSULE ? shape.dimensions.join() : "";
    return `${shape.kind} ${opacity} ${own}`;
}

export function isPlane({ kind }) {
    return kind === PLANE;
}

export function isDrawnAlone({ kind }) {
    return kind === CLOUD;
}

/** All zero: the scene gives none. */
const hasColor = ({ color }) => color.some((part) => part > 0);

const opacityOf = (shape) => (hasColor(shape) ? shape.color[3] : 1);

/** A ground keeps to the page's own colour where the scene gives none. */
function colorOf(shape, looks) {
    if (!hasColor(shape)) return isPlane(shape) ? looks.ground.clone() : quietColor(looks.number(shape.subject));
    const [red, green, blue] = shape.color;
    return new THREE.Color().setRGB(red, green, blue, THREE.SRGBColorSpace);
}

/** The shared material of shapes of one form, and the colour of each. looks: {ground: its colour, number(subject): which of
 * the quiet colours a subject has, spacing: of the grid, as a uniform}. */
export function lookOf(shapes, looks) {
    const colors = shapes.map((shape) => colorOf(shape, looks));
    const [first] = shapes;
    if (first.kind === CLOUD) return { material: new THREE.PointsMaterial({ color: colors[0], size: 4, sizeAttenuation: false }), colors };
    const opacity = opacityOf(first);
    return { material: isPlane(first) ? groundMaterial(opacity, looks.spacing) : bodyMaterial(opacity), colors };
}

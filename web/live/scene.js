// SPDX-License-Identifier: MIT
// scene.js - what a page shows of a scene: subjects with shapes, cameras, keyframes; numbers are those of a recorded run.
import { GEOM, textAt } from "./model.js";

const HIDDEN_GROUP = 3; // MuJoCo's viewer hides geoms of the groups from here on
const SHAPE = { SPHERE: 0, CAPSULE: 1, CYLINDER: 2, BOX: 3, ELLIPSOID: 4, PLANE: 6, MESH: 9, GRID: 10 };

/** All zero: the page chooses, as the scene says nothing. */
function colorOf(model, geom) {
    const own = model.geom_rgba.subarray(4 * geom, 4 * geom + 4);
    const material = model.geom_matid[geom];
    const isPlain = own[0] === 0.5 && own[1] === 0.5 && own[2] === 0.5 && own[3] === 1;
    if (isPlain && material < 0) return [0, 0, 0, 0];
    return Array.from(isPlain ? model.mat_rgba.subarray(4 * material, 4 * material + 4) : own);
}

/** As the recorder of native runs decides it. */
function isDrawn(model, geom) {
    const chosenByPage = model.geom_matid[geom] < 0 && model.geom_rgba[4 * geom + 3] > 0;
    return model.geom_group[geom] < HIDDEN_GROUP && (colorOf(model, geom)[3] > 0 || chosenByPage);
}

function meshOf(model, mesh) {
    const [from, count] = [model.mesh_vertadr[mesh], model.mesh_vertnum[mesh]];
    const [first, faces] = [model.mesh_faceadr[mesh], model.mesh_facenum[mesh]];
    return {
        kind: SHAPE.MESH,
        points: model.mesh_vert.slice(3 * from, 3 * (from + count)),
        triangles: Uint32Array.from(model.mesh_face.subarray(3 * first, 3 * (first + faces))),
    };
}

function fieldOf(model, field) {
    const [rows, columns, at] = [model.hfield_nrow[field], model.hfield_ncol[field], model.hfield_adr[field]];
    const [x, y, z] = model.hfield_size.subarray(4 * field, 4 * field + 3);
    const points = new Float32Array(3 * rows * columns);
    for (let i = 0; i < rows; i++)
        for (let j = 0; j < columns; j++)
            points.set([x * ((2 * j) / (columns - 1) - 1), y * ((2 * i) / (rows - 1) - 1), z * model.hfield_data[at + i * columns + j]], 3 * (i * columns + j));
    return { kind: SHAPE.GRID, points, columns };
}

function formOf(model, geom) {
    const [x, y, z] = model.geom_size.subarray(3 * geom, 3 * geom + 3);
    const data = model.geom_dataid[geom];
    switch (model.geom_type[geom]) {
        case GEOM.PLANE:
            return { kind: SHAPE.PLANE, dimensions: [2 * x, 2 * y, 0] };
        case GEOM.SPHERE:
            return { kind: SHAPE.SPHERE, dimensions: [x, 0, 0] };
        case GEOM.CAPSULE:
            return { kind: SHAPE.CAPSULE, dimensions: [x, 2 * y, 0] };
        case GEOM.CYLINDER:
            return { kind: SHAPE.CYLINDER, dimensions: [x, 2 * y, 0] };
        case GEOM.BOX:
            return { kind: SHAPE.BOX, dimensions: [2 * x, 2 * y, 2 * z] };
        case GEOM.ELLIPSOID:
            return { kind: SHAPE.ELLIPSOID, dimensions: [x, y, z] };
        case GEOM.HFIELD:
            return fieldOf(model, data);
        default:
            return data < 0 ? undefined : meshOf(model, data);
    }
}

/** A shape in the axes of its body. */
function shapeOf(model, geom, subject) {
    const form = formOf(model, geom);
    return (
        form && {
            subject,
            position: Array.from(model.geom_pos.subarray(3 * geom, 3 * geom + 3)),
            orientation: Array.from(model.geom_quat.subarray(4 * geom, 4 * geom + 4)),
            dimensions: [0, 0, 0],
            color: colorOf(model, geom),
            columns: 0,
            points: new Float32Array(0),
            triangles: new Uint32Array(0),
            ...form,
        }
    );
}

/** Whether the geom only collides, and its body has others to look at. */
function isHidden(model, geom) {
    const first = model.body_geomadr[model.geom_bodyid[geom]];
    const count = model.body_geomnum[model.geom_bodyid[geom]];
    const looks = Array.from({ length: count }, (_, i) => isDrawn(model, first + i)).some(Boolean);
    return looks && !isDrawn(model, geom);
}

function camerasOf({ model, data }) {
    return Array.from({ length: model.ncam }, (_, i) => {
        const eye = Array.from(data.cam_xpos.subarray(3 * i, 3 * i + 3));
        const axes = data.cam_xmat.subarray(9 * i, 9 * i + 9);
        return {
            name: model.nameOf("cam", i) || "camera",
            eye,
            target: eye.map((part, k) => part - model.stat.extent * axes[3 * k + 2]),
            angle: (model.cam_fovy[i] * Math.PI) / 180,
        };
    });
}

/** The scene's own words: a custom text `description`; "": none. */
function describedBy(model) {
    for (let i = 0; i < model.ntext; i++) if (model.nameOf("text", i) === "description") return textAt(model.text_data, model.text_adr[i]);
    return "";
}

/** The subjects are the objects of rules in their order, then other geoms that are seen. Poses are those of their bodies. */
export function sceneOf(simulation) {
    const { model, objects } = simulation;
    const subjects = objects.map(({ names, surface, body }) => ({ name: names[1], surface, isObject: true, body }));
    const shapes = [];
    const numbers = new Map(objects.map(({ geom }, i) => [geom, i]));
    const geoms = new Int32Array(model.ngeom).fill(-1);
    for (let geom = 0; geom < model.ngeom; geom++) {
        let subject = numbers.get(geom);
        if (subject === undefined) {
            if (!isDrawn(model, geom)) continue;
            const body = model.geom_bodyid[geom];
            subject = subjects.length;
            subjects.push({ name: model.nameOf("geom", geom) || model.nameOf("body", body), surface: "", isObject: false, body });
        }
        geoms[geom] = subject;
        const shape = !isHidden(model, geom) && shapeOf(model, geom, subject);
        if (shape) shapes.push(shape);
    }
    return {
        title: textAt(model.names, 0),
        description: describedBy(model),
        subjects,
        shapes,
        geoms,
        cameras: camerasOf(simulation),
        keys: Array.from({ length: model.nkey }, (_, i) => model.nameOf("key", i) || `keyframe ${i}`),
        bodies: Array.from({ length: model.nbody }, (_, i) => ({ name: model.nameOf("body", i), fixed: model.body_weldid[i] === 0 })),
        actuators: Array.from({ length: simulation.controls ? 0 : model.nu }, (_, i) => ({
            name: model.nameOf("actuator", i) || `actuator${i}`,
            limited: Boolean(model.actuator_ctrllimited[i]),
            range: Array.from(model.actuator_ctrlrange.subarray(2 * i, 2 * i + 2)),
        })),
        timestep: simulation.timestep,
        notes: simulation.notes,
    };
}

// SPDX-License-Identifier: MIT
// model.js - a MuJoCo model as libpcm uses it: objects with names, surfaces and shapes, and the pairs that can collide.
// What a rule calls an object, and which pairs MuJoCo's filters let through, is as in the native host (hosts/mujoco/scene).

export const GEOM = { PLANE: 0, HFIELD: 1, SPHERE: 2, CAPSULE: 3, ELLIPSOID: 4, CYLINDER: 5, BOX: 6, MESH: 7 };
const typeNames = ["plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"];
const FILTER_PARENT = 1 << 10; // mjDSBL_FILTERPARENT
const NO_CONSTRAINT = 1 | (1 << 4); // mjDSBL_CONSTRAINT, mjDSBL_CONTACT

/** Kinds of pcm_geometry_kind. */
const SHAPE = { HULL: 0, SPHERE: 1, CAPSULE: 2, BOX: 3, CYLINDER: 4, GRID: 6, PLANE: 7, POINT: 8 };

/** The text that ends with a zero. */
export function textAt(bytes, at) {
    return new TextDecoder().decode(Uint8Array.from(bytes.subarray(at, bytes.indexOf(0, at))));
}

/** The model's arrays, which the bindings look up at each access. */
export class Model {
    constructor(mujoco, handle) {
        this.mujoco = mujoco;
        this.handle = handle;
        return new Proxy(this, {
            deleteProperty: (model, name) => delete model[name],
            get(model, name) {
                if (name in model) return model[name];
                const found = handle[name];
                if (typeof found !== "object") return found;
                return (model[name] = found);
            },
        });
    }

    /** Looks arrays up again: they are lost where the memory has grown. */
    forget() {
        for (const [name, value] of Object.entries(this)) if (ArrayBuffer.isView(value)) delete this[name];
    }

    /** The name of an element of a kind, as in the names of the model's addresses: body, geom, site, cam, mat, key,
     * actuator; "" for none. mj_id2name of the bindings returns text that is freed already. */
    nameOf(kind, id) {
        return id < 0 ? "" : textAt(this.handle.names, this.handle[`name_${kind}adr`][id]);
    }
}

function isIdle(model, geom) {
    const inPair = [...model.pair_geom1, ...model.pair_geom2].includes(geom);
    return !model.geom_contype[geom] && !model.geom_conaffinity[geom] && !inPair;
}

/** A mocap body is a child of the world like a fixed one, but the user moves it. */
function isFixed(model, body) {
    return model.body_weldid[body] === 0 && model.body_mocapid[model.body_rootid[body]] < 0;
}

/** Names, the object's own first, then what messages call it, then its aliases. */
function namesOf(model, geom, body) {
    const own = model.nameOf("geom", geom);
    if (own) return [own, own];
    const known = model.nameOf("body", body);
    const whose = known || `body${body}`;
    const place = geom - model.body_geomadr[body] + 1;
    const aliases = [`${whose}.${place}`, `${whose}:${typeNames[model.geom_type[geom]] ?? "sdf"}`, `${whose}:group${model.geom_group[geom]}`];
    const base = known || `geom ${geom}`;
    return [base, model.body_geomnum[body] > 1 ? aliases[0] : base, ...aliases];
}

function radiusOf(model, geom) {
    const isRound = [GEOM.SPHERE, GEOM.CAPSULE, GEOM.CYLINDER].includes(model.geom_type[geom]);
    return isRound ? model.geom_size[3 * geom] : 0;
}

function turned([w, x, y, z], [a, b, c]) {
    const [u, v, t] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
    return [a + w * u + y * t - z * v, b + w * v + z * u - x * t, c + w * t + x * v - y * u];
}

/** The axes of a mesh's file, in those that MuJoCo gives it. */
function ownOf(model, geom) {
    if (model.geom_type[geom] !== GEOM.MESH) return [0, 0, 0, 1, 0, 0, 0];
    const mesh = model.geom_dataid[geom];
    const [w, x, y, z] = model.mesh_quat.subarray(4 * mesh, 4 * mesh + 4);
    const back = [w, -x, -y, -z];
    return [...turned(back, model.mesh_pos.subarray(3 * mesh, 3 * mesh + 3)).map((part) => -part), ...back];
}

function objectOf(model, geom, site, body, names, material) {
    return {
        geom,
        site,
        body,
        names,
        surface: model.nameOf("mat", material),
        fixed: isFixed(model, body),
        said: false,
        radius: geom < 0 ? 0 : radiusOf(model, geom),
        mass: model.body_mass[body],
        yields: model.body_invweight0[2 * body],
        own: geom < 0 ? [0, 0, 0, 1, 0, 0, 0] : ownOf(model, geom),
    };
}

/** Surfaces and radii of the scene's custom elements. fits(object, pattern): whether one of its names matches. */
function readCustom(model, objects, fits) {
    for (let i = 0; i < model.ntext; i++) {
        const pattern = /^pcm:surface:(.*)/.exec(model.nameOf("text", i))?.[1];
        const surface = textAt(model.text_data, model.text_adr[i]);
        if (pattern) for (const object of objects) if (fits(object, pattern)) object.surface = surface;
    }
    for (let i = 0; i < model.nnumeric; i++) {
        const pattern = /^pcm:radius:(.*)/.exec(model.nameOf("numeric", i))?.[1];
        const radius = model.numeric_data[model.numeric_adr[i]];
        if (!pattern || !(radius >= 0)) continue;
        for (const object of objects) if (fits(object, pattern)) Object.assign(object, { radius, said: true });
    }
}

/** '*' matches any characters and '?' one; a pattern matches aliases only if it has a '.' or ':' itself. */
function fits({ names: [base, , ...aliases] }, pattern) {
    const expression = pattern.replace(/[.+^${}()|[\]\\]/g, "\\$&").replace(/\*/g, ".*").replace(/\?/g, ".");
    const isWild = /[*?]/.test(pattern);
    const known = isWild && !/[.:]/.test(pattern) ? [base] : [base, ...aliases];
    return known.some((name) => new RegExp(`^${expression}$`, "su").test(name));
}

/** The geoms that can collide, then the sites with a name. */
export function objectsOf(model) {
    const objects = [];
    for (let geom = 0; geom < model.ngeom; geom++) {
        const body = model.geom_bodyid[geom];
        if (!isIdle(model, geom)) objects.push(objectOf(model, geom, -1, body, namesOf(model, geom, body), model.geom_matid[geom]));
    }
    for (let site = 0; site < model.nsite; site++) {
        const name = model.nameOf("site", site);
        if (name) objects.push(objectOf(model, -1, site, model.site_bodyid[site], [name, name], model.site_matid[site]));
    }
    readCustom(model, objects, fits);
    return objects;
}

/* ---- Pairs ------------------------------------------------------------------------------------------------------- */

/** Bodies that never collide: welded to each other, parent and child, or excluded. */
function filtered(model, bodyA, bodyB) {
    const [a, b] = [model.body_weldid[bodyA], model.body_weldid[bodyB]];
    const parent = (weld) => model.body_weldid[model.body_parentid[weld]];
    const related = !(model.opt.disableflags & FILTER_PARENT) && a && b && (a === parent(b) || b === parent(a));
    const excluded = model.exclude_signature.includes((Math.min(bodyA, bodyB) << 16) + Math.max(bodyA, bodyB));
    return a === b || related || excluded;
}

/** Pairs of objects {a, b, apart}; apart: their bodies never collide, so that no contact comes. A plane is first. */
export function pairsOf(model, objects) {
    const pairs = [];
    if (model.opt.disableflags & NO_CONSTRAINT) return pairs;
    const listed = new Set(Array.from(model.pair_geom1, (geom, i) => `${Math.min(geom, model.pair_geom2[i])} ${Math.max(geom, model.pair_geom2[i])}`));
    const meets = (a, b) => {
        if (b.site >= 0) return a.geom >= 0 && model.geom_type[a.geom] === GEOM.PLANE && model.body_weldid[a.body] !== model.body_weldid[b.body];
        const bits = (x, y) => model.geom_contype[x.geom] & model.geom_conaffinity[y.geom];
        return Boolean(bits(a, b) || bits(b, a));
    };
    for (let i = 0; i < objects.length; i++)
        for (let k = i + 1; k < objects.length; k++) {
            const [a, b] = [objects[i], objects[k]];
            const written = a.geom >= 0 && b.geom >= 0 && listed.has(`${a.geom} ${b.geom}`);
            if (!written && !meets(a, b)) continue;
            const apart = !written && b.site < 0 && filtered(model, a.body, b.body);
            const inOrder = b.site >= 0 || model.geom_type[a.geom] <= model.geom_type[b.geom];
            pairs.push(inOrder ? { a: i, b: k, apart } : { a: k, b: i, apart });
        }
    return pairs;
}

/* ---- Shapes ------------------------------------------------------------------------------------------------------ */

/** The corners of the triangles of a mesh's convex hull, counter-clockwise from outside, as MuJoCo made it. */
function hullOf(model, mesh) {
    const at = model.mesh_graphadr[mesh];
    if (at < 0) return undefined;
    const [vertices, faces] = model.mesh_graph.subarray(at, at + 2);
    const first = at + 2 + 3 * vertices + 3 * faces;
    const place = (i) => model.mesh_vert.subarray(3 * (model.mesh_vertadr[mesh] + i), 3 * (model.mesh_vertadr[mesh] + i) + 3);
    return Array.from(model.mesh_graph.subarray(first, first + 3 * faces)).flatMap((i) => Array.from(place(i)));
}

const lines = (half, count) => Array.from({ length: count }, (_, i) => half * ((2 * i) / (count - 1) - 1));

/** A field of heights as the grid that the native host makes of it: x along its rows, y against its columns. */
function gridOf(model, field) {
    const [rows, columns, at] = [model.hfield_nrow[field], model.hfield_ncol[field], model.hfield_adr[field]];
    const size = model.hfield_size.subarray(4 * field, 4 * field + 4);
    const heights = [];
    for (let i = 0; i < rows; i++)
        for (let j = 0; j < columns; j++) heights.push(size[2] * model.hfield_data[at + i * columns + columns - 1 - j]);
    return { dimensions: [rows, columns, 0], numbers: [...lines(size[1], rows), ...lines(size[0], columns), ...heights] };
}

/** The shape of an object for libpcm-geometry, as {kind, dimensions, numbers}; undefined: it has none. */
export function shapeOf(model, { geom }) {
    if (geom < 0) return { kind: SHAPE.POINT, dimensions: [0, 0, 0] };
    const [x, y, z] = model.geom_size.subarray(3 * geom, 3 * geom + 3);
    const mesh = model.geom_dataid[geom];
    switch (model.geom_type[geom]) {
        case GEOM.PLANE:
            return { kind: SHAPE.PLANE, dimensions: [0, 0, 0] };
        case GEOM.SPHERE:
            return { kind: SHAPE.SPHERE, dimensions: [x, 0, 0] };
        case GEOM.CAPSULE:
            return { kind: SHAPE.CAPSULE, dimensions: [x, 2 * y, 0] };
        case GEOM.CYLINDER:
            return { kind: SHAPE.CYLINDER, dimensions: [x, 2 * y, 0] };
        case GEOM.BOX:
            return { kind: SHAPE.BOX, dimensions: [2 * x, 2 * y, 2 * z] };
        case GEOM.HFIELD:
            return { kind: SHAPE.GRID, ...gridOf(model, mesh) };
        case GEOM.MESH: {
            const numbers = hullOf(model, mesh);
            return numbers && { kind: SHAPE.HULL, dimensions: [numbers.length / 9, 0, 0], numbers };
        }
        default:
            return undefined;
    }
}

/* ---- Native contacts --------------------------------------------------------------------------------------------- */

/** Masks by which MuJoCo lets exactly those geoms collide that `natives` names, pairs of geoms with their bits; bodies that
 * it filters anyway do not matter. Geoms with the same partners share a bit. Undefined: more than 32 bits are needed. */
export function masksOf(count, natives) {
    const partners = Array.from({ length: count }, () => new Set());
    for (const [a, b] of natives) {
        partners[a].add(b);
        partners[b].add(a);
    }
    const groups = [];
    const isLike = (geom, { members: [first], inner }) => {
        const within = partners[first].has(geom);
        if (inner !== undefined && inner !== within) return false;
        const others = (own, other) => [...partners[own]].filter((partner) => partner !== other).sort().join();
        return others(geom, first) === others(first, geom);
    };
    for (let geom = 0; geom < count; geom++) {
        if (partners[geom].size === 0) continue;
        const group = groups.find((each) => isLike(geom, each));
        if (group) {
            group.inner = partners[geom].has(group.members[0]);
            group.members.push(geom);
        } else groups.push({ members: [geom], inner: undefined });
    }
    if (groups.length > 32) return undefined;
    const contype = new Int32Array(count);
    const conaffinity = new Int32Array(count);
    groups.forEach(({ members, inner }, bit) => {
        for (const geom of members) contype[geom] = 1 << bit;
        for (const geom of partners[members[0]]) conaffinity[geom] |= 1 << bit;
        for (const geom of members) conaffinity[geom] = inner ? conaffinity[geom] | (1 << bit) : conaffinity[geom] & ~(1 << bit);
    });
    return { contype, conaffinity };
}

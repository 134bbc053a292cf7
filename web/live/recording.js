// SPDX-License-Identifier: MIT
// recording.js - frames of a running scene as a record, as the page of a recorded run reads one: a chunk for each frame.
import { NONE } from "../shared/modes.js";
import { Record } from "../replay/record.js";
import { CONTACT, EVENT } from "./world.js";

const MOST = 6000; // frames; then the older half is forgotten
const quantities = [
    { name: "potential", unit: "J" },
    { name: "kinetic", unit: "J" },
    { name: "stored in contacts", unit: "J" },
    { name: "dissipated in contacts", unit: "J" },
    { name: "residue of contacts", unit: "J" },
];

const column = (rows, width, k) => Float64Array.from({ length: rows.length / width }, (_, i) => rows[i * width + k]);
const list = (first, entries) => ({ first, entries });

/** A type as records have it, from what libpcm says of it. */
function typeOf(type, file, base) {
    const [model] = type.model;
    const docs = new Map(model.parameters.map((param) => [param.name, param.doc]));
    const written = (value) => (typeof value === "object" && value ? value.join(", ") : String(value ?? ""));
    return {
        name: type.name,
        law: type.law,
        summary: model.summary,
        equations: model.equations ?? "",
        file: type.file === base ? file : type.file,
        line: type.line,
        materials: ["", ""],
        friction: type.friction ?? NaN,
        values: type.values.map((value) => ({
            name: value.name,
            text: written(value.value),
            unit: value.unit === "1" ? "" : value.unit,
            doc: docs.get(value.name) ?? "",
            origin: value.mixed ? 2 : Number(value.written),
            file: value.file === base ? file : (value.file ?? ""),
            line: value.line ?? 0,
        })),
    };
}

const structureOf = ({ types, rules }) =>
    JSON.stringify([types.map(({ name, law }) => [name, law]), rules.map(({ kind, a, b, type }) => [kind, a, b, type])]);

/** The columns x, y, n about a normal, as worlds choose them; as a quaternion. */
function turnAbout(n) {
    let x;
    let length = 0;
    for (let axis = 0; axis < 2 && length < 1e-3; axis++) {
        x = n.map((part, k) => (k === axis) - n[axis] * part);
        length = Math.hypot(...x);
    }
    x = x.map((part) => part / length);
    const y = [0, 1, 2].map((k) => n[(k + 1) % 3] * x[(k + 2) % 3] - n[(k + 2) % 3] * x[(k + 1) % 3]);
    const trace = [x[0] + y[1] + n[2], x[0] - y[1] - n[2], y[1] - x[0] - n[2], n[2] - x[0] - y[1]];
    const most = trace.indexOf(Math.max(...trace));
    const products = [
        [1 + trace[0], y[2] - n[1], n[0] - x[2], x[1] - y[0]],
        [y[2] - n[1], 1 + trace[1], y[0] + x[1], n[0] + x[2]],
        [n[0] - x[2], y[0] + x[1], 1 + trace[2], n[1] + y[2]],
        [x[1] - y[0], n[0] + x[2], n[1] + y[2], 1 + trace[3]],
    ][most];
    const size = Math.hypot(...products) * (products[0] < 0 ? -1 : 1);
    return { axes: [x, y, n], turn: products.map((part) => part / size) };
}

export class Recording {
    /** scene: as scene.js describes it. */
    constructor(scene, version) {
        this.scene = scene;
        this.version = version;
        this.rules = { first: 0, types: [], rules: [], sources: [] };
        this.restart();
    }

    /** A new record without frames, under the present rules. */
    restart() {
        this.world = (this.world ?? -1) + 1;
        this.record = new Record();
        this.kept = [];
        this.#announce();
    }

    #said(more = {}) {
        const none = list(0, []);
        const empty = { titles: none, sources: none, types: none, rules: none, subjects: none, shapes: none, cameras: none, quantities: none };
        return { ...empty, times: [], contacts: [], events: [], ...more };
    }

    #announce() {
        const { title, subjects, shapes, cameras } = this.scene;
        const { types, rules, sources } = this.rules;
        this.offset = { type: 0, rule: 0 };
        this.record.take(
            this.#said({
                titles: list(0, [{ title, version: this.version }]),
                subjects: list(0, subjects),
                shapes: list(0, shapes),
                cameras: list(0, cameras),
                quantities: list(0, quantities),
                types: list(0, types),
                rules: list(0, rules),
                sources: list(0, sources),
            }),
        );
    }

    /** The rules of a text that was read. Where only numbers have changed, the contacts before are of the same rules. */
    follow(read, name, text, files) {
        const structure = structureOf(read);
        const isNew = structure !== this.structure;
        const { record } = this;
        this.structure = structure;
        if (isNew && record.times.length > 0) {
            this.world++; // contacts begin again where a law or a rule is another one
            this.offset = { type: record.types.length, rule: record.rules.length };
        }
        const version = this.offset.rule || this.offset.type ? ` (${record.sources.length})` : "";
        const file = `${name}${version}`;
        const types = read.types.map((type) => typeOf(type, file, name));
        const rules = read.rules.map((rule) => ({ ...rule, type: rule.type + this.offset.type, file: rule.file === name ? file : rule.file }));
        const sources = [{ name: file, text }, ...Object.entries(files).map(([path, words]) => ({ name: path, text: words }))];
        this.rules = { types, rules: read.rules.map((rule) => ({ ...rule })), sources };
        const at = isNew && version ? record.sources.length : 0;
        record.take(this.#said({ types: list(this.offset.type, types), rules: list(this.offset.rule, rules), sources: list(at, sources) }));
    }

    /** Takes a frame of the worker, with the events before it. */
    take(frame, events) {
        if (this.kept.length >= MOST) this.#forget();
        const chunk = this.#said({ times: [frame.time], ...this.#contacts(frame, events), poses: this.#poses(frame), values: this.#values(frame) });
        this.kept.push(chunk);
        this.record.take(chunk);
    }

    #forget() {
        const kept = this.kept.slice(MOST / 2);
        const { types, rules, sources } = this.record;
        const { offset } = this;
        this.record = new Record();
        this.#announce();
        this.offset = offset;
        this.record.take(this.#said({ types: list(0, types), rules: list(0, rules), sources: list(0, sources) }));
        for (const chunk of kept) this.record.take(chunk);
        this.kept = kept;
    }

    #idOf(id) {
        return this.world * 2 ** 32 + id;
    }

    /** Contacts, rows and events as a chunk has them. */
    #contacts({ contacts: rows, natives }, events) {
        const { offset } = this;
        const known = new Map();
        const contacts = [];
        const number = (contact) => {
            const key = contact.id || `${contact.a}/${contact.b}/${contact.feature}`;
            if (!known.has(key)) known.set(key, contacts.push(contact) - 1);
            return known.get(key);
        };
        const count = rows.length / CONTACT;
        const own = Array.from({ length: count }, (_, i) => {
            const [id, feature, a, b, rule, type, friction] = rows.subarray(i * CONTACT, i * CONTACT + 7);
            return number({ id: this.#idOf(id), feature, a, b, rule: rule + offset.rule, type: type + offset.type, friction });
        });
        const others = natives.map((native) => this.#native(native));
        const all = (k, of) => Float64Array.from([...column(rows, CONTACT, k), ...others.map(of)]);
        const table = {
            contact: Int32Array.from([...own, ...others.map(({ contact }) => number(contact))]),
            frame: new Int32Array(count + others.length),
            mode: all(7, ({ mode }) => mode),
        };
        ["x", "y", "z"].forEach((name, k) => (table[name] = all(8 + k, ({ point }) => point[k])));
        ["qw", "qx", "qy", "qz"].forEach((name, k) => (table[name] = all(11 + k, ({ turn }) => turn[k])));
        ["forceX", "forceY", "forceN"].forEach((name, k) => (table[name] = all(15 + k, ({ force }) => force[k])));
        ["momentX", "momentY", "momentN"].forEach((name, k) => (table[name] = all(18 + k, () => 0)));
        table.depth = all(21, ({ depth }) => depth);
        ["slipX", "slipY"].forEach((name, k) => (table[name] = all(22 + k, () => NaN)));
        ["energy", "work", "dissipated"].forEach((name, k) => (table[name] = all(24 + k, () => 0)));
        return { events: this.#events(events, number), contacts, rows: sorted(table) };
    }

    #native({ geoms, feature, depth, friction, point, frame, force: [normal, x, y] }) {
        const [a, b] = geoms.map((geom) => this.scene.geoms[geom]);
        const contact = { id: 0, feature, a, b, rule: NONE, type: NONE, friction };
        const { axes, turn } = turnAbout(frame.slice(0, 3));
        const world = [0, 1, 2].map((k) => normal * frame[k] + x * frame[3 + k] + y * frame[6 + k]);
        const force = axes.map((axis) => axis.reduce((sum, part, k) => sum + part * world[k], 0));
        const mode = normal <= 0 ? 0 : Math.hypot(x, y) >= 0.999 * friction * normal ? 2 : 1;
        return { contact, depth, point, turn, force, mode };
    }

    #events(events, number) {
        return Array.from({ length: events.length / EVENT }, (_, i) => {
            const [change, time, id, feature, a, b, rule, before, mode] = events.slice(i * EVENT, i * EVENT + EVENT);
            const contact = { id: this.#idOf(id), feature, a, b, rule: rule + this.offset.rule, type: NONE, friction: NaN };
            return { change, time, rule: contact.rule, contact: number(contact), before, mode };
        });
    }

    #poses({ poses }) {
        const { subjects } = this.scene;
        const table = { subject: Int32Array.from(subjects, (_, i) => i), frame: new Int32Array(subjects.length) };
        ["x", "y", "z", "qw", "qx", "qy", "qz"].forEach((name, k) => (table[name] = Float64Array.from(subjects, ({ body }) => poses[7 * body + k])));
        return table;
    }

    #values({ energies }) {
        const frame = new Int32Array(quantities.length);
        return { quantity: Int32Array.from(quantities, (_, i) => i), frame, number: Float64Array.from(quantities, (_, i) => energies[i]) };
    }
}

/** A table in the order of its column of contacts. */
function sorted(table) {
    const order = Array.from(table.contact.keys()).sort((i, k) => table.contact[i] - table.contact[k]);
    return Object.fromEntries(Object.entries(table).map(([name, values]) => [name, values.map((_, i) => values[order[i]])]));
}

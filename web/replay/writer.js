// SPDX-License-Identifier: MIT
// writer.js - a record as the page of a recorded run, in the format that docs/replay.md describes.
import { checksum } from "./chunks.js";
import { NONE } from "../shared/modes.js";

const VERSION = 2;
const FRAMES = 256; // of a chunk
const STEPS = 65536; // of a binade
const INFINITE = 255 * STEPS;

class Bytes {
    #parts = [];

    u32(value) {
        this.#parts.push(new Uint8Array(Uint32Array.of(value).buffer));
    }

    f32(...values) {
        this.#parts.push(new Uint8Array(Float32Array.from(values).buffer));
    }

    f64(value) {
        this.#parts.push(new Uint8Array(Float64Array.of(value).buffer));
    }

    text(words) {
        const bytes = new TextEncoder().encode(words);
        this.u32(bytes.length);
        this.#parts.push(bytes);
    }

    raw(bytes) {
        this.#parts.push(bytes);
    }

    blob() {
        return new Blob(this.#parts);
    }
}

/** A number as steps of its binade; below 2 to `linear` their size is constant. */
function stepOf(number, linear) {
    if (Number.isNaN(number)) return INFINITE + 1;
    const size = Math.abs(number);
    const sign = number < 0 ? -1 : 1;
    if (size === Infinity) return sign * INFINITE;
    const binade = size < 2 ** linear ? 0 : Math.floor(Math.log2(size)) - linear + 1;
    const unit = 2 ** (linear - 16 + Math.max(0, binade - 1));
    return sign * (Math.max(0, binade - 1) * STEPS + Math.round(size / unit));
}

const columnOf = (rows, of, linear) => Int32Array.from(rows, (row) => stepOf(of(row), linear));

/** The four columns of unit quaternions {qw, qx, qy, qz}, of which the scalar is told by its distance from the root of the
 * rest. */
function turnColumns(rows, of) {
    const columns = Array.from({ length: 4 }, () => new Int32Array(rows.length));
    rows.forEach((row, i) => {
        const [w, ...others] = of(row);
        const parts = others.map((part) => stepOf(w < 0 ? -part : part, 0));
        const rest = STEPS * STEPS - parts.reduce((sum, part) => sum + part * part, 0);
        columns[0][i] = stepOf(Math.abs(w), 0) - (rest > 0 ? Math.floor(Math.sqrt(rest)) : 0);
        parts.forEach((part, k) => (columns[k + 1][i] = part));
    });
    return columns;
}

const folded = (number) => (number >= 0 ? 2 * number : -2 * number - 1) >>> 0;
const bitsOf = (words) => words.reduce((sum, word) => sum + 32 - Math.clz32(word), 0);

function putColumn(to, column) {
    const plain = Uint32Array.from(column, folded);
    const rising = Uint32Array.from(column, (number, i) => folded((number - (i ? column[i - 1] : 0)) | 0));
    const isRising = bitsOf(rising) < bitsOf(plain);
    const words = isRising ? rising : plain;
    const bytes = new Uint8Array(1 + 4 * words.length);
    bytes[0] = Number(isRising);
    words.forEach((word, i) => {
        for (let plane = 0; plane < 4; plane++) bytes[1 + plane * words.length + i] = word >>> (24 - 8 * plane);
    });
    to.raw(bytes);
}

function putTable(to, rows, columns) {
    to.u32(rows.length);
    if (rows.length > 0) columns.forEach((column) => putColumn(to, column));
}

function putList(to, first, entries, put) {
    to.u32(first);
    to.u32(entries.length);
    entries.forEach((entry) => put(entry));
}

/* ---- What is said once ------------------------------------------------------------------------------------------- */

function putType(to, type) {
    for (const words of [type.name, type.law, type.summary, type.equations, type.file]) to.text(words);
    to.u32(type.line);
    type.materials.forEach((material) => to.text(material));
    to.f32(type.friction);
    to.u32(type.values.length);
    for (const value of type.values) {
        for (const words of [value.name, value.text, value.unit, value.doc]) to.text(words);
        to.u32(value.origin);
        to.text(value.file);
        to.u32(value.line);
    }
}

function putRule(to, rule) {
    to.u32(rule.kind);
    to.text(rule.a);
    to.text(rule.b);
    to.u32(rule.type);
    to.text(rule.file);
    to.u32(rule.line);
}

function putShape(to, shape) {
    to.u32(shape.subject);
    to.u32(shape.kind);
    to.f32(...shape.position, ...shape.orientation, ...shape.dimensions, ...shape.color);
    to.u32(shape.columns);
    to.u32(shape.points.length / 3);
    to.raw(new Uint8Array(Float32Array.from(shape.points).buffer));
    to.u32(shape.triangles.length / 3);
    to.raw(new Uint8Array(Uint32Array.from(shape.triangles).buffer));
}

/** The nine lists; of what the first chunk says the others say nothing. */
function putLists(to, record, times) {
    const lists = [
        [record.titles, ({ title, version }) => [title, version].forEach((words) => to.text(words))],
        [record.sources, ({ name, text }) => [name, text].forEach((words) => to.text(words))],
        [record.types, (type) => putType(to, type)],
        [record.rules, (rule) => putRule(to, rule)],
        [record.subjects, ({ name, surface, isObject }) => (to.text(name), to.text(surface), to.u32(Number(isObject)))],
        [record.shapes, (shape) => putShape(to, shape)],
        [record.cameras, ({ name, eye, target, angle }) => (to.text(name), to.f32(...eye, ...target, angle))],
        [record.quantities, ({ name, unit }) => (to.text(name), to.text(unit))],
    ];
    to.u32(VERSION);
    for (const [entries, put] of lists) putList(to, times ? entries.length : 0, times ? [] : entries, put);
    putList(to, 0, times ?? [], (time) => to.f64(time));
}

/* ---- Frames ------------------------------------------------------------------------------------------------------ */

const low = (number) => number % 2 ** 32 | 0;
const high = (number) => Math.floor(number / 2 ** 32) | 0;
const byFirst = (a, b) => a.contact - b.contact || a.frame - b.frame;

function rowsOf(record, first, count) {
    const rows = [];
    const numbers = new Map();
    const numberOf = (contact) => {
        if (!numbers.has(contact)) numbers.set(contact, numbers.size);
        return numbers.get(contact);
    };
    for (let frame = 0; frame < count; frame++)
        record.eachContact(first + frame, (contact, columns, i) => rows.push({ contact: numberOf(contact), frame, columns, i }));
    return { rows: rows.sort(byFirst), contacts: [...numbers.keys()] };
}

function putContacts(to, contacts) {
    const integers = (of) => Int32Array.from(contacts, of);
    putTable(to, contacts, [
        integers((_, i) => i),
        integers(({ id }) => low(id)),
        integers(({ id }) => high(id)),
        integers(({ feature }) => low(feature)),
        integers(({ feature }) => high(feature)),
        integers(({ a }) => a),
        integers(({ b }) => b),
        integers(({ rule }) => rule | 0),
        integers(({ type }) => type | 0),
        columnOf(contacts, ({ type, friction }) => (type === NONE ? friction : NaN), -126),
    ]);
}

function putRows(to, rows) {
    const number = (name, linear = -126) => columnOf(rows, ({ columns, i }) => columns[name][i], linear);
    putTable(to, rows, [
        Int32Array.from(rows, ({ contact }) => contact),
        Int32Array.from(rows, ({ frame }) => frame),
        Int32Array.from(rows, ({ columns, i }) => columns.mode[i]),
        ...["x", "y", "z"].map((name) => number(name, -4)),
        ...turnColumns(rows, ({ columns: c, i }) => [c.qw[i], c.qx[i], c.qy[i], c.qz[i]]),
        ...["forceX", "forceY", "forceN", "momentX", "momentY", "momentN", "depth", "slipX", "slipY", "energy", "work", "dissipated"].map((name) => number(name)),
    ]);
}

function putEvents(to, events, contacts) {
    const view = new DataView(new ArrayBuffer(8));
    const halves = events.map(({ time }) => {
        view.setFloat64(0, time);
        return [view.getInt32(0), view.getInt32(4)];
    });
    putTable(to, events, [
        Int32Array.from(events, ({ change }) => change),
        Int32Array.from(halves, ([upper]) => upper),
        Int32Array.from(halves, ([, lower]) => lower),
        Int32Array.from(events, ({ held }) => contacts.indexOf(held)),
        Int32Array.from(events, ({ before }) => before),
        Int32Array.from(events, ({ mode }) => mode),
    ]);
}

/** A pose is written where it has changed. */
function putPoses(to, record, first, count) {
    const rows = [];
    const names = ["x", "y", "z", "qw", "qx", "qy", "qz"];
    for (let subject = 0; subject < record.subjects.length; subject++) {
        let before;
        for (let frame = 0; frame < count; frame++) {
            const at = record.poseAt(subject, first + frame);
            const pose = at && names.map((name) => at.poses[name][at.i]);
            if (pose && String(pose) !== String(before)) rows.push({ subject, frame, pose });
            before = pose;
        }
    }
    putTable(to, rows, [
        Int32Array.from(rows, ({ subject }) => subject),
        Int32Array.from(rows, ({ frame }) => frame),
        ...[0, 1, 2].map((k) => columnOf(rows, ({ pose }) => pose[k], -4)),
        ...turnColumns(rows, ({ pose }) => pose.slice(3)),
    ]);
}

function putValues(to, record, first, count) {
    const rows = record.quantities.flatMap((_, quantity) => {
        const values = record.quantity(quantity);
        return Array.from({ length: count }, (_each, frame) => ({ quantity, frame, value: values[first + frame] }));
    });
    putTable(to, rows, [
        Int32Array.from(rows, ({ quantity }) => quantity),
        Int32Array.from(rows, ({ frame }) => frame),
        columnOf(rows, ({ value }) => value, -126),
    ]);
}

function chunkOf(record, first, count, events) {
    const to = new Bytes();
    putLists(to, record, record.times.slice(first, first + count));
    const { rows, contacts } = rowsOf(record, first, count);
    for (const { held } of events) if (!contacts.includes(held)) contacts.push(held);
    putContacts(to, contacts);
    putEvents(to, events, contacts);
    putPoses(to, record, first, count);
    putRows(to, rows);
    putValues(to, record, first, count);
    return to;
}

function firstChunk(record) {
    const to = new Bytes();
    putLists(to, record);
    for (let table = 0; table < 5; table++) to.u32(0);
    return to;
}

/* ---- The page ---------------------------------------------------------------------------------------------------- */

/** Bytes as characters of 7 bits; those that HTML would take for something else stand 128 higher. */
function textOf(bytes) {
    const signs = [];
    let word = 0;
    let bits = 0;
    const put = (sign) => signs.push(sign === 0 || sign === 13 || sign === 60 ? sign + 128 : sign);
    for (const byte of bytes) {
        word = ((word << 8) | byte) & 0x7fff;
        bits += 8;
        while (bits >= 7) {
            bits -= 7;
            put((word >> bits) & 127);
        }
    }
    if (bits > 0) put((word << (7 - bits)) & 127);
    return signs.reduce((text, sign, i) => (i % 4096 ? text : text + String.fromCharCode(...signs.slice(i, i + 4096))), "");
}

async function elementOf(chunk) {
    const packed = chunk.blob().stream().pipeThrough(new CompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    const crc = checksum(bytes).toString(16).padStart(8, "0");
    return `<script type="application/x-pcm" data-length="${bytes.length}" data-crc="${crc}">${textOf(bytes)}</script>\n`;
}

/** The page of the record; viewer: its code. */
export async function replayOf(viewer, record) {
    const parts = [viewer, await elementOf(firstChunk(record))];
    let from = 0;
    for (let first = 0; first < record.times.length; first += FRAMES) {
        const count = Math.min(FRAMES, record.times.length - first);
        const end = record.times[first + count - 1];
        const to = record.events.findIndex(({ time }, i) => i >= from && time > end);
        const events = record.events.slice(from, to < 0 ? undefined : to);
        from += events.length;
        parts.push(await elementOf(chunkOf(record, first, count, events)));
    }
    return parts.join("");
}

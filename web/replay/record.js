// SPDX-License-Identifier: MIT
// record.js - the recording in memory: what was said once, and what changes from frame to frame.
import { NONE, ruleKinds } from "../shared/modes.js";

/** m; a contact that lives on without touching has a depth below minus this. */
export const FAR = -1e8;

const kept = ["titles", "sources", "types", "rules", "subjects", "shapes", "cameras", "quantities"];

/** For each number below `count`, where its rows start in a sorted column; one more entry at the end. */
function startsOf(column, count) {
    const starts = new Uint32Array(count + 1);
    for (const number of column) starts[number + 1]++;
    for (let i = 0; i < count; i++) starts[i + 1] += starts[i];
    return starts;
}

/** The rows of a column, grouped by number: rows of number i are order[starts[i]] to order[starts[i + 1] - 1]. */
function sortedBy(column, count) {
    const starts = startsOf(column, count);
    const next = starts.slice();
    const order = new Uint32Array(column.length);
    column.forEach((number, row) => (order[next[number]++] = row));
    return { starts, order };
}

/** The last index in [from, to) of a rising column whose value is not above the number; from - 1 if there is none. */
function lastNotAfter(column, from, to, number) {
    let low = from;
    let high = to;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (column[middle] <= number) low = middle + 1;
        else high = middle;
    }
    return low - 1;
}

export class Record {
    constructor() {
        for (const name of kept) this[name] = [];
        this.chunks = [];
        this.contacts = []; // of all chunks, each once
        this.byKey = new Map();
        this.events = [];
        this.times = [];
    }

    /** Whether the chunk has frames. */
    take(chunk) {
        for (const name of kept) chunk[name].entries.forEach((entry, i) => (this[name][chunk[name].first + i] = entry));
        const own = chunk.contacts.map((contact) => this.#contact(contact));
        for (const event of chunk.events) this.events.push({ ...event, held: own[event.contact] });
        if (chunk.times.length === 0) return false;
        const count = chunk.times.length;
        const starts = startsOf(chunk.rows.contact, own.length);
        const held = {
            first: this.times.length,
            count,
            rows: chunk.rows,
            poses: chunk.poses,
            values: chunk.values,
            own,
            byFrame: sortedBy(chunk.rows.frame, count),
            poseStarts: startsOf(chunk.poses.subject, this.subjects.length),
            valueStarts: startsOf(chunk.values.quantity, this.quantities.length),
        };
        own.forEach((contact, i) => contact.parts.push({ chunk: held, from: starts[i], to: starts[i + 1] }));
        this.chunks.push(held);
        for (const time of chunk.times) this.times.push(time);
        return true;
    }

    #contact(said) {
        const key = said.id ? `${said.id}` : `${said.a}/${said.b}/${said.feature}`;
        let contact = this.byKey.get(key);
        if (!contact) {
            contact = { ...said, number: this.contacts.length, parts: [] };
            this.byKey.set(key, contact);
            this.contacts.push(contact);
        }
        if (contact.type === NONE) contact.type = said.type; // an event does not store it
        return contact;
    }

    /* ---- Names ---- */

    name(subject) {
        return this.subjects[subject]?.name ?? "?";
    }

    pairName(contact) {
        return `${this.name(contact.a)} \u00b7 ${this.name(contact.b)}`;
    }

    ruleText(index) {
        const rule = this.rules[index];
        if (!rule) return "no rule: the simulator's own";
        const sides = rule.kind === 2 ? "" : ` ${rule.a} * ${rule.b}`;
        return `${ruleKinds[rule.kind]}${sides} -> ${this.types[rule.type]?.name}`;
    }

    typeOf(contact) {
        return contact.type === NONE ? undefined : this.types[contact.type];
    }

    frictionOf(contact) {
        return contact.type === NONE || Number.isFinite(contact.friction) ? contact.friction : this.types[contact.type].friction;
    }

    /* ---- Frames ---- */

    chunkAt(frame) {
        const { chunks, last } = this;
        if (last && frame >= last.first && frame < last.first + last.count) return last;
        let low = 0;
        for (let high = chunks.length - 1; low < high; ) {
            const middle = (low + high) >> 1;
            if (frame < chunks[middle].first + chunks[middle].count) high = middle;
            else low = middle + 1;
        }
        this.last = chunks[low];
        return this.last;
    }

    frameAt(time) {
        let low = 0;
        let high = this.times.length - 1;
        while (low < high) {
            const middle = (low + high + 1) >> 1;
            if (this.times[middle] <= time) low = middle;
            else high = middle - 1;
        }
        return low;
    }

    /** Calls visit(contact, rows, i) for each contact of a frame; rows.forceN[i] and the like are its numbers. */
    eachContact(frame, visit) {
        const chunk = this.chunkAt(frame);
        const { starts, order } = chunk.byFrame;
        const local = frame - chunk.first;
        for (let k = starts[local]; k < starts[local + 1]; k++)
            visit(chunk.own[chunk.rows.contact[order[k]]], chunk.rows, order[k]);
    }

    /** Calls visit(rows, i, frame) for each frame of a contact. */
    eachFrame(contact, visit) {
        for (const { chunk, from, to } of contact.parts)
            for (let i = from; i < to; i++) visit(chunk.rows, i, chunk.first + chunk.rows.frame[i]);
    }

    /** The number of contacts in a frame. */
    contactCount(frame) {
        const { first, byFrame } = this.chunkAt(frame);
        return byFrame.starts[frame - first + 1] - byFrame.starts[frame - first];
    }

    /** The row of a contact in a frame, as {rows, i}; undefined if it is not in it. */
    rowAt(contact, frame) {
        const chunk = this.chunkAt(frame);
        const part = contact.parts.find((one) => one.chunk === chunk);
        const i = part ? lastNotAfter(chunk.rows.frame, part.from, part.to, frame - chunk.first) : -1;
        return part && i >= part.from && chunk.rows.frame[i] === frame - chunk.first ? { rows: chunk.rows, i } : undefined;
    }

    /** The row of poses that applies to a subject in a frame, as {poses, i}; undefined if there is none. */
    poseAt(subject, frame) {
        const chunk = this.chunkAt(frame);
        const { poses, poseStarts } = chunk;
        if (!(subject + 1 < poseStarts.length)) return undefined;
        const i = lastNotAfter(poses.frame, poseStarts[subject], poseStarts[subject + 1], frame - chunk.first);
        return i >= poseStarts[subject] && !Number.isNaN(poses.x[i]) ? { poses, i } : undefined;
    }

    /** A quantity over all frames; NaN if it was not recorded. */
    quantity(index) {
        const numbers = new Float64Array(this.times.length).fill(NaN);
        for (const { first, values, valueStarts } of this.chunks)
            for (let i = valueStarts[index]; i < valueStarts[index + 1]; i++)
                numbers[first + values.frame[i]] = values.number[i];
        return numbers;
    }
}

/** The columns x, y, n of a contact frame, in world axes. */
export function frameOf(rows, i) {
    const [w, x, y, z] = [rows.qw[i], rows.qx[i], rows.qy[i], rows.qz[i]];
    return [
        [1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)],
        [2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)],
        [2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)],
    ];
}

/** The force on the follower in world axes. */
export function worldForce(rows, i) {
    const axes = frameOf(rows, i);
    const force = [rows.forceX[i], rows.forceY[i], rows.forceN[i]];
    return [0, 1, 2].map((k) => axes[0][k] * force[0] + axes[1][k] * force[1] + axes[2][k] * force[2]);
}

export function tangential(rows, i) {
    return Math.hypot(rows.forceX[i], rows.forceY[i]);
}

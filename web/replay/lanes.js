// SPDX-License-Identifier: MIT
// lanes.js - a lane over time for each pair of objects: when it touched, and in which mode.
import { element } from "../shared/elements.js";
import { modes } from "../shared/modes.js";

const MOST = 200; // lanes shown at once
const WIDTH = 800;
const HEIGHT = 12;
const rank = [1, 3, 4, 2]; // of each mode: a pair slips if one of its contacts does, else it sticks or touches

/** The modes of a pair of objects over time, as ranks; 0: no contact. */
function addContact(record, lane, contact) {
    lane.contacts.push(contact);
    contact.lane = lane;
    record.eachFrame(contact, (rows, i, frame) => {
        lane.modes[frame] = Math.max(lane.modes[frame], rank[rows.mode[i]] ?? rank[0]);
        const force = Math.hypot(rows.forceX[i], rows.forceY[i], rows.forceN[i]);
        if (Number.isFinite(force)) lane.impulse += force * (record.times[frame] - (record.times[frame - 1] ?? 0));
    });
}

function lanesOf(record) {
    const lanes = new Map();
    for (const contact of record.contacts) {
        if (contact.parts.every(({ from, to }) => from === to)) continue; // between two frames
        const key = `${contact.a}/${contact.b}`;
        if (!lanes.has(key))
            lanes.set(key, { contacts: [], impulse: 0, modes: new Uint8Array(record.times.length), name: record.pairName(contact) });
        addContact(record, lanes.get(key), contact);
    }
    return [...lanes.values()].sort((a, b) => b.impulse - a.impulse);
}

/** Stripes of a colour, as a fill pattern. */
function stripes(color) {
    const tile = element("canvas", { width: 4, height: 4 }).getContext("2d");
    tile.fillStyle = color;
    for (let x = 0; x < 4; x++) for (const y of [x, x + 1]) tile.fillRect(x, y % 4, 1, 1);
    return tile.createPattern(tile.canvas, "repeat");
}

const fills = modes.map(({ color }, mode) => (mode === 2 ? stripes(color) : color));

/** Sticking is a full bar, touching one of half the height, slipping a striped one, apart a line. */
function paint(canvas, lane) {
    const context = canvas.getContext("2d");
    const frames = lane.modes.length;
    for (let from = 0, to; from < frames; from = to) {
        for (to = from + 1; to < frames && lane.modes[to] === lane.modes[from]; ) to++;
        const mode = rank.indexOf(lane.modes[from]);
        if (mode < 0) continue;
        const x = (from * WIDTH) / frames;
        const width = Math.max(1, ((to - from) * WIDTH) / frames);
        context.fillStyle = fills[mode];
        if (mode === 0) context.fillRect(x, HEIGHT / 2, width, 1);
        else if (mode === 3) context.fillRect(x, HEIGHT / 4, width, HEIGHT / 2);
        else context.fillRect(x, 1, width, HEIGHT - 2);
    }
}

export class Lanes {
    /** A click calls choose(contact) and at(frame). */
    constructor(into, record, choose, at) {
        Object.assign(this, { choose, at, elements: new Map() });
        this.filter = element("input", { type: "search", placeholder: "filter by object, law or rule", id: "filter", "aria-label": "filter of lanes" });
        this.list = element("div", { className: "lanes" });
        this.more = element("p", { className: "note" });
        this.mark = element("div", { className: "mark" });
        this.filter.addEventListener("input", () => this.#fill());
        into.append(this.filter, this.list, this.more);
        this.read(record);
    }

    /** Takes the lanes of a record, again if it has grown. */
    read(record) {
        this.record = record;
        this.lanes = lanesOf(record);
        for (const lane of this.lanes) this.#prepare(lane);
        this.chosen = this.lanes.find(({ name }) => name === this.chosen?.name);
        this.filter.hidden = this.lanes.length < 6 && !this.filter.value;
        this.#fill();
    }

    #prepare(lane) {
        const words = lane.contacts.slice(0, 1).map((contact) => {
            const type = this.record.typeOf(contact);
            return `${this.record.ruleText(contact.rule)} ${type?.law ?? ""}`;
        });
        lane.words = `${lane.name} ${words}`.toLowerCase();
    }

    /** The element of a pair is made once; it shows the lane that was read last. */
    #element(lane) {
        const canvas = element("canvas", { width: WIDTH, height: HEIGHT });
        const label = element("span", { className: "label", title: lane.name }, lane.name);
        const made = element("button", { type: "button", className: "lane", "data-pair": lane.name }, label, canvas);
        canvas.addEventListener("click", (event) => this.at(Math.floor((event.offsetX / canvas.clientWidth) * this.record.times.length)));
        made.addEventListener("click", () => this.choose(this.#contactNow(made.lane)));
        return { made, canvas };
    }

    #draw(lane) {
        if (!this.elements.has(lane.name)) this.elements.set(lane.name, this.#element(lane));
        const { made, canvas } = this.elements.get(lane.name);
        if (made.lane !== lane) {
            made.lane = lane;
            canvas.getContext("2d").clearRect(0, 0, WIDTH, HEIGHT);
            paint(canvas, lane);
        }
        made.classList.toggle("chosen", lane === this.chosen);
        return made;
    }

    /** The strongest contact of the pair at that time, or else the nearest in time. */
    #contactNow(lane) {
        let chosen;
        let most = -1;
        this.record.eachContact(this.frame, (contact, rows, i) => {
            const force = Math.hypot(rows.forceX[i], rows.forceY[i], rows.forceN[i]);
            if (contact.lane === lane && force > most) [chosen, most] = [contact, force];
        });
        return chosen ?? this.#nearest(lane);
    }

    #nearest(lane) {
        const far = (contact) => {
            let least = Infinity;
            this.record.eachFrame(contact, (rows, i, frame) => (least = Math.min(least, Math.abs(frame - this.frame))));
            return least;
        };
        return lane.contacts.map((contact) => [far(contact), contact]).sort((a, b) => a[0] - b[0])[0][1];
    }

    #fill() {
        const wanted = this.filter.value.toLowerCase();
        const found = this.lanes.filter((lane) => lane.words.includes(wanted));
        const shown = found.slice(0, MOST);
        const wantedNow = [this.mark, ...shown.map((lane) => this.#draw(lane))];
        if (wantedNow.some((child, i) => this.list.children[i] !== child) || this.list.children.length !== wantedNow.length)
            this.list.replaceChildren(...wantedNow);
        this.more.textContent =
            this.lanes.length === 0
                ? "No contact yet."
                : found.length > MOST
                  ? `${found.length - MOST} more pairs touched: filter to see them.`
                  : "";
    }

    /** Shows only the lanes whose names contain a text. */
    filterBy(text) {
        this.filter.value = text;
        this.filter.hidden = false;
        this.#fill();
    }

    show(frame, chosen) {
        this.frame = frame;
        this.list.style.setProperty("--at", frame / Math.max(1, this.record.times.length - 1));
        if (chosen?.lane?.name === this.chosen?.name) return;
        this.elements.get(this.chosen?.name)?.made.classList.remove("chosen");
        this.chosen = chosen?.lane;
        this.elements.get(this.chosen?.name)?.made.classList.add("chosen");
    }
}

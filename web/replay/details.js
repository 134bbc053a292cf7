// SPDX-License-Identifier: MIT
// details.js - what is known of a contact, of its law and of its rule.
import { element, table } from "../shared/elements.js";
import { text, withUnit } from "../shared/numbers.js";
import { plot } from "../shared/plot.js";
import { modeOf } from "../shared/modes.js";
import { FAR, tangential, worldForce } from "./record.js";

const AROUND = 4; // lines before and after the marked one
const origins = ["default", "written", "of materials"];

/** Some lines of a file, the relevant one marked. */
export function sourceLines(record, { file, line }) {
    const source = record.sources.find(({ name }) => name === file);
    if (!source) return element("p", { className: "note" }, `${file}:${line}`);
    const lines = source.text.split("\n");
    const first = Math.max(1, line - AROUND);
    const shown = lines.slice(first - 1, line + AROUND).map((words, i) =>
        element("span", { className: first + i === line ? "marked" : "", "data-line": first + i }, `${first + i}  ${words}\n`),
    );
    return element("figure", {}, element("figcaption", {}, `${file}:${line}`), element("pre", { className: "source" }, ...shown));
}

function valueRow(value) {
    const origin = value.origin === 1 ? `line ${value.line}` : origins[value.origin];
    const name = element("td", { title: value.doc }, value.name);
    const number = Number(value.text);
    const shown = value.text === "" || Number.isNaN(number) ? value.text : withUnit(number, value.unit, 6);
    return element("tr", { className: origins[value.origin] }, name, element("td", {}, shown), element("td", {}, origin));
}

export function typeDetails(record, type) {
    if (!type) return [element("p", {}, "The simulator's own contact: no law of a .pcm file.")];
    return [
        element("h3", { id: "law" }, `${type.name}: ${type.law}`),
        element("p", {}, type.summary, ...(type.materials[0] ? [` Between ${type.materials[0]} and ${type.materials[1]}.`] : [])),
        element("pre", { className: "equations" }, type.equations),
        table(["parameter", "value", "from"], type.values.map(valueRow), { id: "values" }),
    ];
}

/** The numbers of a contact in a frame; undefined if it is not in it. */
function numbersAt(record, contact, frame) {
    const found = record.rowAt(contact, frame);
    if (!found) return undefined;
    const { rows, i } = found;
    const friction = record.frictionOf(contact);
    return {
        mode: modeOf(rows.mode[i]).name,
        "normal force": [rows.forceN[i], "N"],
        "tangential force": [tangential(rows, i), "N"],
        "friction \u00d7 normal": [friction * rows.forceN[i], "N"],
        depth: rows.depth[i] > FAR ? [rows.depth[i], "m"] : "not touched",
        slip: [Math.hypot(rows.slipX[i], rows.slipY[i]), "m/s"],
        "energy stored": [rows.energy[i], "J"],
        "energy dissipated": [rows.dissipated[i], "J"],
        "force x": [rows.forceX[i], "N"],
        "force y": [rows.forceY[i], "N"],
    };
}

/** Series of a contact over all its frames, with gaps where it is missing. */
function seriesOf(record, contact) {
    const times = [];
    const columns = { normal: [], tangential: [], limit: [], depth: [], slip: [], energy: [] };
    const friction = record.frictionOf(contact);
    let last;
    record.eachFrame(contact, (rows, i, frame) => {
        if (last !== undefined && frame > last + 1) {
            times.push(record.times[last + 1]);
            for (const column of Object.values(columns)) column.push(NaN);
        }
        last = frame;
        times.push(record.times[frame]);
        columns.normal.push(rows.forceN[i]);
        columns.tangential.push(tangential(rows, i));
        columns.limit.push(friction * rows.forceN[i]);
        columns.depth.push(rows.depth[i] > FAR ? rows.depth[i] : NaN);
        columns.slip.push(Math.hypot(rows.slipX[i], rows.slipY[i]));
        columns.energy.push(rows.energy[i]);
    });
    return { times, columns };
}

export class Details {
    /** Calls seek(time) when the user clicks in a plot. */
    constructor(into, record, seek) {
        Object.assign(this, { into, record, seek, marks: [] });
        this.now = element("div", { id: "now" });
    }

    choose(contact) {
        this.contact = contact;
        const { record } = this;
        const rule = record.rules[contact.rule];
        const plots = element("div", { className: "plots" });
        this.into.replaceChildren(
            element("h2", { id: "pair" }, record.pairName(contact)),
            element("p", { id: "rule" }, record.ruleText(contact.rule)),
            ...(rule ? [sourceLines(record, rule)] : []),
            this.now,
            plots,
            ...typeDetails(record, record.typeOf(contact)),
        );
        this.#plot(plots);
    }

    /** Shows nothing of a contact. */
    forget() {
        this.contact = undefined;
        this.marks = [];
        this.into.replaceChildren(element("p", { className: "note" }, "Choose a contact, an object, a lane or a rule."));
    }

    chooseRule(index) {
        this.contact = undefined;
        this.marks = [];
        const rule = this.record.rules[index];
        this.into.replaceChildren(
            element("h2", { id: "rule" }, this.record.ruleText(index)),
            sourceLines(this.record, rule),
            ...typeDetails(this.record, this.record.types[rule.type]),
        );
    }

    #plot(into) {
        const { times, columns } = seriesOf(this.record, this.contact);
        const line = (label, values) => ({ label, values });
        const limit = columns.limit.some(Number.isFinite) ? [line("friction \u00d7 normal", columns.limit)] : [];
        const draw = (title, unit, ...series) => plot(into, title, unit, times, series, this.seek);
        this.marks = [
            draw("force", "N", line("normal", columns.normal), line("tangential", columns.tangential), ...limit),
            draw("depth", "m", line("depth", columns.depth)),
            draw("slip", "m/s", line("slip", columns.slip)),
        ];
        if (columns.energy.some((energy) => energy !== 0)) this.marks.push(draw("energy stored", "J", line("energy", columns.energy)));
    }

    show(frame) {
        for (const mark of this.marks) mark(this.record.times[frame]);
        if (!this.contact) return;
        const numbers = numbersAt(this.record, this.contact, frame);
        const cell = (name, value) => element("td", { "data-name": name }, value);
        const row = ([name, value]) =>
            element("tr", {}, element("td", {}, name), cell(name, Array.isArray(value) ? withUnit(...value, 7) : value));
        this.now.replaceChildren(
            numbers
                ? table(["now", ""], Object.entries(numbers).map(row), { className: "numbers" })
                : element("p", { className: "note" }, "This contact is not there now."),
        );
    }
}

/** All contacts of a frame in a table, with the sum of their forces. */
export function showSums(into, record, frame) {
    const MOST = 100;
    const sum = [0, 0, 0];
    const rows = [];
    record.eachContact(frame, (contact, columns, i) => {
        const force = worldForce(columns, i);
        force.forEach((part, k) => (sum[k] += part));
        if (rows.length < MOST)
            rows.push([record.pairName(contact), modeOf(columns.mode[i]).name, ...force.map((part) => text(part, 5))]);
    });
    const total = element("tr", { id: "sum" }, ...["sum", "", ...sum.map((part) => text(part, 7))].map((cell) => element("td", {}, cell)));
    into.replaceChildren(table(["pair", "mode", "force x [N]", "y", "z"], [...rows, total]));
}

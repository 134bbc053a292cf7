// SPDX-License-Identifier: MIT
// main.js - the explorer: a text, sliders, and the curves that follow, each moving the others.
import { element, find, table } from "../shared/elements.js";
import { text as number } from "../shared/numbers.js";
import { Marks } from "./marks.js";
import { Pictures } from "./pictures.js";
import { Choice, Slider, Words } from "./sliders.js";
import { applyFixes, span, withValue } from "./text.js";

const limit = 5000; // ms: the time that a law has for all curves
const data = JSON.parse(find("data").textContent);
const first = { depth: 0, gap: data.gap ?? 0, force: 10, rate: 0.1, slip: 0.1, way: 1e-3, time: 0.1, mass: 1, speed: 0.5, cycles: 2 };
const motions = [
    { name: "depth", unit: "m", doc: "how deep it is pressed; 0: as deep as the force below needs", min: 0 },
    { name: "gap", unit: "m", doc: "how far apart it begins; 0: as far as it pulls", min: 0 },
    { name: "force", unit: "N", doc: "the load that a depth is chosen for, and for what follows from it", min: 0 },
    { name: "rate", unit: "m/s", doc: "of pressing and leaving", min: 0 },
    { name: "slip", unit: "m/s", doc: "the fastest slip", min: 0 },
    { name: "way", unit: "m", doc: "how far it is rubbed", min: 0 },
    { name: "time", unit: "s", doc: "of a cycle, of sliding, of the fall", min: 0, open_min: true },
    { name: "mass", unit: "kg", doc: "that falls", min: 0, open_min: true },
    { name: "speed", unit: "m/s", doc: "at which it arrives", min: 0 },
    { name: "cycles", unit: "", doc: "of pressing and rubbing", min: 1, max: 5, integer: true },
];

const bytesOf = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
const setting = { name: data.name, text: data.text, type: data.type, between: [], motion: { ...first }, given: {}, axes: {} };
let pinned = null;
let drawn; // the last answer with curves
let worker;
let timer;
let addressing; // delay before the address is written
let asked = 0;
let askedAt; // ms
let resting; // until the curves out of sight are drawn
let busy = false;
let again = false;
let wish; // of a slider, until the text has been read
let good; // the last text without errors, as it was read: {text, read}
let asking; // the text that is being read
let slid; // the text that a slider made last: one that is rejected does not stop the next move

/* ---- The address ------------------------------------------------------------------------------------------------- */

function readAddress() {
    if (location.hash.length < 2) return;
    try {
        const held = JSON.parse(new TextDecoder().decode(bytesOf(decodeURIComponent(location.hash.slice(1)))));
        Object.assign(setting, held.setting);
        pinned = held.pinned ?? null;
    } catch {
        say("the address of this page holds no setting that could be read");
    }
}

/** Delayed: browsers accept only a few new addresses a second. */
function keepAddress() {
    delete document.body.dataset.addressed;
    addressing ??= setTimeout(() => {
        addressing = null;
        const bytes = new TextEncoder().encode(JSON.stringify({ setting, pinned }));
        history.replaceState(null, "", `#${encodeURIComponent(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")))}`);
        document.body.dataset.addressed = document.body.dataset.drawn;
    }, 400);
}

/* ---- The worker -------------------------------------------------------------------------------------------------- */

/** Runs the call once the laws are loaded. */
function startWorker(then) {
    const source = new Blob([find("worker").textContent], { type: "text/javascript" });
    worker = new Worker(URL.createObjectURL(source));
    worker.onmessage = ({ data: answer }) => {
        if (answer.kind === "drawn") return received(answer);
        busy = false;
        then();
    };
    worker.onerror = (event) => failed(event.message);
    busy = true;
    worker.postMessage({
        kind: "start",
        program: find("program").textContent.trim(),
        laws: data.laws,
        files: Object.fromEntries(Object.entries(data.files).map(([path, text]) => [path, new TextEncoder().encode(text)])),
    });
}

/** Curves out of sight are drawn after a pause in the requests. */
function ask() {
    again = busy;
    if (busy) return;
    clearTimeout(resting);
    asked++;
    document.body.dataset.asked = asked;
    asking = setting.text;
    askedAt = performance.now();
    post(false, pictures.inSight()[0]);
}

function post(rest, kinds) {
    busy = true;
    clearTimeout(timer);
    timer = setTimeout(() => failed(`the law did not return within ${limit / 1000} s`), limit * (pinned ? 2 : 1));
    worker.postMessage({ kind: "draw", id: asked, rest, kinds, setting, pinned });
}

/** Ends the worker; its last drawing stays, greyed. The next worker gets the request made in the meantime. */
function failed(message) {
    clearTimeout(timer);
    worker.terminate();
    showDiagnostics([{ severity: "error", message, fixes: [] }]);
    marks.show(asking, []);
    grey(true);
    find("faults").replaceChildren();
    startWorker(() => {
        Object.assign(document.body.dataset, { drawn: asked, whole: asked });
        if (wish) applyWish();
        else if (again) ask();
    });
}

function received({ id, rest, now, pinned: below, rejected }) {
    clearTimeout(timer);
    busy = false;
    for (const { name, message } of rejected) say(`${name}: ${message}`);
    if (rest) showRest(now, below);
    else showAnswer(now, below);
    const others = rest || !now.curves ? [] : pictures.inSight()[1];
    Object.assign(document.body.dataset, { drawn: id, spent: now.spent ?? "" });
    if (others.length === 0) document.body.dataset.whole = id;
    if (wish) applyWish();
    else if (again) ask();
    else if (others.length > 0) resting = setTimeout(() => busy || post(true, others), 120);
}

function showRest(now, below) {
    if (!now.curves) return;
    drawn = { ...now, curves: { ...drawn.curves, ...now.curves } };
    pictures.show(now, below);
}

function showAnswer(now, below) {
    if (now.read.good) good = { text: asking, read: now.read };
    showTypes(now.read, now.type);
    const diagnostics = [...now.read.diagnostics];
    if (now.contact && !now.contact.good) diagnostics.push(...lastLines(now.contact.message));
    if (now.read.good && !now.type) diagnostics.push({ severity: "error", message: "no contact type here has a law", fixes: [] });
    showDiagnostics(diagnostics);
    marks.show(asking, diagnostics.filter(isInText));
    grey(!now.curves);
    if (now.curves) {
        drawn = now;
        setting.type = now.type;
        showSliders(now);
        showDerived(now);
        pictures.show(now, below);
        document.body.dataset.moved = performance.now() - askedAt;
        document.body.dataset.first ??= performance.now();
    }
    keepAddress();
}

const lastLines = (said) =>
    said.trim().split("\n").map((line) => ({ severity: "error", message: line.replace(/^error: /, ""), fixes: [] }));

/* ---- Messages ---------------------------------------------------------------------------------------------------- */

function say(message) {
    find("faults").append(element("p", {}, message));
}

function grey(is) {
    find("curves").classList.toggle("stale", is);
}

/** The other messages are about files that the text includes. */
const isInText = ({ file, line }) => line > 0 && file === setting.name;

function showDiagnostics(diagnostics) {
    const rows = diagnostics.map((diagnostic) => {
        const row = element("p", { className: diagnostic.severity });
        const place = diagnostic.line ? `${diagnostic.line}:${diagnostic.column}: ` : "";
        const code = diagnostic.code ? ` [PCM-${diagnostic.code}]` : "";
        row.append(element("button", { type: "button", className: "place" }, `${place}${diagnostic.severity}: ${diagnostic.message}${code}`));
        if (isInText(diagnostic)) row.firstChild.addEventListener("click", () => select(diagnostic));
        if (diagnostic.fixes.length > 0) {
            const words = diagnostic.fixes.map((fix) => fix.text || "(nothing)").join(", ");
            const fix = element("button", { type: "button", className: "fix" }, `fix: ${words}`);
            fix.addEventListener("click", () => setText(applyFixes(setting.text, diagnostic.fixes)));
            row.append(fix);
        }
        return row;
    });
    find("diagnostics").replaceChildren(...rows);
}

function select(place) {
    const area = find("text");
    area.focus();
    area.setSelectionRange(...span(setting.text, place));
}

/* ---- Text and sliders -------------------------------------------------------------------------------------------- */

function setText(text) {
    setting.text = text;
    if (find("text").value !== text) find("text").value = text;
    ask();
}

/** A slider moved while an older text is still being read: only the last value counts. */
function applyWish() {
    const { value, wanted } = wish;
    wish = undefined;
    if (setting.text !== good?.text && setting.text !== slid) return;
    const type = good.read.types.find((each) => each.name === setting.type);
    const now = type?.values.find((each) => each.name === value);
    if (!now) return;
    slid = withValue(good.text, type, now, wanted);
    setText(slid);
}

function change(value, wanted) {
    wish = { value, wanted };
    if (!busy) applyWish();
}

let rows = {};
let shownLaw;

function controlOf(param, value) {
    const changed = (wanted) => change(param.name, wanted);
    if (param.kind === "choice") return new Choice({ ...param }, changed);
    if (param.kind === "switch") return new Choice({ ...param, choices: ["false", "true"] }, changed);
    if (param.kind === "list" || param.kind === "text") return new Words(param, changed);
    const ends = { min: param.min ?? -Infinity, max: param.max ?? Infinity };
    return new Slider({ ...param, ...ends, value, unit: param.unit, integer: param.kind === "integer" }, changed);
}

function showSliders({ read, type: name, contact }) {
    const type = read.types.find((each) => each.name === name);
    const inputs = contact.inputs.filter((input) => input.axis === null);
    const [model] = type.model;
    const params = new Map(model.parameters.map((param) => [param.name, param]));
    const key = `${type.name} ${type.law} ${inputs.map((input) => input.name)}`;
    if (key !== shownLaw) {
        shownLaw = key;
        rows = { values: {}, given: {} };
        const known = type.values.filter((value) => params.has(value.name));
        for (const value of known) rows.values[value.name] = controlOf(params.get(value.name), value.value);
        for (const input of inputs) {
            const range = { name: input.name, unit: input.unit, value: input.value ?? 1, min: -Infinity, max: Infinity };
            const positive = /radius|mass|area|load|share/.test(input.name);
            rows.given[input.name] = new Slider(positive ? { ...range, min: 0 } : range, (wanted) => {
                setting.given[input.name] = wanted;
                ask();
            });
        }
        find("parameters").replaceChildren(...Object.values(rows.values).map(({ row }) => row));
        find("inputs").replaceChildren(...Object.values(rows.given).map(({ row }) => row));
        find("summary").textContent = `${model.name}: ${model.summary}`;
    }
    for (const value of type.values) rows.values[value.name]?.set(value.value, value.holds && !value.mixed);
    for (const input of inputs) rows.given[input.name]?.set(input.value);
}

function showTypes(read, chosen) {
    if (!read.good) return;
    const list = find("types");
    list.replaceChildren(
        ...read.types.filter((type) => !type.native).map((type) => element("option", { value: type.name }, `${type.name} (${type.law})`)),
    );
    list.value = chosen ?? "";
}

const motionRows = motions.map((motion) => {
    const made = new Slider({ max: Infinity, value: first[motion.name] || 1e-3, ...motion }, (wanted) => {
        setting.motion[motion.name] = wanted;
        ask();
    });
    return [motion.name, made];
});

/* ---- Curves ------------------------------------------------------------------------------------------------------ */

const marks = new Marks(find("text"), find("marks"));
const pictures = new Pictures(
    find("curves"),
    () => setting,
    keepAddress,
    (name, picture) => download(`${name}.svg`, "image/svg+xml", picture),
    (name) => download(`${name}.csv`, "text/csv", tableOf(name)),
);

function showDerived({ derived }) {
    const rows = derived.map(({ name, value, unit, doc }) => [
        element("span", { title: doc }, name),
        value === null ? "none" : `${number(value)} ${unit === "1" ? "" : unit}`,
    ]);
    find("derived").replaceChildren(rows.length > 0 ? table(["at this load", ""], rows) : "");
}

/** The rig's input and output have their own names and numbers. Other curves: x and y. */
export function tableOf(name) {
    const { contact, curves, type } = drawn;
    const [curve] = curves[name].curves;
    if (!curve.results) {
        const lines = curves[name].curves.flatMap(({ label, x, y }) => x.map((at, i) => [`"${label}"`, at, y[i]].join(",")));
        return `curve,x,y\n${lines.join("\n")}\n`;
    }
    const axes = ["depth", "rate", "way", "slip"];
    const inputs = contact.inputs.filter((input) => !contact.columns.includes(input.name));
    const inputOf = (row, { value, axis, sign }) => (value ?? 0) + (axis ? sign * row[1 + axes.indexOf(axis)] : 0);
    const head = ["contact", "t", ...inputs.map((input) => input.name), ...contact.columns];
    const lines = curve.rows.map((row, i) =>
        [type, row[0], ...inputs.map((input) => inputOf(row, input)), ...contact.columns.map((column) => curve.results[column][i])].join(","),
    );
    return `${head.join(",")}\n${lines.join("\n")}\n`;
}

function download(name, kind, text) {
    const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: kind })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/* ---- Start ------------------------------------------------------------------------------------------------------- */

function showTitle(name) {
    document.title = `${name} - PCM`;
    find("title").textContent = name;
}

function begin() {
    readAddress();
    find("text").value = setting.text;
    find("text").addEventListener("input", () => setText(find("text").value));
    find("types").addEventListener("change", () => {
        setting.type = find("types").value;
        ask();
    });
    const starts = data.starts ?? [];
    const start = starts.find(({ text }) => text === setting.text);
    showTitle(start?.name ?? data.title);
    find("starts").hidden = starts.length < 2;
    find("starts").append(...starts.map(({ name }) => element("option", { value: name }, name)));
    if (start) find("starts").value = start.name;
    find("starts").addEventListener("change", () => {
        showTitle(find("starts").value);
        Object.assign(setting, { type: undefined, given: {}, motion: { ...first }, axes: {} });
        motionRows.forEach(([name, row]) => row.set(setting.motion[name]));
        setText(starts.find(({ name }) => name === find("starts").value).text);
    });
    find("motion").append(...motionRows.map(([, { row }]) => row));
    motionRows.forEach(([name, row]) => row.set(setting.motion[name]));
    find("pin").addEventListener("click", () => {
        pinned = pinned ? null : structuredClone(setting);
        find("pin").textContent = pinned ? "unpin" : "pin";
        ask();
    });
    find("pin").textContent = pinned ? "unpin" : "pin";
    find("save").addEventListener("click", () => download(setting.name, "text/plain", setting.text));
    window.pcm = { tableOf, setting: () => setting, drawn: () => drawn };
    startWorker(ask);
}

begin();

// SPDX-License-Identifier: MIT
// main.js - the explorer: a text, sliders, and the curves that follow, each moving the others.
import { keepAddress, readAddress } from "../shared/address.js";
import { download, Editor } from "../shared/editor.js";
import { element, find, table } from "../shared/elements.js";
import { text as number } from "../shared/numbers.js";
import { Slider } from "../shared/sliders.js";
import { setUpTheme } from "../shared/theme.js";
import { Pictures } from "./pictures.js";

const limit = 10000; // ms: the time that a law has for all curves
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

const setting = { name: data.name, text: data.text, type: data.type, between: [], motion: { ...first }, given: {}, axes: {} };
let pinned = null;
let editor;
let drawn; // the last answer with curves
let worker;
let timer;
let asked = 0;
let askedAt; // ms
let resting; // until the curves out of sight are drawn
let busy = false;
let again = false;
let posted = []; // names of the curves that the worker draws

/* ---- The address ------------------------------------------------------------------------------------------------- */

function takeAddress() {
    try {
        const held = readAddress();
        if (!held) return;
        Object.assign(setting, held.setting);
        pinned = held.pinned ?? null;
    } catch {
        say("the address of this page holds no setting that could be read");
    }
}

function keep() {
    delete document.body.dataset.addressed;
    keepAddress(
        () => ({ setting, pinned }),
        () => (document.body.dataset.addressed = document.body.dataset.drawn),
    );
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
    editor.begins();
    askedAt = performance.now();
    post(false, pictures.inSight());
}

function post(rest, kinds) {
    busy = true;
    posted = kinds;
    clearTimeout(timer);
    timer = setTimeout(() => failed(`the law did not return within ${limit / 1000} s`), limit * (pinned ? 2 : 1));
    worker.postMessage({ kind: "draw", id: asked, rest, kinds, setting, pinned });
}

/** Ends the worker; its last drawing stays, greyed. The next worker gets the request made in the meantime. */
function failed(message) {
    clearTimeout(timer);
    worker.terminate();
    editor.showDiagnostics([{ severity: "error", message, fixes: [] }]);
    grey(true);
    find("faults").replaceChildren();
    startWorker(() => {
        Object.assign(document.body.dataset, { drawn: asked, whole: asked });
        if (!editor.settle() && again) ask();
    });
}

function received({ id, rest, now, pinned: below, rejected }) {
    clearTimeout(timer);
    busy = false;
    for (const { name, message } of rejected) say(`${name}: ${message}`);
    if (rest) showRest(now, below);
    else showAnswer(now, below);
    const others = rest || !now.curves ? [] : pictures.others(posted);
    Object.assign(document.body.dataset, { drawn: id, spent: now.spent ?? "" });
    if (others.length === 0) document.body.dataset.whole = id;
    if (editor.settle()) return;
    if (again) ask();
    else if (others.length > 0) resting = setTimeout(() => busy || post(true, others), 120);
}

function showRest(now, below) {
    if (!now.curves) return;
    drawn = { ...now, curves: { ...drawn.curves, ...now.curves } };
    pictures.show(now, below);
}

function showAnswer(now, below) {
    const more = now.contact && !now.contact.good ? lastLines(now.contact.message) : [];
    if (now.read.good && !now.type) more.push({ severity: "error", message: "no contact type here has a law", fixes: [] });
    editor.show(now.read, now.type, more);
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
    keep();
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

/* ---- Text and sliders -------------------------------------------------------------------------------------------- */

let givenRows = {};
let givenKey;

function showSliders({ read, type: name, contact }) {
    const type = read.types.find((each) => each.name === name);
    const inputs = contact.inputs.filter((input) => input.axis === null);
    const [model] = type.model;
    const key = `${inputs.map((input) => input.name)}`;
    if (editor.showSliders(type) || key !== givenKey) {
        givenKey = key;
        givenRows = Object.fromEntries(inputs.map((input) => [input.name, sliderOf(input)]));
        find("inputs").replaceChildren(...Object.values(givenRows).map(({ row }) => row));
        find("summary").textContent = find("title").textContent === model.name ? model.summary : `${model.name}: ${model.summary}`;
    }
    for (const input of inputs) givenRows[input.name]?.set(input.value);
}

function sliderOf({ name, unit, value }) {
    const range = { name, unit, value: value ?? 1, min: -Infinity, max: Infinity };
    const positive = /radius|mass|area|load|share/.test(name);
    return new Slider(positive ? { ...range, min: 0 } : range, (wanted) => {
        setting.given[name] = wanted;
        ask();
    });
}

const motionRows = motions.map((motion) => {
    const made = new Slider({ max: Infinity, value: first[motion.name] || 1e-3, ...motion }, (wanted) => {
        setting.motion[motion.name] = wanted;
        ask();
    });
    return [motion.name, made];
});

/* ---- Curves ------------------------------------------------------------------------------------------------------ */

const pictures = new Pictures(
    find("curves"),
    () => setting,
    keep,
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

/* ---- Start ------------------------------------------------------------------------------------------------------- */

function showTitle(name) {
    document.title = `${name} - PCM`;
    find("title").textContent = name;
}

function begin() {
    takeAddress();
    setUpTheme();
    editor = new Editor(setting, ask, () => busy);
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
        editor.set(starts.find(({ name }) => name === find("starts").value).text);
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

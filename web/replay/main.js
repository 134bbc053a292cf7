// SPDX-License-Identifier: MIT
// main.js - the page of a run: reads the chunks, then ties its parts together.
import { element, find } from "../shared/elements.js";
import { plot } from "../shared/plot.js";
import { readChunks } from "./chunks.js";
import { Details, showSums } from "./details.js";
import { Lanes } from "./lanes.js";
import { modes } from "./modes.js";
import { Player } from "./player.js";
import { Record } from "./record.js";
import { showRules } from "./rules.js";
import { noView, View } from "./view.js";

function makeView(record, choose) {
    try {
        return new View(find("view"), record, choose);
    } catch {
        find("view").append(noView());
        return undefined;
    }
}

/** Quantities over time, grouped by unit, with the sum if they are energies. */
function plotQuantities(into, record, seek) {
    const units = [...new Set(record.quantities.map(({ unit }) => unit))];
    return units.map((unit) => {
        const series = record.quantities.flatMap((quantity, i) =>
            quantity.unit === unit ? [{ label: quantity.name, values: record.quantity(i) }] : [],
        );
        if (unit === "J" && series.length > 1) series.push({ label: "sum", values: sumOf(series) });
        return plot(into, unit === "J" ? "energy" : series[0].label, unit, record.times, series, seek);
    });
}

function sumOf(series) {
    return series[0].values.map((_, frame) => series.reduce((sum, { values }) => sum + values[frame], 0));
}

/** The state of the page: a frame, and the chosen contact. */
function start(record, view, choices) {
    let chosen;
    const seek = (time) => player.go(record.frameAt(time));
    const choose = (contact) => {
        chosen = contact;
        details.choose(contact);
        player.go(player.frame);
    };
    choices.take = choose;
    const details = new Details(find("details"), record, seek);
    const lanes = new Lanes(find("lanes"), record, choose, (frame) => player.go(frame));
    const marks = plotQuantities(find("quantities"), record, seek);
    const sums = find("sums");
    const showOpen = () => sums.parentElement.open && showSums(sums, record, player.frame);
    sums.parentElement.addEventListener("toggle", showOpen);
    const player = new Player(find("player"), record, (frame) => {
        const before = performance.now();
        view?.show(frame, chosen);
        lanes.show(frame, chosen);
        details.show(frame);
        showOpen();
        for (const mark of marks) mark(record.times[frame]);
        document.body.dataset.frame = frame;
        document.body.dataset.spent = performance.now() - before;
    });
    showRules(find("rules-list"), record, (index) => {
        chosen = undefined;
        details.chooseRule(index);
        lanes.filterBy(record.ruleText(index));
        player.go(player.frame);
    });
    chooseCamera(view, record);
    player.go(0);
    // Screen positions of objects, for tests and scripts.
    window.pcm = { record, pixelOf: (name) => view?.pixelOfSubject(record.subjects.findIndex((subject) => subject.name === name)) };
}

function chooseCamera(view, record) {
    const list = find("camera");
    list.append(...record.cameras.map(({ name }, i) => element("option", { value: i }, name)), element("option", { value: -1 }, "all"));
    list.addEventListener("change", () => view?.look(record.cameras[Number(list.value)]));
}

function say(faults) {
    find("faults").replaceChildren(...faults.map((fault) => element("p", { className: "fault" }, fault)));
}

const nextPicture = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));

/** Shows the first frame before reading the other chunks. */
async function open() {
    const record = new Record();
    const choices = { take: () => undefined };
    let view;
    const faults = await readChunks((chunk) => {
        const isFirst = record.take(chunk) && record.chunks.length === 1;
        if (!isFirst) return undefined;
        view = makeView(record, (contact) => choices.take(contact));
        view?.show(0);
        return nextPicture().then(() => (document.body.dataset.shown = performance.now()));
    });
    document.title = record.titles[0]?.title ?? "PCM";
    find("title").textContent = document.title;
    find("legend").append(...modes.map(({ name, color }) => element("span", { className: `mode ${name}`, style: `--color: ${color}` }, name)));
    if (record.chunks.length > 1) view?.fit();
    if (record.times.length) start(record, view, choices);
    else faults.push("the page holds no frames: the run ended before the first one");
    say(faults);
    document.body.dataset.ready = record.times.length;
    document.body.dataset.whole = performance.now();
}

document.addEventListener("DOMContentLoaded", open);

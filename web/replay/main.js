// SPDX-License-Identifier: MIT
// main.js - the page of a run: reads the chunks, then ties its parts together.
import { find } from "../shared/elements.js";
import { readChunks } from "./chunks.js";
import { Details, showSums } from "./details.js";
import { filmOf, imageOf } from "./film.js";
import { Lanes } from "./lanes.js";
import { makeView, Quantities, say, setUpTools, showTitle } from "./parts.js";
import { Player } from "./player.js";
import { Record } from "./record.js";
import { showRules } from "./rules.js";

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
    const quantities = new Quantities(find("quantities"), record, seek);
    const sums = find("sums");
    const showOpen = () => sums.parentElement.open && showSums(sums, record, player.frame);
    sums.parentElement.addEventListener("toggle", showOpen);
    const player = new Player(find("player"), record, (frame) => {
        const before = performance.now();
        view?.show(frame, chosen);
        lanes.show(frame, chosen);
        details.show(frame);
        showOpen();
        quantities.show(record.times[frame]);
        document.body.dataset.frame = frame;
        document.body.dataset.spent = performance.now() - before;
    });
    showRules(find("rules-list"), record, (index) => {
        chosen = undefined;
        details.chooseRule(index);
        lanes.filterBy(record.ruleText(index));
        player.go(player.frame);
    });
    player.go(0);
    // Screen positions of objects, for tests and scripts.
    const pixelOf = (name) => view?.pixelOfSubject(record.subjects.findIndex((subject) => subject.name === name));
    const seen = () => {
        if (!view) throw new Error("this browser has no WebGL");
        return view;
    };
    const image = (time, width, height) => {
        seek(time);
        return imageOf(seen(), width, height);
    };
    const video = (time, width, height) => filmOf(seen(), width, height, time, (at) => seek(record.times[0] + at));
    window.pcm = { record, player, view, pixelOf, image, video };
}

const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

function describe(record) {
    const seconds = record.times.length ? record.times.at(-1) - record.times[0] : 0;
    const touched = new Set(record.contacts.map(({ a, b }) => `${a} ${b}`)).size;
    return `${Number(seconds.toPrecision(3))} s, ${counted(touched, "pair")} in contact, ${counted(record.rules.length, "rule")}`;
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
    showTitle(record.titles[0]?.title ?? "PCM", describe(record));
    setUpTools(view, record);
    if (record.chunks.length > 1) view?.fit();
    if (record.times.length) start(record, view, choices);
    else faults.push("the page holds no frames: the run ended before the first one");
    say(faults);
    document.body.dataset.ready = record.times.length;
    document.body.dataset.whole = performance.now();
}

document.addEventListener("DOMContentLoaded", open);

// SPDX-License-Identifier: MIT
// player.js - the clock: a slider, play, speed, single frames, keys.
import { element } from "../shared/elements.js";
import { text } from "../shared/numbers.js";
import { changes } from "./modes.js";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const MOST_MARKS = 2000;
const keys = {
    " ": (player) => player.toggle(),
    ArrowRight: (player) => player.step(1),
    ArrowLeft: (player) => player.step(-1),
    Home: (player) => player.go(0),
    End: (player) => player.go(player.record.times.length - 1),
    "+": (player) => player.faster(1),
    "-": (player) => player.faster(-1),
};

export class Player {
    /** Calls show(frame) whenever the visible frame changes. */
    constructor(into, record, show) {
        Object.assign(this, { record, show, frame: 0, speed: 1, playing: false });
        const button = (id, label, title, act) => {
            const made = element("button", { id, title, type: "button" }, label);
            made.addEventListener("click", act);
            return made;
        };
        this.button = button("play", "\u25b6", "play or stop (space)", () => this.toggle());
        this.slider = element("input", { type: "range", id: "time", min: 0, max: record.times.length - 1, value: 0 });
        this.slider.addEventListener("input", () => this.go(Number(this.slider.value)));
        this.clock = element("output", { id: "clock" });
        this.rate = element("select", { id: "speed", title: "speed (+ and -)" });
        this.rate.append(...SPEEDS.map((speed) => element("option", { value: speed, selected: speed === 1 }, `${speed} \u00d7`)));
        this.rate.addEventListener("change", () => (this.speed = Number(this.rate.value)));
        into.append(
            button("back", "\u25c2", "one frame back (left)", () => this.step(-1)),
            this.button,
            button("forward", "\u25b8", "one frame on (right)", () => this.step(1)),
            this.rate,
            element("div", { className: "track" }, this.#marks(), this.slider),
            this.clock,
        );
        document.addEventListener("keydown", (event) => this.#key(event));
    }

    /** Events of contacts, as ticks over the slider. */
    #marks() {
        const canvas = element("canvas", { width: 1000, height: 8, className: "events", title: "contacts made, broken, parted, changed" });
        const context = canvas.getContext("2d");
        const { times, events } = this.record;
        const span = times[times.length - 1] - times[0] || 1;
        const every = Math.ceil(events.length / MOST_MARKS);
        events.forEach((event, i) => {
            const broken = changes[event.change] === "broken";
            if (i % every && !broken) return;
            context.fillStyle = broken ? "#d55e00" : "#55555588";
            context.fillRect((1000 * (event.time - times[0])) / span, broken ? 0 : 3, broken ? 2 : 1, 8);
        });
        return canvas;
    }

    #key(event) {
        const typing = event.target.matches?.("input[type=search]");
        if (typing || event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
        event.preventDefault();
        keys[event.key](this);
    }

    go(frame) {
        this.frame = Math.min(Math.max(0, frame), this.record.times.length - 1);
        this.slider.value = this.frame;
        this.clock.textContent = `${text(this.record.times[this.frame], 6)} s`;
        this.show(this.frame);
    }

    step(count) {
        this.stop();
        this.go(this.frame + count);
    }

    faster(by) {
        const at = Math.min(Math.max(0, SPEEDS.indexOf(this.speed) + by), SPEEDS.length - 1);
        this.speed = SPEEDS[at];
        this.rate.selectedIndex = at;
    }

    stop() {
        this.playing = false;
        this.button.textContent = "\u25b6";
    }

    toggle() {
        if (this.playing) return this.stop();
        this.playing = true;
        this.button.textContent = "\u23f8";
        const atEnd = this.frame === this.record.times.length - 1;
        this.time = this.record.times[atEnd ? 0 : this.frame];
        let last = performance.now();
        const tick = (now) => {
            if (!this.playing) return;
            this.time += ((now - last) / 1000) * this.speed;
            last = now;
            const frame = this.record.frameAt(this.time);
            if (frame !== this.frame) this.go(frame);
            if (frame === this.record.times.length - 1) this.stop();
            else requestAnimationFrame(tick);
        };
        requestAnimationFrame(tick);
    }
}

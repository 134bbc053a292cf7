// SPDX-License-Identifier: MIT
// player.js - the clock: a slider, play, speed, single frames, keys.
import { element } from "../shared/elements.js";
import { changes } from "../shared/modes.js";

export const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
const MOST_MARKS = 2000;

const isField = (target) => target.matches?.("input:not([type=range]), textarea, select");

export function button(id, label, title, act) {
    const made = element("button", { id, title, type: "button", "aria-label": title }, label);
    made.addEventListener("click", act);
    return made;
}

export class Player {
    /** Calls show(frame) whenever the visible frame changes. */
    constructor(into, record, show) {
        Object.assign(this, { record, show, frame: 0, speed: 1, playing: false });
        this.keys = {
            " ": () => this.toggle(),
            ArrowRight: () => this.step(1),
            ArrowLeft: () => this.step(-1),
            Home: () => this.go(0),
            End: () => this.go(this.record.times.length - 1),
            "+": () => this.faster(1),
            "-": () => this.faster(-1),
        };
        this.button = button("play", "\u25b6", "play or stop (space)", () => this.toggle());
        this.slider = element("input", { type: "range", id: "time", min: 0, max: record.times.length - 1, value: 0, "aria-label": "time" });
        this.slider.addEventListener("input", () => this.seek(Number(this.slider.value)));
        this.clock = element("output", { id: "clock" });
        this.rate = element("select", { id: "speed", title: "speed (+ and -)", "aria-label": "speed" });
        this.rate.append(...SPEEDS.map((speed) => element("option", { value: speed, selected: speed === 1 }, `${speed} \u00d7`)));
        this.rate.addEventListener("change", () => (this.speed = Number(this.rate.value)));
        this.canvas = element("canvas", { width: 1000, height: 8, className: "events", title: "contacts made, broken, parted, changed" });
        into.append(
            button("back", "\u25c2", "one frame back (left)", () => this.step(-1)),
            this.button,
            button("forward", "\u25b8", "one frame on (right)", () => this.step(1)),
            this.rate,
            element("div", { className: "track" }, this.canvas, this.slider),
            this.clock,
        );
        document.addEventListener("keydown", (event) => this.#key(event));
        this.mark();
    }

    /** Draws events of contacts as ticks over the slider. */
    mark() {
        const context = this.canvas.getContext("2d");
        const { times, events } = this.record;
        const span = times[times.length - 1] - times[0] || 1;
        const every = Math.ceil(events.length / MOST_MARKS);
        context.clearRect(0, 0, 1000, 8);
        events.forEach((event, i) => {
            const broken = changes[event.change] === "broken";
            if (i % every && !broken) return;
            context.fillStyle = broken ? "#d55e00" : "#80808099";
            context.fillRect((1000 * (event.time - times[0])) / span, broken ? 0 : 3, broken ? 2 : 1, 8);
        });
    }

    #key(event) {
        if (isField(event.target) || event.ctrlKey || event.metaKey || event.altKey || !(event.key in this.keys)) return;
        if (event.key === " " && event.target.matches?.("button, summary")) return; // presses it
        event.preventDefault();
        this.keys[event.key]();
    }

    go(frame) {
        this.frame = Math.min(Math.max(0, frame), this.record.times.length - 1);
        this.slider.value = this.frame;
        this.clock.textContent = `${this.record.times[this.frame].toFixed(3)} s`;
        this.show(this.frame);
    }

    /** The user chose a frame by the slider. */
    seek(frame) {
        this.go(frame);
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

    start() {
        this.playing = true;
        this.button.textContent = "\u275a\u275a";
    }

    toggle() {
        if (this.playing) return this.stop();
        this.start();
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

// SPDX-License-Identifier: MIT
// axes.js - sliders for the ends of a picture's axes.
import { element } from "../shared/elements.js";
import { Slider } from "../shared/sliders.js";

const ends = ["from", "to"];

/** For the axes x and y, each [name, unit]. changed(axes) gets those that the user moved, as {x: [from, to], y: [from,
 * to]}. */
export class Axes {
    #axes = {}; // ranges that the user set
    #spans; // ends of the axes at present
    #changed;
    #rows = [];

    constructor(x, y, changed) {
        this.#changed = changed;
        for (const [axis, [name, unit]] of Object.entries({ x, y })) for (const end of [0, 1]) this.#addRow(axis, end, name, unit);
        const all = element("button", { type: "button" }, "all of it");
        all.addEventListener("click", () => this.#become({}));
        this.box = element("details", { className: "axes" }, element("summary", {}, "axes"));
        this.box.append(...this.#rows.map(({ slider }) => slider.row), all);
        this.box.addEventListener("toggle", () => this.#show());
    }

    #addRow(axis, end, name, unit) {
        const range = { value: 1, min: 0, max: 1 };
        const moved = (value) => {
            const span = [...this.#spans[axis]];
            span[end] = value;
            this.#become({ ...this.#axes, [axis]: span });
        };
        this.#rows.push({ axis, end, slider: new Slider({ name: `${name} ${ends[end]}`, unit, ...range }, moved) });
    }

    #become(axes) {
        this.#axes = axes;
        this.#changed(axes);
    }

    /** spans: the range of the curves; axes: the ranges that the user set. */
    set(spans, axes) {
        this.#axes = axes;
        this.curves = spans;
        this.#spans = { ...spans, ...axes };
        this.#show();
    }

    /** A slider extends beyond the curves by their width. */
    #show() {
        if (!this.box.open || !this.curves) return;
        for (const { axis, end, slider } of this.#rows) {
            const [low, high] = this.curves[axis];
            const value = this.#spans[axis][end];
            slider.span({ value, min: 2 * low - high, max: 2 * high - low });
            slider.set(value);
        }
    }
}

// SPDX-License-Identifier: MIT
// sliders.js - a row of the page for each number or word that can be set.
import { element } from "./elements.js";

const steps = 1000;

/** As many digits as fit, without trailing zeros; the text has all digits. */
function shown(value) {
    const short = Number(value.toPrecision(7));
    const size = Math.abs(short);
    return size >= 1e6 || (size > 0 && size < 1e-4) ? short.toExponential() : String(short);
}

/** The tooltip of a row, for names that do not fit. */
const hint = (name, unit, doc) => `${name}${unit && unit !== "1" ? ` [${unit}]` : ""}${doc ? `: ${doc}` : ""}`;

/** Maps a slider's positions to numbers: linear if both ends are known, else logarithmic about the value. */
export function scaleOf({ value, min, max, open_min, open_max, integer }) {
    const within = (number) => (integer ? Math.round(number) : Number(number.toPrecision(4)));
    const [hasLow, hasHigh] = [Number.isFinite(min), Number.isFinite(max)];
    if (hasLow && hasHigh) {
        const inside = (s) => min + (max - min) * (open_min || open_max ? 0.001 + 0.998 * s : s);
        return {
            value: (s) => within(inside(s)),
            place: (number) => (number - min) / (max - min),
        };
    }
    const middle = Math.abs(value) || 1;
    if (hasLow && min >= 0 && !integer) {
        const ends = [Math.log(Math.max(min, middle / 100)), Math.log(Math.max(min, middle) * 100)];
        return {
            value: (s) => (s === 0 && min === 0 && !open_min ? 0 : within(Math.exp(ends[0] + (ends[1] - ends[0]) * s))),
            place: (number) => (number > 0 ? (Math.log(number) - ends[0]) / (ends[1] - ends[0]) : 0),
        };
    }
    const low = hasLow ? min : -10 * middle;
    const high = hasHigh ? max : 10 * middle;
    return { value: (s) => within(low + (high - low) * s), place: (number) => (number - low) / (high - low) };
}

/** A number with a slider. set(value) moves both without an event. */
export class Slider {
    constructor({ name, unit, doc, ...range }, changed) {
        this.scale = scaleOf(range);
        this.slider = element("input", { type: "range", min: 0, max: steps, "aria-label": name });
        this.number = element("input", { type: "text", inputMode: "decimal", className: "number", "aria-label": name });
        this.unit = element("span", { className: "unit" });
        this.row = element(
            "label",
            { className: "row", title: hint(name, unit, doc), "data-name": name },
            element("span", {}, name),
            this.slider,
            this.number,
            this.unit,
        );
        this.setUnit(unit);
        this.slider.addEventListener("input", () => {
            const value = this.scale.value(this.slider.value / steps);
            this.number.value = shown(value);
            changed(value);
        });
        this.number.addEventListener("change", () => {
            const value = Number(this.number.value);
            if (this.number.value.trim() && Number.isFinite(value)) changed(value);
        });
    }

    /** The unit may depend on another parameter. */
    setUnit(unit) {
        this.unit.textContent = unit === "1" ? "" : (unit ?? "");
    }

    /** Sets the slider's range. */
    span(range) {
        this.scale = scaleOf(range);
    }

    set(value, holds = true) {
        this.row.classList.toggle("idle", !holds);
        this.slider.value = Math.round(steps * Math.min(1, Math.max(0, this.scale.place(value))));
        if (document.activeElement !== this.number) this.number.value = shown(value);
    }
}

/** One word of a list, or true and false. */
export class Choice {
    constructor({ name, doc, choices }, changed) {
        this.list = element("select", { "aria-label": name }, ...choices.map((word) => element("option", {}, word)));
        this.row = element(
            "label",
            { className: "row", title: hint(name, "", doc), "data-name": name },
            element("span", {}, name),
            this.list,
        );
        this.list.addEventListener("change", () => changed(this.list.value));
    }

    set(value, holds = true) {
        this.row.classList.toggle("idle", !holds);
        this.list.value = String(value);
    }
}

/** A list or a text, as the .pcm file writes it. */
export class Words {
    constructor({ name, unit, doc, kind }, changed) {
        this.quoted = kind === "text";
        this.unit = unit && unit !== "1" ? ` [${unit}]` : "";
        this.field = element("input", { type: "text", "aria-label": name });
        this.row = element(
            "label",
            { className: "row", title: hint(name, "", doc), "data-name": name },
            element("span", {}, name),
            this.field,
        );
        this.field.addEventListener("change", () => changed(this.field.value));
    }

    set(value, holds = true) {
        this.row.classList.toggle("idle", !holds);
        if (document.activeElement === this.field) return;
        this.field.value = this.quoted ? `"${value ?? ""}"` : `(${(value ?? []).join(", ")})${this.unit}`;
    }
}

// SPDX-License-Identifier: MIT
// parts.js - what the pages of recorded and of running scenes have in common.
import { element, find } from "../shared/elements.js";
import { plot, redrawPlots } from "../shared/plot.js";
import { setUpTheme } from "../shared/theme.js";
import { modes } from "../shared/modes.js";
import { noView, View } from "./view.js";

export function makeView(record, choose) {
    try {
        return new View(find("view"), record, choose);
    } catch {
        find("view").append(noView());
        return undefined;
    }
}

export function showTitle(title, description) {
    document.title = title;
    find("title").textContent = title;
    find("description").textContent = description;
    find("legend").append(...modes.map(({ name }) => element("span", { className: `mode ${name}`, style: `--color: var(--${name})` }, name)));
}

/** Light or dark, the list of cameras, and following. */
export function setUpTools(view, record) {
    setUpTheme((theme) => {
        view?.setTheme(theme);
        redrawPlots();
    });
    const follow = find("follow");
    follow.addEventListener("click", () => {
        const follows = follow.getAttribute("aria-pressed") !== "true";
        follow.setAttribute("aria-pressed", follows);
        view?.setFollow(follows);
    });
    const list = find("camera");
    list.append(...record.cameras.map(({ name }, i) => element("option", { value: i }, name)), element("option", { value: -1 }, "all"));
    list.addEventListener("change", () => view?.look(record.cameras[Number(list.value)]));
    for (const id of ["camera", "follow"]) find(id).disabled = !view;
}

/** Quantities over time, grouped by unit, with the sum if they are energies. */
export class Quantities {
    constructor(into, record, seek) {
        Object.assign(this, { into, seek });
        this.fill(record);
    }

    fill(record) {
        this.into.replaceChildren();
        const units = [...new Set(record.quantities.map(({ unit }) => unit))];
        this.marks = units.map((unit) => {
            const series = record.quantities.flatMap((quantity, i) => (quantity.unit === unit ? [{ label: quantity.name, values: record.quantity(i) }] : []));
            if (unit === "J" && series.length > 1) series.push({ label: "sum", values: sumOf(series) });
            return plot(this.into, unit === "J" ? "energy" : series[0].label, unit, record.times, series, this.seek);
        });
    }

    show(time) {
        for (const mark of this.marks) mark(time);
    }
}

function sumOf(series) {
    return series[0].values.map((_, frame) => series.reduce((sum, { values }) => sum + values[frame], 0));
}

export function say(faults) {
    find("faults").replaceChildren(...faults.map((fault) => element("p", { className: "fault" }, fault)));
}

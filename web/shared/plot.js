// SPDX-License-Identifier: MIT
// plot.js - lines over time, with a mark at the time that is shown.
import uPlot from "uplot";
import { element } from "./elements.js";

const colors = ["#2c8fd1", "#e06a10", "#8a8f98", "#12a37f", "#c45ab3", "#a08a00"];
const dashes = [[], [6, 3], [2, 3], [10, 3, 2, 3]];

/** An overlay on the plot, so that moving the mark redraws no line. */
const markStyle = "position: absolute; top: 0; left: 0; width: 1px; height: 100%; background: currentColor; pointer-events: none";

const shown = new Set();

/** After the page has changed its colours. */
export function redrawPlots() {
    for (const made of shown) if (made.root.isConnected) made.redraw(false);
        else shown.delete(made);
}

const colorOf = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
const axis = { stroke: () => colorOf("--soft"), grid: { stroke: () => colorOf("--line"), width: 1 }, ticks: { stroke: () => colorOf("--line"), width: 1 } };

/** Draws a plot of series [{label, values}] over times into the element, at its width. NaN are gaps. A click calls
 * clicked with its time. Returns a function that moves the mark. */
export function plot(into, title, unit, times, series, clicked) {
    let now = times[0];
    const mark = element("div", { style: markStyle });
    const move = (drawn) => (mark.style.transform = `translateX(${drawn.valToPos(now, "x")}px)`);
    const gaps = (values) => Array.from(values, (value) => (Number.isFinite(value) ? value : null));
    const options = {
        title: unit ? `${title} [${unit}]` : title,
        width: Math.max(240, into.clientWidth - 8),
        height: 150,
        scales: { x: { time: false } },
        legend: { show: series.length > 1, live: false, markers: { width: 2 } },
        axes: [{ ...axis, size: 32 }, { ...axis, size: 64, values: (_, splits) => splits.map((split) => String(Number(split.toPrecision(6)))) }],
        series: [
            { label: "t [s]" },
            ...series.map(({ label }, i) => ({ label, stroke: colors[i % 6], dash: dashes[i % 4], width: 1.5 })),
        ],
        hooks: { draw: [move] },
        cursor: { drag: { x: true, y: false } },
    };
    const made = new uPlot(options, [Array.from(times), ...series.map(({ values }) => gaps(values))], into);
    shown.add(made);
    made.over.append(mark);
    made.over.addEventListener("click", (event) => clicked(made.posToVal(event.offsetX, "x")));
    return (time) => {
        now = time;
        move(made);
    };
}

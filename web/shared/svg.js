// SPDX-License-Identifier: MIT
// svg.js - curves and marks between two axes, as a picture that scales and can be saved as it is.
import { text as number } from "./numbers.js";

const colors = ["#3b4a5c", "#8a3ffc", "#b28600", "#0f8a8a", "#b0357a"];
const dashes = ["", "6 3", "2 3", "10 3 2 3", "4 2"];
const [width, height] = [460, 280];
const frame = { left: 64, right: 10, top: 26, bottom: 42 };

const escape = (text) => text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

/** The smallest and the largest of the finite numbers, kept apart. */
function extent(lists) {
    let [low, high] = [Infinity, -Infinity];
    for (const list of lists)
        for (const value of list)
            if (Number.isFinite(value)) [low, high] = [Math.min(low, value), Math.max(high, value)];
    if (low > high) return [0, 1];
    const margin = low === high ? Math.abs(low) * 0.1 || 1 : 0.04 * (high - low);
    return [low - margin, high + margin];
}

/** Round numbers of the range, about five. */
function ticks([low, high]) {
    const rough = (high - low) / 5;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = [1, 2, 5, 10].find((factor) => factor * power >= rough) * power;
    const first = Math.ceil(low / step);
    return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, i) => (first + i) * step);
}

/** A prefix that keeps the numbers short: mm, kN. */
function prefixed(unit, [low, high]) {
    const size = Math.max(Math.abs(low), Math.abs(high));
    const known = { m: 1, N: 1, s: 1, J: 1, "m/s": 1 };
    if (!known[unit]) return [1, unit];
    const [factor, prefix] = size >= 2e3 ? [1e3, "k"] : size < 2e-4 ? [1e-6, "\u00b5"] : size < 0.2 ? [1e-3, "m"] : [1, ""];
    return unit === "s" && factor > 1 ? [1, unit] : [factor, prefix + unit];
}

/** A round number, without trailing zeros. */
const tickLabel = (value) => number(value).replace(/\.?0+(?=e)/, "");

const axisLabel = (name, unit) => (unit ? `${name}, ${unit}` : name);

/** The range of the curves, with a margin. */
export function spansOf(curves) {
    return { x: extent(curves.map((curve) => curve.x)), y: extent(curves.map((curve) => curve.y)) };
}

/** The axes whose range is increasing. */
const sound = (axes) => Object.fromEntries(Object.entries(axes).filter(([, [low, high]]) => low < high));

/** The picture of curves {label, x, y, marks, faint} over axes [name, unit], as text. Values that are not finite are
 * gaps. axes: {x, y}, each [from, to], to override the range of the curves; whatever is outside is clipped. */
export function svg(title, x, y, curves, axes = {}) {
    const given = sound(axes);
    const spans = { ...spansOf(curves), ...given };
    const [[factorX, unitX], [factorY, unitY]] = [prefixed(x[1], spans.x), prefixed(y[1], spans.y)];
    const inner = { width: width - frame.left - frame.right, height: height - frame.top - frame.bottom };
    const atX = (value) => frame.left + (inner.width * (value - spans.x[0])) / (spans.x[1] - spans.x[0]);
    const atY = (value) => frame.top + inner.height - (inner.height * (value - spans.y[0])) / (spans.y[1] - spans.y[0]);
    const parts = [
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
        `<rect width="${width}" height="${height}" fill="#fff"/>`,
        `<text x="${frame.left}" y="16" font-weight="bold">${escape(title)}</text>`,
    ];
    for (const tick of ticks(spans.x)) {
        const place = atX(tick).toFixed(1);
        parts.push(
            `<path d="M${place} ${frame.top}V${frame.top + inner.height}" stroke="${Math.abs(tick) < 1e-300 ? "#888" : "#e4e4e4"}"/>`,
            `<text x="${place}" y="${height - 26}" text-anchor="middle">${tickLabel(tick / factorX)}</text>`,
        );
    }
    for (const tick of ticks(spans.y)) {
        const place = atY(tick).toFixed(1);
        parts.push(
            `<path d="M${frame.left} ${place}H${width - frame.right}" stroke="${Math.abs(tick) < 1e-300 ? "#888" : "#e4e4e4"}"/>`,
            `<text x="${frame.left - 4}" y="${Number(place) + 4}" text-anchor="end">${tickLabel(tick / factorY)}</text>`,
        );
    }
    parts.push(
        `<text x="${frame.left + inner.width / 2}" y="${height - 10}" text-anchor="middle">${escape(axisLabel(x[0], unitX))}</text>`,
        `<text x="12" y="${frame.top + inner.height / 2}" text-anchor="middle" transform="rotate(-90 12 ${frame.top + inner.height / 2})">${escape(axisLabel(y[0], unitY))}</text>`,
    );
    const bold = curves.filter((curve) => !curve.faint).length || 1; // a faint curve has the colour of its counterpart
    const isCut = Object.keys(given).length > 0;
    const inside = [frame.left, frame.top, inner.width, inner.height];
    const [left, top, wide, high] = inside;
    if (isCut) parts.push(`<svg x="${left}" y="${top}" width="${wide}" height="${high}" viewBox="${inside.join(" ")}">`);
    curves.forEach((curve, i) => parts.push(...drawn(curve, i % bold, atX, atY)));
    if (isCut) parts.push("</svg>");
    if (curves.length > 1) parts.push(legend(curves));
    return `${parts.join("")}</svg>`;
}

/** The names of the curves in their colours, next to the title; faint ones share one word. */
function legend(curves) {
    const names = curves.map((curve, i) => (curve.faint ? "" : `<tspan fill="${curve.color ?? colors[i % 5]}">${escape(curve.label)}</tspan>`));
    const words = names.filter(Boolean).join("&#160;&#160; ");
    const more = curves.some((curve) => curve.faint) ? "&#160;&#160; faint: pinned" : "";
    return `<text x="${width - frame.right}" y="16" text-anchor="end">${words}${more}</text>`;
}

function drawn(curve, i, atX, atY) {
    const color = curve.color ?? colors[i % 5];
    const opacity = curve.faint ? 0.45 : 1;
    const isThere = (k) => Number.isFinite(curve.x[k]) && Number.isFinite(curve.y[k]);
    if (curve.marks) {
        const size = 1.6;
        const dots = curve.x.map((_, k) =>
            isThere(k) ? `M${(atX(curve.x[k]) - size).toFixed(1)} ${atY(curve.y[k]).toFixed(1)}h${2 * size}` : "",
        );
        return [`<path d="${dots.join("")}" stroke="${color}" stroke-width="${2 * size}" opacity="${opacity}"/>`];
    }
    let open = false;
    const line = curve.x.map((_, k) => {
        const there = isThere(k);
        const step = there ? `${open ? "L" : "M"}${atX(curve.x[k]).toFixed(1)} ${atY(curve.y[k]).toFixed(1)}` : "";
        open = there;
        return step;
    });
    return [
        `<path d="${line.join("")}" fill="none" stroke="${color}" stroke-width="1.6" stroke-dasharray="${dashes[i % 5]}"` +
            ` opacity="${opacity}"/>`,
    ];
}

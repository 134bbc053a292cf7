// SPDX-License-Identifier: MIT
// marks.js - a layer behind the text that underlines what diagnostics point at, and scrolls with it.
import { element } from "./elements.js";
import { span } from "./text.js";

const ranks = { error: 2, warning: 1 };

/** The whole text in parts, each {words, severity}; where two places overlap, the more severe one counts. */
export function partsOf(text, diagnostics) {
    const places = diagnostics.map((diagnostic) => {
        const [start, end] = span(text, diagnostic);
        return { start, end: Math.max(end, start + 1), severity: diagnostic.severity };
    });
    const cuts = [...new Set([0, text.length, ...places.flatMap(({ start, end }) => [start, Math.min(end, text.length)])])].sort((a, b) => a - b);
    return cuts.map((from, i) => {
        const over = places.filter(({ start, end }) => start <= from && from < end);
        const worst = Math.max(0, ...over.map(({ severity }) => ranks[severity]));
        return { words: text.slice(from, cuts[i + 1] ?? from), severity: ["", "warning", "error"][worst] };
    });
}

export class Marks {
    #area;
    #layer;

    constructor(area, layer) {
        this.#area = area;
        this.#layer = layer;
        area.addEventListener("scroll", () => this.#scroll());
    }

    /** diagnostics: those of this text only. */
    show(text, diagnostics) {
        const parts = partsOf(text, diagnostics.filter(({ severity }) => ranks[severity]));
        // A mark that begins at the end of a line, since something is missing there, shows a space, so that it is
        // visible.
        const shown = (words) => words.replace(/^(?=\n|$)/, "\u00a0");
        this.#layer.replaceChildren(
            ...parts.map(({ words, severity }) => (severity ? element("mark", { className: severity }, shown(words)) : words)),
            "\n",
        );
        this.#scroll();
    }

    #scroll() {
        this.#layer.scrollTop = this.#area.scrollTop;
        this.#layer.scrollLeft = this.#area.scrollLeft;
    }
}

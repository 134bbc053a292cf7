// SPDX-License-Identifier: MIT
// editor.js - a .pcm text with its diagnostics, and sliders for one of its contact types: text and sliders move each other.
import { element, find } from "./elements.js";
import { Marks } from "./marks.js";
import { Choice, Slider, Words } from "./sliders.js";
import { applyFixes, span, withValue } from "./text.js";

export class Editor {
    #wish; // of a slider, until the text has been read
    #good; // the last text without errors, as it was read: {text, read}
    #slid; // the text that a slider made last: one that is rejected does not stop the next move
    #rows = {};
    #shown; // the contact type that has the sliders

    /** setting: {name, text, type}, which the editor changes. changed(): calls for the text to be read. busy(): whether it
     * is being read. */
    constructor(setting, changed, busy) {
        Object.assign(this, { setting, changed, busy });
        this.area = find("text");
        this.area.value = setting.text;
        this.marks = new Marks(this.area, find("marks"));
        this.area.addEventListener("input", () => this.set(this.area.value));
        this.#measure();
        find("types").addEventListener("change", () => {
            setting.type = find("types").value;
            changed();
        });
    }

    set(text) {
        this.setting.text = text;
        if (this.area.value !== text) this.area.value = text;
        this.#measure();
        this.changed();
    }

    /** Tells the page's style how long the longest line is. */
    #measure() {
        const longest = Math.max(...this.setting.text.split("\n").map((line) => line.length));
        document.documentElement.style.setProperty("--columns", longest);
    }

    /** Call it when the present text is about to be read. */
    begins() {
        this.asking = this.setting.text;
    }

    /** Shows what reading has given. more: diagnostics besides. */
    show(read, type, more = []) {
        if (read.good) {
            this.#good = { text: this.asking, read };
            this.#showTypes(read, type);
        }
        this.showDiagnostics([...read.diagnostics, ...more]);
    }

    /* ---- Messages ------------------------------------------------------------------------------------------------ */

    /** The other messages are about files that the text includes. */
    #isInText({ file, line }) {
        return line > 0 && file === this.setting.name;
    }

    showDiagnostics(diagnostics) {
        find("diagnostics").replaceChildren(...diagnostics.map((diagnostic) => this.#rowOf(diagnostic)));
        this.marks.show(this.asking, diagnostics.filter((each) => this.#isInText(each)));
    }

    #rowOf(diagnostic) {
        const row = element("p", { className: diagnostic.severity });
        const place = diagnostic.line ? `${diagnostic.line}:${diagnostic.column}: ` : "";
        const code = diagnostic.code ? ` [PCM-${diagnostic.code}]` : "";
        row.append(element("button", { type: "button", className: "place" }, `${place}${diagnostic.severity}: ${diagnostic.message}${code}`));
        if (this.#isInText(diagnostic)) row.firstChild.addEventListener("click", () => this.select(diagnostic));
        if (diagnostic.fixes.length > 0) {
            const words = diagnostic.fixes.map((fix) => fix.text || "(nothing)").join(", ");
            const fix = element("button", { type: "button", className: "fix" }, `fix: ${words}`);
            fix.addEventListener("click", () => this.set(applyFixes(this.setting.text, diagnostic.fixes)));
            row.append(fix);
        }
        return row;
    }

    select(place) {
        this.area.focus();
        this.area.setSelectionRange(...span(this.setting.text, place));
    }

    /* ---- Sliders ------------------------------------------------------------------------------------------------- */

    #showTypes(read, chosen) {
        const list = find("types");
        list.replaceChildren(
            ...read.types.filter((type) => !type.native).map((type) => element("option", { value: type.name }, `${type.name} (${type.law})`)),
        );
        list.value = chosen ?? "";
    }

    /** A slider moved while an older text is still being read: only the last value counts. Returns whether one did. */
    settle() {
        if (!this.#wish) return false;
        const { value, wanted } = this.#wish;
        this.#wish = undefined;
        if (this.setting.text !== this.#good?.text && this.setting.text !== this.#slid) return false;
        const type = this.#good.read.types.find((each) => each.name === this.setting.type);
        const now = type?.values.find((each) => each.name === value);
        if (!now || !this.#isHere(type)) return false;
        this.#slid = withValue(this.#good.text, type, now, wanted);
        this.set(this.#slid);
        return true;
    }

    #change(value, wanted) {
        this.#wish = { value, wanted };
        if (!this.busy()) this.settle();
    }

    #controlOf(param, value) {
        const changed = (wanted) => this.#change(param.name, wanted);
        if (param.kind === "choice") return new Choice({ ...param }, changed);
        if (param.kind === "switch") return new Choice({ ...param, choices: ["false", "true"] }, changed);
        if (param.kind === "list" || param.kind === "text") return new Words(param, changed);
        const ends = { min: param.min ?? -Infinity, max: param.max ?? Infinity };
        return new Slider({ ...param, ...ends, value, unit: param.unit, integer: param.kind === "integer" }, changed);
    }

    /** Whether the type is in this text, and not in a file that it includes, which stays as it is. */
    #isHere({ file }) {
        return file === this.setting.name;
    }

    /** The sliders of a type. Returns whether they are others than before. */
    showSliders(type) {
        const params = new Map(type.model[0].parameters.map((param) => [param.name, param]));
        const key = `${type.name} ${type.law}`;
        const isNew = key !== this.#shown;
        if (isNew) {
            this.#shown = key;
            const known = type.values.filter((value) => params.has(value.name));
            this.#rows = Object.fromEntries(known.map((value) => [value.name, this.#controlOf(params.get(value.name), value.value)]));
            find("parameters").inert = !this.#isHere(type);
            find("parameters").replaceChildren(...Object.values(this.#rows).map(({ row }) => row));
        }
        for (const value of type.values) {
            this.#rows[value.name]?.set(value.value, value.holds && !value.mixed);
            this.#rows[value.name]?.setUnit?.(value.unit);
        }
        return isNew;
    }
}

/** Offers a text as a file. */
export function download(name, kind, text) {
    const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: kind })), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

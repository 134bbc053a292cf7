// SPDX-License-Identifier: MIT
// pictures.js - a picture of the page for each kind of curves.
import { element } from "../shared/elements.js";
import { text as number } from "../shared/numbers.js";
import { spansOf, svg } from "../shared/svg.js";
import { Axes } from "./axes.js";
import { kinds } from "./curves.js";

function gaps(curves) {
    const count = curves.reduce((sum, { y }) => sum + y.filter((value) => !Number.isFinite(value)).length, 0);
    return count > 0 ? [`${count} points are not finite`] : [];
}

const isZero = (curves) => curves.every(({ y }) => y.every((value) => value === 0));

/** A note is a text, or [name, value, unit], which is omitted if there is no value. */
function notesOf({ notes = [], curves }) {
    const told = notes.filter((note) => typeof note === "string" || Number.isFinite(note[1]));
    const words = told.map((note) => (typeof note === "string" ? note : `${note[0]} ${number(note[1])} ${note[2]}`.trim()));
    return [...(isZero(curves) ? ["zero everywhere"] : [words.join(", ")]), ...gaps(curves)].filter(Boolean).join("; ");
}

class Picture {
    #drawing = element("div", {});
    #notes = element("span", { className: "notes" });
    #svg = ""; // the picture's text; the page's copy would contain &nbsp;, which XML does not have
    #shown;
    #y; // name and unit of the axis
    #axes;

    constructor(kind, moved, save, sheet) {
        this.kind = kind;
        this.isVisible = true;
        this.#axes = new Axes(kind.x, kind.y, (axes) => {
            moved(axes);
            this.draw(axes);
        });
        const button = (name, act) => {
            const made = element("button", { type: "button" }, name);
            made.addEventListener("click", act);
            return made;
        };
        this.title = element("span", { className: "folded", hidden: true }, kind.title);
        const caption = element("figcaption", {}, this.title, this.#axes.box, this.#notes, button("SVG", () => save(this.#svg)), button("CSV", sheet));
        this.figure = element("figure", { id: `curve-${kind.name}`, hidden: true }, this.#drawing, caption);
    }

    /** With the pinned curves below it, faint. */
    show(answer, below, axes) {
        const faint = (below?.curves ?? []).map((curve) => ({ ...curve, label: `${curve.label}, pinned`, faint: true }));
        this.#shown = [...answer.curves, ...faint];
        this.#y = answer.y ?? this.kind.y;
        this.#notes.textContent = notesOf(answer);
        this.figure.hidden = false;
        this.#fold(isZero(this.#shown));
        this.draw(axes);
    }

    /** Of a picture that is zero everywhere only its title stays. */
    #fold(isFlat) {
        this.figure.classList.toggle("flat", isFlat);
        this.title.hidden = !isFlat;
        this.#axes.box.hidden = isFlat;
    }

    draw(axes) {
        if (!this.#shown) return;
        const { title, x } = this.kind;
        this.#svg = svg(title, x, this.#y, this.#shown, axes);
        this.#drawing.innerHTML = this.#svg;
        this.#axes.set(spansOf(this.#shown), axes);
    }

    hide() {
        this.#shown = undefined;
        this.figure.hidden = true;
        this.#drawing.replaceChildren();
    }
}

/** All pictures. setting().axes has the axes that the user moved, by the name of the kind; moved() is called after each
 * such move. save(name, svg) and sheet(name) are the actions of the buttons. */
export class Pictures {
    constructor(box, setting, moved, save, sheet) {
        this.setting = setting;
        this.all = kinds.map((kind) => {
            const changed = (axes) => {
                setting().axes = { ...setting().axes, [kind.name]: axes };
                moved();
            };
            return new Picture(kind, changed, (text) => save(kind.name, text), () => sheet(kind.name));
        });
        box.append(...this.all.map(({ figure }) => figure));
        const byFigure = new Map(this.all.map((picture) => [picture.figure, picture]));
        const seen = new IntersectionObserver((entries) => {
            for (const { target, isIntersecting } of entries) byFigure.get(target).isVisible = isIntersecting;
        });
        this.all.forEach(({ figure }) => seen.observe(figure));
    }

    /** Names of the kinds in sight, which the page knows only after drawing. */
    inSight() {
        return this.all.filter(({ isVisible, figure }) => isVisible || figure.hidden).map(({ kind }) => kind.name);
    }

    /** Names of all kinds but these. */
    others(names) {
        return this.all.map(({ kind }) => kind.name).filter((name) => !names.includes(name));
    }

    /** Shows the pictures that the answer has; a contact without states has no picture of states. */
    show({ curves, states }, below) {
        for (const picture of this.all) {
            const { name } = picture.kind;
            if (curves[name]) picture.show(curves[name], below?.curves?.[name], this.setting().axes[name] ?? {});
            else if (name === "states" && states.length === 0) picture.hide();
        }
    }
}

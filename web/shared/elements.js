// SPDX-License-Identifier: MIT
// elements.js - elements of a page made in one call.

/** An element with properties (those with a dash are attributes) and children, which are elements or texts. */
export function element(name, properties = {}, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties))
        if (key.includes("-")) made.setAttribute(key, value);
        else made[key] = value;
    made.append(...children);
    return made;
}

/** A table with a heading row; a row is an array of cells, or an element. */
export function table(headings, rows, properties = {}) {
    const cells = (kind, row) => row.map((cell) => element(kind, {}, cell));
    const body = rows.map((row) => (Array.isArray(row) ? element("tr", {}, ...cells("td", row)) : row));
    const head = element("thead", {}, element("tr", {}, ...cells("th", headings)));
    return element("table", properties, head, element("tbody", {}, ...body));
}

export function find(id) {
    return document.getElementById(id);
}

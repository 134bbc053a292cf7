// SPDX-License-Identifier: MIT
// text.js - small changes of .pcm text, at places that libpcm named: lines and columns from 1, columns in bytes.

/** Where the place starts in the text, and where it ends. */
export function span(text, { line, column, length }) {
    let start = 0;
    for (let i = 1; i < line; i++) start = text.indexOf("\n", start) + 1;
    const bytes = new TextEncoder().encode(text.slice(start));
    const count = (size) => new TextDecoder().decode(bytes.subarray(0, size)).length;
    return [start + count(column - 1), start + count(column - 1 + length)];
}

export function replaceAt(text, place, words) {
    const [start, end] = span(text, place);
    return text.slice(0, start) + words + text.slice(end);
}

/** Applies all fixes of a diagnostic, from the last place to the first. */
export function applyFixes(text, fixes) {
    const later = (a, b) => b.line - a.line || b.column - a.column;
    return [...fixes].sort(later).reduce((done, fix) => replaceAt(done, fix, fix.text), text);
}

/** A number in SI units, as the shortest text that reads back as the same number. */
const written = (value, unit) => (unit && unit !== "1" && typeof value === "number" ? `${value} [${unit}]` : `${value}`);

/** The text with that value of the type's parameter: replaces the value that is there, or adds it after the brace. */
export function withValue(text, type, value, wanted) {
    if (value.written) {
        const [start, end] = span(text, value);
        const unit = /^\s*\[[^\]]*\]/.exec(text.slice(end))?.[0] ?? "";
        return text.slice(0, start) + written(wanted, value.unit) + text.slice(end + unit.length);
    }
    const [, end] = span(text, type);
    const rest = text.slice(end);
    const brace = /^(?:[^#{;]|#[^\n]*)*\{/.exec(rest);
    if (brace) {
        const at = end + brace[0].length;
        return `${text.slice(0, at)} ${value.name} = ${written(wanted, value.unit)};${text.slice(at)}`;
    }
    const stop = end + Math.max(0, rest.indexOf(";"));
    return `${text.slice(0, stop)} { ${value.name} = ${written(wanted, value.unit)}; }${text.slice(stop)}`;
}

// SPDX-License-Identifier: MIT
// numbers.js - numbers as text.

/** With that many significant digits; NaN and infinities by name. */
export function text(number, digits = 4) {
    if (Number.isNaN(number)) return "NaN";
    if (!Number.isFinite(number)) return number > 0 ? "inf" : "-inf";
    const size = Math.abs(number);
    if (size !== 0 && (size < 1e-3 || size >= 1e6)) return number.toExponential(digits - 1);
    return String(Number(number.toPrecision(digits)));
}

export function withUnit(number, unit, digits = 4) {
    return unit ? `${text(number, digits)} ${unit}` : text(number, digits);
}

/** The value below which that share of the finite numbers lies; 0 if there are none. */
export function quantile(numbers, share) {
    const sorted = Float64Array.from(numbers).filter(Number.isFinite).sort();
    return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] : 0;
}

// SPDX-License-Identifier: MIT
// bytes.js - what the bytes of a chunk say, one after the other.

const STEPS = 65536; // of a binade
const INFINITE = 255 * STEPS;
/** Below 2 to this power, numbers have a constant spacing. */
const LINEAR = { n: -126, l: -4, w: 0, x: 0, y: 0, z: 0 };

function numbersOf(steps, linear) {
    const unit = Float64Array.from({ length: 256 }, (_, binade) => 2 ** (linear - 16 + Math.max(0, binade - 1)));
    return Float32Array.from(steps, (step) => {
        const size = Math.abs(step);
        if (size >= INFINITE) return size === INFINITE ? Math.sign(step) * Infinity : NaN;
        const number = (size < STEPS ? size : STEPS + (size & (STEPS - 1))) * unit[size >> 16];
        return step < 0 ? -number : number;
    });
}

/** The scalars of rotations, from their differences to those of unit quaternions. */
function addScalar([w, x, y, z]) {
    for (let i = 0; i < w.length; i++) {
        const rest = STEPS * STEPS - x[i] * x[i] - y[i] * y[i] - z[i] * z[i];
        if (rest > 0) w[i] += Math.floor(Math.sqrt(rest));
    }
}

export class Bytes {
    constructor(buffer) {
        this.view = new DataView(buffer);
        this.at = 0;
    }

    #skip(count) {
        this.at += count;
        return this.at - count;
    }

    u32() {
        return this.view.getUint32(this.#skip(4), true);
    }

    /** Numbers up to 2^53. */
    u64() {
        return this.u32() + this.u32() * 2 ** 32;
    }

    f32() {
        return this.view.getFloat32(this.#skip(4), true);
    }

    f64() {
        return this.view.getFloat64(this.#skip(8), true);
    }

    text() {
        const length = this.u32();
        return new TextDecoder().decode(new Uint8Array(this.view.buffer, this.#skip(length), length));
    }

    singles(count) {
        return Float32Array.from({ length: count }, () => this.f32());
    }

    integers(count) {
        return Uint32Array.from({ length: count }, () => this.u32());
    }

    /** A table whose columns have a name and a kind each: i integer, n number, l length; w, x, y, z of a rotation. */
    table(names, kinds) {
        const rows = this.u32();
        const columns = [];
        for (let i = 0; i < names.length; i++) columns.push(this.#column(rows, columns[0]));
        names.forEach((_, i) => kinds[i] === "w" && addScalar(columns.slice(i, i + 4)));
        return Object.fromEntries(names.map((name, i) => [name, kinds[i] === "i" ? columns[i] : numbersOf(columns[i], LINEAR[kinds[i]])]));
    }

    /** Words from their residuals to the prediction by the words above; the line through two of them starts again with
     * each key. */
    #column(rows, keys) {
        const words = new Int32Array(rows);
        if (rows === 0) return words;
        const bytes = new Uint8Array(this.view.buffer, this.#skip(1 + 4 * rows), 1 + 4 * rows);
        const followLast = bytes[0] > 0 ? -1 : 0; // as masks
        const followRise = bytes[0] > 1 && keys ? -1 : 0;
        let last = 0;
        let rise = 0;
        for (let i = 0, at = 1; i < rows; i++, at++) {
            const missed = (bytes[at] << 24) | (bytes[at + rows] << 16) | (bytes[at + 2 * rows] << 8) | bytes[at + 3 * rows];
            if (followRise && i > 0 && keys[i] !== keys[i - 1]) rise = 0;
            const word = (((missed >>> 1) ^ -(missed & 1)) + (last & followLast) + (rise & followRise)) | 0;
            rise = (word - last) | 0;
            last = words[i] = word;
        }
        return words;
    }
}

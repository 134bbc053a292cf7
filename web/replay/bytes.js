// SPDX-License-Identifier: MIT
// bytes.js - what the bytes of a chunk say, one after the other.

const DROPPED = 7; // bits of a single's mantissa

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

    /** Columns of a table, of which those from number `singles` on are singles. */
    table(columns, singles) {
        const rows = this.u32();
        return Array.from({ length: columns }, (_, i) => this.#column(rows, i >= singles));
    }

    #column(rows, isSingle) {
        const planes = new Uint8Array(this.view.buffer, this.#skip(4 * rows), 4 * rows);
        const words = new Int32Array(rows);
        let last = 0;
        let rise = 0;
        for (let i = 0; i < rows; i++) {
            const bend = (planes[i] << 24) | (planes[rows + i] << 16) | (planes[2 * rows + i] << 8) | planes[3 * rows + i];
            rise = (rise + ((bend >>> 1) ^ -(bend & 1))) | 0;
            last = (last + rise) | 0;
            words[i] = isSingle ? (last < 0 ? 0x80000000 | (-last << DROPPED) : last << DROPPED) : last;
        }
        return isSingle ? new Float32Array(words.buffer) : words;
    }
}

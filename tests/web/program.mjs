// SPDX-License-Identifier: MIT
// usage: node program.mjs BUILD
//
// The program of the pages and the laws' modules are as small as pages can bear, and its malloc gives apart what is held
// at once and takes it back: the C library's would weigh 12 kB.
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { wasi } from "../../web/shared/wasi.js";

const web = join(process.argv[2], "web");
const program = readFileSync(join(web, "explore.wasm"));
const packed = gzipSync(program, { level: 9 }).length;
console.log(`libpcm: ${program.length} bytes, ${packed} packed`);
assert(program.length <= 300e3 && packed <= 115e3);
const laws = readdirSync(join(web, "laws")).filter((name) => name.endsWith(".wasm"));
const sizes = laws.map((law) => readFileSync(join(web, "laws", law)).length);
const all = sizes.reduce((sum, size) => sum + size, 0);
console.log(`${laws.length} laws: ${Math.min(...sizes)} to ${Math.max(...sizes)} bytes, ${all} together`);
assert(Math.max(...sizes) <= 45e3 && all <= 12e3 * laws.length);

let memory;
const { instance } = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: wasi(() => memory) });
const { malloc, free } = instance.exports;
memory = instance.exports.memory;

let state = 1;
function random(most) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * most);
}

const mostHeld = 300;
const held = []; // {at, size, mark}
function round(times) {
    for (let i = 0; i < times; i++) {
        if (held.length === mostHeld || random(3) === 0) {
            if (held.length === 0) continue;
            const [{ at, size, mark }] = held.splice(random(held.length), 1);
            assert(new Uint8Array(memory.buffer, at, size).every((byte) => byte === mark), `a block of ${size} bytes was changed`);
            free(at);
        } else {
            const size = random(2 ** random(13));
            const at = malloc(size);
            assert(at > 0 && at % 16 === 0);
            const mark = random(256);
            new Uint8Array(memory.buffer, at, size).fill(mark);
            held.push({ at, size, mark });
        }
    }
    for (const { at } of held.splice(0)) free(at);
}

round(20000);
const grown = memory.buffer.byteLength;
state = 1;
round(20000);
assert.equal(memory.buffer.byteLength, grown, "what was freed is not given out again");
free(0);
assert.equal(malloc(-1), 0);

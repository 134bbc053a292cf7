// SPDX-License-Identifier: MIT
// usage: node pcm.mjs PROGRAM.wasm LAWS FOLDER [WORD ...]
//
// The pcm command as WebAssembly, with the laws that lie in LAWS as NAME.wasm (which may be one file), and the files of
// FOLDER below their paths from there. Its standard output, standard error and status are this program's.
import { readFileSync, readdirSync, statSync, writeSync } from "node:fs";
import { join, relative } from "node:path";
import { loadLaw } from "../../web/shared/law.js";
import { Exit, wasi } from "../../web/shared/wasi.js";

const [program, laws, folder, ...args] = process.argv.slice(2);

function* filesOf(path) {
    if (!statSync(path).isDirectory()) return yield path;
    for (const name of readdirSync(path)) yield* filesOf(join(path, name));
}

const files = {};
for (const path of filesOf(folder)) files[relative(folder, path)] = new Uint8Array(readFileSync(path));
let memory;
const imports = wasi(() => memory, {
    args: ["pcm", ...args],
    files,
    written: (file, bytes) => writeSync(file, bytes),
});
const { instance } = await WebAssembly.instantiate(readFileSync(program), { wasi_snapshot_preview1: imports });
memory = instance.exports.memory;
try {
    for (const path of filesOf(laws))
        if (path.endsWith(".wasm")) instance.exports.linked_add(await loadLaw(instance.exports, await WebAssembly.compile(readFileSync(path))));
    instance.exports._start();
} catch (error) {
    if (!(error instanceof Exit)) throw error;
    process.exitCode = error.status;
}

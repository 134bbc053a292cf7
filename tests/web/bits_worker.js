// SPDX-License-Identifier: MIT
// bits_worker.js - tools/wasm/bits.c in a browser's worker: {program, laws, contacts} in, what it writes out.
import { unpacked } from "../../web/shared/packed.js";
import { loadLaw } from "../../web/shared/law.js";
import { Exit, wasi } from "../../web/shared/wasi.js";

async function bits({ program, laws, contacts }) {
    let memory;
    let said = "";
    const imports = wasi(() => memory, {
        args: ["bits", contacts],
        written: (_file, bytes) => (said += new TextDecoder().decode(bytes)),
    });
    const { instance } = await WebAssembly.instantiate(await unpacked(program), { wasi_snapshot_preview1: imports });
    memory = instance.exports.memory;
    for (const law of laws)
        instance.exports.linked_add(await loadLaw(instance.exports, await WebAssembly.compile(await unpacked(law))));
    try {
        instance.exports._start();
    } catch (error) {
        if (!(error instanceof Exit) || error.status !== 0) said += `${error}\n`;
    }
    return said;
}

onmessage = ({ data }) => bits(data).then(postMessage, (error) => postMessage(`${error}`));

// SPDX-License-Identifier: MIT
// program.js - libpcm in this page: laws are loaded and texts read by its own C code.
import { loadLaw } from "./law.js";
import { unpacked } from "./packed.js";
import { wasi } from "./wasi.js";

export class Program {
    resting = new Map(); // laws of the page that no text has named yet: name to packed module
    rejected = []; // what is wrong with laws, since they were asked for

    /** files: those that the text may include, by path, as bytes. */
    static async start(program, files) {
        const engine = new this();
        engine.said = "";
        const imports = wasi(() => engine.exports.memory, {
            files,
            written: (_file, bytes) => (engine.said += new TextDecoder().decode(bytes)),
        });
        const { instance } = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: imports });
        engine.exports = instance.exports;
        engine.exports._initialize();
        engine.held = Object.values(files).map((bytes) => new TextDecoder().decode(bytes)).join("\n");
        return engine;
    }

    #put(text) {
        const bytes = new TextEncoder().encode(text);
        const at = this.exports.malloc(bytes.length + 1);
        const memory = new Uint8Array(this.exports.memory.buffer);
        memory.set(bytes, at);
        memory[at + bytes.length] = 0;
        return at;
    }

    #answer(at) {
        const bytes = new Uint8Array(this.exports.memory.buffer);
        return JSON.parse(new TextDecoder().decode(bytes.subarray(at, bytes.indexOf(0, at))));
    }

    /** Calls a function with texts and numbers as arguments. */
    call(name, ...values) {
        const texts = [];
        this.said = "";
        const given = values.map((value) => {
            if (typeof value !== "string") return value;
            texts.push(this.#put(value));
            return texts.at(-1);
        });
        const result = this.exports[name](...given);
        texts.forEach((at) => this.exports.free(at));
        return result;
    }

    /** The same for functions that answer in JSON. */
    ask(name, ...values) {
        return this.#answer(this.call(name, ...values));
    }

    /** Loads a law's module, or records the error that was delivered instead of it. Returns its faults as texts. */
    async link(module) {
        if (module instanceof Error) return [module.message];
        let entry;
        try {
            entry = await loadLaw(this.exports, module);
        } catch (error) {
            return [error.message];
        }
        return this.ask("page_link", entry).diagnostics.map(({ message }) => message);
    }

    /** Compiles in parallel those laws that are not loaded yet. */
    async #load(names) {
        const wanted = [...names].filter((name) => this.resting.has(name));
        const modules = wanted.map((name) => {
            const bytes = unpacked(this.resting.get(name));
            this.resting.delete(name);
            return bytes.then((binary) => WebAssembly.compile(binary)).catch((error) => error);
        });
        for (const [i, module] of (await Promise.all(modules)).entries())
            for (const message of await this.link(module)) this.rejected.push({ name: wanted[i], message });
    }

    /** Reads the text with the laws that it names; if it has errors, with all laws, so that libpcm can suggest one. */
    async read(name, text) {
        await this.#load(new Set(`${text}\n${this.held}`.match(/\w+/g)));
        const first = this.ask("page_read", name, text);
        if (first.good || this.resting.size === 0) return first;
        await this.#load([...this.resting.keys()]);
        return this.ask("page_read", name, text);
    }
}

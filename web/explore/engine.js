// SPDX-License-Identifier: MIT
// engine.js - libpcm in this page: texts are read, and a contact is moved, by the C code of the laws.
import { loadLaw } from "../shared/law.js";
import { wasi } from "../shared/wasi.js";

/** Columns of a row of motion, as in explore.c. */
const motionColumns = 6;

export class Engine {
    /** files: those that the text may include, by path, as bytes. */
    static async start(program, files) {
        const engine = new Engine();
        engine.said = "";
        const imports = wasi(() => engine.exports.memory, {
            files,
            written: (_file, bytes) => (engine.said += new TextDecoder().decode(bytes)),
        });
        const { instance } = await WebAssembly.instantiate(program, { wasi_snapshot_preview1: imports });
        engine.exports = instance.exports;
        engine.exports._initialize();
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
    #ask(name, ...values) {
        const texts = [];
        this.said = "";
        const given = values.map((value) => {
            if (typeof value !== "string") return value;
            texts.push(this.#put(value));
            return texts.at(-1);
        });
        const answer = this.#answer(this.exports[name](...given));
        texts.forEach((at) => this.exports.free(at));
        return answer;
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
        return this.#ask("page_link", entry).diagnostics.map(({ message }) => message);
    }

    read(name, text) {
        return this.#ask("page_read", name, text);
    }

    /** Puts a contact of the type on the rig; given: {name: number} for the law's inputs other than the motion. */
    open(type, between, given) {
        const lines = Object.entries(given).map(([name, value]) => `${name}=${value}`);
        const answer = this.#ask("page_open", type, between.join("\n"), lines.join("\n"));
        return answer.good ? answer : { ...answer, message: this.said };
    }

    derived({ force, depth, speed, mass, radius }) {
        return this.#ask("page_derived", force, depth, speed, mass, radius).derived;
    }

    /** Moves the contact through rows [t, depth, rate, way, slip, begins]. columns: names of all results; wanted: names
     * of the results to return as arrays. */
    run(rows, columns, wanted = columns) {
        const room = this.exports.page_motion(rows.length);
        const motion = new Float64Array(this.exports.memory.buffer, room, rows.length * motionColumns);
        for (let i = 0, at = 0; i < rows.length; i++) for (let k = 0; k < motionColumns; k++) motion[at++] = rows[i][k];
        const answers = this.exports.page_run(rows.length); // this call may move the memory
        const results = new Float64Array(this.exports.memory.buffer, answers);
        const columnOf = (name) => {
            const values = new Array(rows.length);
            for (let i = 0, at = columns.indexOf(name); i < rows.length; i++, at += columns.length) values[i] = results[at];
            return values;
        };
        return Object.fromEntries(wanted.map((name) => [name, columnOf(name)]));
    }

    /** The normal force after one more row. */
    force(row, columns) {
        return this.run([row], columns, ["force_n"]).force_n[0];
    }
}

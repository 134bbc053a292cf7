// SPDX-License-Identifier: MIT
// engine.js - a contact on the rig, moved by the C code of the laws.
import { Program } from "../shared/program.js";

/** Columns of a row of motion, as in explore.c. */
const motionColumns = 6;

export class Engine extends Program {
    /** Puts a contact of the type on the rig; given: {name: number} for the law's inputs other than the motion. */
    open(type, between, given) {
        const lines = Object.entries(given).map(([name, value]) => `${name}=${value}`);
        const answer = this.ask("page_open", type, between.join("\n"), lines.join("\n"));
        return answer.good ? answer : { ...answer, message: this.said };
    }

    derived({ force, depth, speed, mass, radius }) {
        return this.ask("page_derived", force, depth, speed, mass, radius).derived;
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

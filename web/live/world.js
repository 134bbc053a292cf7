// SPDX-License-Identifier: MIT
// world.js - libpcm's world of a live scene: objects and pairs go in once, motion at each step, wrenches come out.
import { Program } from "../shared/program.js";

/** Numbers of a row, as in live.h. */
export const MOTION = 24;
const WRENCH = 6;
export const CONTACT = 28;
export const EVENT = 9;

export class World extends Program {
    #numbers(at, count) {
        return new Float64Array(this.exports.memory.buffer, at, count);
    }

    #room(numbers) {
        const at = this.exports.live_room(numbers.length);
        if (!at) throw new Error("out of memory");
        this.#numbers(at, numbers.length).set(numbers);
    }

    /** objects, pairs: as model.js has them; shapes: one for each object, undefined: it has none. */
    build(objects, shapes, pairs) {
        this.exports.live_clear();
        this.objects = objects;
        objects.forEach(({ names, surface, fixed, site, said, radius, mass, yields, own }, i) => {
            this.#room(own);
            this.call("live_object", names.join("\n"), surface, fixed, site >= 0, said, radius, mass, yields);
            if (!shapes[i]) return;
            const { kind, dimensions, numbers = [] } = shapes[i];
            this.#room(numbers);
            this.exports.live_shape(i, kind, ...dimensions);
        });
        this.#room(pairs.flatMap(({ a, b, apart }) => [a, b, Number(apart)]));
        this.exports.live_pairs(pairs.length);
    }

    /** The rules of the text that was read last act from now on; `good` false: those before go on. */
    begin() {
        return this.ask("live_begin");
    }

    reset() {
        return this.exports.live_reset();
    }

    /** The array that takes the motion. */
    motion() {
        return this.#numbers(this.exports.live_motion(), this.objects.length * MOTION);
    }

    update(time, step) {
        return this.exports.live_update(time, step);
    }

    wrenches() {
        return this.#numbers(this.exports.live_wrenches(), this.objects.length * WRENCH);
    }

    commit() {
        return this.exports.live_commit();
    }

    /** Copies of the rows of the last update, and of the events of the last commit. */
    contacts() {
        return this.#numbers(this.exports.live_contacts(), this.exports.live_count() * CONTACT).slice();
    }

    events() {
        const count = this.exports.live_event_count();
        return count ? Array.from(this.#numbers(this.exports.live_events(), count * EVENT)) : [];
    }

    count() {
        return this.exports.live_count();
    }

    stable() {
        return this.exports.live_stable();
    }

    ahead(time, step) {
        return this.exports.live_ahead(time, step);
    }

    energies() {
        return Array.from(this.#numbers(this.exports.live_energies(), 4));
    }

    /** Diagnostics since the last call. */
    messages() {
        return JSON.parse(this.ask("live_said").said).diagnostics;
    }
}

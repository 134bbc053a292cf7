// SPDX-License-Identifier: MIT
// runner.js - the worker of a scene: asked one thing after the other, and ended if it does not answer.
import { find } from "../shared/elements.js";

const STARTING = 60000; // the same for the first one, which compiles MuJoCo

export class Runner {
    #asked = new Map(); // number: {resolve, reject, timer}
    #last = 0;
    #queue = Promise.resolve();
    limit = 10000; // ms that an answer may take

    /** ended(message): the worker did not answer, and is gone. */
    constructor(data, ended) {
        Object.assign(this, { data, ended });
    }

    /** Starts a worker; its answer describes the scene. */
    start() {
        const source = new Blob([find("worker").textContent], { type: "text/javascript" });
        this.worker = new Worker(URL.createObjectURL(source));
        this.worker.onmessage = ({ data }) => this.#take(data);
        this.worker.onerror = (event) => this.#end(event.message || "the scene's program stopped");
        const { laws, files, scene, controls } = this.data;
        const text = (id) => find(id).textContent.trim();
        const answer = this.#post("start", { mujoco: text("mujoco"), program: text("program"), laws, files, scene, controls }, STARTING);
        this.#queue = answer.catch(() => {});
        return answer;
    }

    #take({ id, answer, error }) {
        const { resolve, reject, timer } = this.#asked.get(id);
        clearTimeout(timer);
        this.#asked.delete(id);
        if (error === undefined) resolve(answer);
        else reject(new Error(error));
    }

    #post(kind, values, limit = this.limit) {
        const id = ++this.#last;
        return new Promise((resolve, reject) => {
            const timer = setTimeout(() => this.#end(`A law or the text did not return within ${limit / 1000} s`), limit);
            this.#asked.set(id, { resolve, reject, timer });
            this.worker.postMessage({ id, kind, ...values });
        });
    }

    #end(message) {
        this.worker.terminate();
        for (const { reject, timer } of this.#asked.values()) {
            clearTimeout(timer);
            reject(new Error(message));
        }
        this.#asked.clear();
        this.#queue = Promise.resolve();
        this.ended(message);
    }

    /** Asks the worker, after what was asked before. */
    ask(kind, values = {}) {
        const answer = this.#queue.then(() => this.#post(kind, values, values.patient ? STARTING : this.limit));
        this.#queue = answer.catch(() => {});
        return answer;
    }

    idle() {
        return this.#queue;
    }
}

// SPDX-License-Identifier: MIT
// player.js - the clock of a running scene: its past can be looked at, its end runs on.
import { element } from "../shared/elements.js";
import { button, Player } from "../replay/player.js";

export class LivePlayer extends Player {
    /** page: runs the scene; keys: names of its keyframes. */
    constructor(into, page, keys) {
        super(into, page.record, (frame) => page.showFrame(frame));
        this.page = page;
        this.starts = element("select", { id: "keyframe", "aria-label": "where reset begins", hidden: keys.length === 0 });
        this.starts.append(element("option", { value: -1 }, "start"), ...keys.map((name, i) => element("option", { value: i }, name)));
        into.append(
            button("reset", "reset", "begin again (R)", () => this.reset()),
            this.starts,
            button("push", "push", "push the body that was pulled last, or the first, away from the eye (P)", () => page.push()),
        );
        Object.assign(this.keys, { r: () => this.reset(), p: () => page.push(), f: () => document.getElementById("follow").click() });
    }

    get #end() {
        return this.record.times.length - 1;
    }

    reset() {
        return this.page.reset(Number(this.starts.value));
    }

    toggle() {
        if (this.playing) return this.stop();
        this.go(this.#end);
        this.start();
        return this.page.run();
    }

    /** At the end a step goes on by one of the scene's. */
    step(count) {
        const isNext = count > 0 && this.frame === this.#end;
        this.stop();
        if (isNext) this.page.advance(this.page.scene.timestep);
        else this.go(this.frame + count);
    }

    /** Looks at the past, which stops the scene. */
    seek(frame) {
        if (frame < this.#end) this.stop();
        this.go(frame);
    }

    /** The record has a frame more, or is another one. */
    grow() {
        this.record = this.page.record;
        this.page.details.record = this.record;
        if (this.page.view) this.page.view.record = this.page.view.bodies.record = this.record;
        this.slider.max = this.#end;
        this.go(this.#end);
    }
}

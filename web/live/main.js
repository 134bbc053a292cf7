// SPDX-License-Identifier: MIT
// main.js - a running scene: asks the worker for frames, records them, and shows them as a recorded run is shown.
import { Details, showSums } from "../replay/details.js";
import { filmOf, imageOf } from "../replay/film.js";
import { Lanes } from "../replay/lanes.js";
import { makeView, Quantities, say, setUpTools, showTitle } from "../replay/parts.js";
import { showRules } from "../replay/rules.js";
import { replayOf } from "../replay/writer.js";
import { keepAddress, readAddress } from "../shared/address.js";
import { download, Editor } from "../shared/editor.js";
import { element, find } from "../shared/elements.js";
import { Slider } from "../shared/sliders.js";
import { unpacked } from "../shared/packed.js";
import { Grip } from "./grip.js";
import { LivePlayer } from "./player.js";
import { Recording } from "./recording.js";
import { Runner } from "./runner.js";

const PUSH = 0.5; // m/s, by which a push moves a body
const RARELY = 400; // ms between drawings of lanes and plots
const LONGEST = 0.25; // s that one frame may catch up

class Page {
    constructor(data) {
        this.data = data;
        this.setting = { name: data.name, text: data.text, type: undefined };
        this.faults = [];
        this.pace = { simulated: 0, real: 0, parts: 1 };
        this.runner = new Runner(data, (message) => this.#ended(message));
    }

    /* ---- Start --------------------------------------------------------------------------------------------------- */

    async open() {
        const linked = this.#linked();
        const { scene } = await this.runner.start();
        scene.subjects.forEach((subject) => (subject.moves = !scene.bodies[subject.body].fixed));
        this.scene = scene;
        this.recording = new Recording(scene, this.data.version ?? "");
        this.faults.push(...scene.notes);
        if (linked) this.setting.text = linked;
        this.editor = new Editor(this.setting, () => this.read(), () => this.reading);
        await this.read();
        if (!this.lastGood && linked) this.editor.set(this.data.text);
        const { frame } = await this.runner.ask("reset", { key: -1 });
        this.recording.take(frame, []);
        this.#show();
        this.say();
        document.body.dataset.ready = performance.now();
    }

    #linked() {
        try {
            return readAddress()?.text;
        } catch {
            this.faults.push("the address of this page holds no text that could be read");
            return undefined;
        }
    }

    get record() {
        this.recording.record.isLive = true;
        return this.recording.record;
    }

    #show() {
        const { record, scene } = this;
        showTitle(scene.title, describe(scene, this.data));
        this.view = makeView(record, (contact) => this.choose(contact));
        setUpTools(this.view, record);
        this.state = element("div", { id: "state", role: "status" });
        find("view").append(this.state, element("p", { className: "hints" }, "drag a body: pull \u00b7 P: push \u00b7 R: reset"));
        this.details = new Details(find("details"), record, (time) => this.player.seek(this.record.frameAt(time)));
        this.lanes = new Lanes(find("lanes"), record, (contact) => this.choose(contact), (frame) => this.player.seek(frame));
        this.quantities = new Quantities(find("quantities"), record, (time) => this.player.seek(this.record.frameAt(time)));
        this.player = new LivePlayer(find("player"), this, scene.keys);
        if (this.view) this.grip = new Grip(this.view, this);
        find("save").addEventListener("click", () => download(this.setting.name, "text/plain", this.setting.text));
        find("save-replay").addEventListener("click", () => this.#saveReplay());
        for (const id of ["sums", "quantities"]) find(id).parentElement.addEventListener("toggle", () => this.showRarely());
        this.#addControls();
        this.#showRules();
        this.player.go(0);
    }

    #addControls() {
        const { actuators } = this.scene;
        find("actuators").parentElement.hidden = actuators.length === 0;
        find("actuators").append(
            ...actuators.map(({ name, limited, range }, actuator) => {
                const [min, max] = limited ? range : [-1, 1];
                const slider = new Slider({ name, unit: "", value: 0, min, max }, (value) => {
                    slider.set(value);
                    this.runner.ask("control", { actuator, value });
                });
                slider.set(0);
                return slider.row;
            }),
        );
    }

    /* ---- The text ------------------------------------------------------------------------------------------------ */

    /** Reads the text; its rules act from the next step on. */
    async read() {
        if (this.reading) {
            this.again = true;
            return;
        }
        this.reading = true;
        this.editor.begins();
        const { name, text } = this.setting;
        try {
            this.#adopt(text, await this.runner.ask("read", { name, text }));
        } catch (error) {
            this.editor.showDiagnostics([{ severity: "error", message: error.message, fixes: [] }]);
        }
        this.reading = false;
        document.body.dataset.read = (this.reads = (this.reads ?? 0) + 1);
        const again = this.again;
        this.again = false;
        if (!this.editor.settle() && again) await this.read();
    }

    #adopt(text, { read, adopted, rejected, messages }) {
        const real = read.types?.filter((type) => !type.native) ?? [];
        const own = real.filter(({ file }) => file === this.setting.name);
        const type = real.find((each) => each.name === this.setting.type) ?? own[0] ?? real[0];
        const more = [...messages, ...rejected.map(({ name, message }) => ({ severity: "error", message: `${name}: ${message}`, fixes: [] }))];
        if (adopted.why) more.push({ severity: "error", message: adopted.why, fixes: [] });
        this.editor.show(read, type?.name, more);
        if (!adopted.good) return;
        this.lastGood = text;
        this.setting.type = type?.name;
        if (type) this.editor.showSliders(type);
        this.recording.follow(read, this.setting.name, text, this.data.files);
        this.#noteShapes(adopted);
        if (this.player) {
            this.#showRules();
            keepAddress(() => ({ text: this.setting.text }));
        }
    }

    /** Pairs that a law would serve, but whose geoms libpcm-geometry has no shape for. */
    #noteShapes({ served }) {
        const left = served.filter((each) => each === 2).length;
        this.shapeless = left > 0 ? `MuJoCo handles ${left} pair${left === 1 ? "" : "s"} that a rule gives to a law: this page has no shapes for ellipsoids and signed distances.` : "";
        this.say();
    }

    #showRules() {
        showRules(find("rules-list"), this.record, (index) => {
            this.chosen = undefined;
            this.details.chooseRule(index);
            this.lanes.filterBy(this.record.ruleText(index));
        });
    }

    say(fault) {
        if (fault && !this.faults.includes(fault)) this.faults.push(fault);
        say([...this.faults, ...(this.shapeless ? [this.shapeless] : [])]);
    }

    /* ---- Time ---------------------------------------------------------------------------------------------------- */

    /** Asks for frames as long as the scene runs. */
    async run() {
        let last = performance.now();
        this.pace = { simulated: 0, real: 0, parts: 1 };
        while (this.player.playing) {
            const now = performance.now();
            const real = Math.min(LONGEST, (now - last) / 1000);
            last = now;
            // The worker computes while the browser draws.
            const asked = this.advance(Math.max(this.scene.timestep, real * this.player.speed), real);
            await Promise.all([asked, new Promise((resolve) => requestAnimationFrame(resolve))]);
        }
    }

    /** Lets the scene go on; patient: however long it takes. */
    async advance(span, real = 0, patient = false) {
        try {
            const answer = await this.runner.ask("advance", { span, patient });
            this.recording.take(answer.frame, answer.events);
            this.motion = answer.motion;
            this.proven = this.lastGood;
            this.#keepPace(answer, real);
            for (const { severity, message } of answer.messages) if (severity !== "note") this.say(message);
            if (answer.failure) {
                this.say(`The scene stopped: ${answer.failure}. Change the rules and press reset.`);
                this.player.stop();
            }
            this.player.grow();
        } catch (error) {
            this.say(error.message);
            this.player.stop();
        }
    }

    #keepPace({ passed, frame }, real) {
        const { pace } = this;
        pace.simulated = 0.9 * pace.simulated + passed;
        pace.real = 0.9 * pace.real + real;
        pace.parts = frame.parts;
        const share = pace.real > 0 ? pace.simulated / pace.real / this.player.speed : 1;
        const words = [];
        if (pace.real > 0.2 && share < 0.9) words.push(`slower than asked: ${Number((share * this.player.speed).toPrecision(2))} \u00d7 real time`);
        if (frame.parts > 1) words.push(`each step is taken in ${frame.parts} parts, as stiff contacts need`);
        this.state.textContent = words.join("; ");
    }

    async reset(key) {
        this.player.stop();
        await this.settled();
        const { frame } = await this.runner.ask("reset", { key });
        this.recording.restart();
        this.recording.take(frame, []);
        this.faults = [...this.scene.notes];
        this.say();
        this.chosen = undefined;
        this.details.forget();
        if (this.view) this.view.record = this.record;
        this.view?.bodies && (this.view.bodies.record = this.record);
        for (const part of [this.player, this.details]) part.record = this.record;
        this.state.textContent = "";
        this.player.grow();
        this.showRarely();
        document.body.dataset.reset = (this.resets = (this.resets ?? 0) + 1);
    }

    /** Until the worker has nothing to do. */
    async settled() {
        await this.runner.idle();
    }

    push() {
        const body = this.grip?.body ?? this.scene.bodies.findIndex(({ fixed }) => !fixed);
        if (body < 0) return;
        const velocity = this.view ? this.view.ahead().map((part) => PUSH * part) : [PUSH, 0, 0];
        this.runner.ask("push", { body, velocity });
    }

    /** The worker was ended; a new one begins with the last rules by which the scene has run. */
    async #ended(message) {
        if (!this.player) return;
        this.player.stop();
        this.reading = true;
        const ended = this.setting.text;
        const { name } = this.setting;
        this.lastGood = this.proven ?? this.data.text;
        await this.runner.start();
        const { read, adopted } = await this.runner.ask("read", { name, text: this.lastGood });
        if (adopted.good) this.recording.follow(read, name, this.lastGood, this.data.files);
        this.reading = this.again = false;
        await this.reset(-1);
        this.say(`${message}. The scene begins again, with the last rules by which it has run.`);
        if (this.setting.text !== ended) await this.read();
    }

    /* ---- What is shown ------------------------------------------------------------------------------------------- */

    /** A picture after that time, as a data: address; and a film until then. */
    async image(time, width, height) {
        await this.reset(-1);
        await this.advance(time, 0, true);
        return imageOf(this.view, width, height);
    }

    async video(time, width, height) {
        await this.reset(-1);
        return filmOf(this.view, width, height, time, async (at) => {
            const rest = at - this.record.times.at(-1);
            if (rest > 0) await this.advance(rest, 0, true);
        });
    }

    choose(contact) {
        this.chosen = contact;
        this.details.choose(contact);
        this.showFrame(this.player.frame);
    }

    showFrame(frame) {
        const before = performance.now();
        this.view?.show(frame, this.chosen);
        this.grip?.show();
        this.lanes.show(frame, this.chosen);
        this.details.show(frame);
        this.quantities.show(this.record.times[frame]);
        if (!this.rarely)
            this.rarely = setTimeout(() => {
                this.rarely = undefined;
                this.showRarely();
            }, RARELY);
        document.body.dataset.frame = frame;
        document.body.dataset.spent = performance.now() - before;
    }

    /** What costs more than a frame has. */
    showRarely() {
        const { record } = this;
        this.lanes.read(record);
        this.player.mark();
        this.#showRules();
        if (find("quantities").parentElement.open) this.quantities.fill(record);
        if (find("sums").parentElement.open) showSums(find("sums"), record, this.player.frame);
    }

    async #saveReplay() {
        const viewer = new TextDecoder().decode(await unpacked(find("replay").textContent.trim()));
        const page = await replayOf(viewer, this.record);
        download(`${this.scene.title.replace(/[^\w-]+/g, "_") || "run"}.html`, "text/html", page);
    }
}

const counted = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

/** The scene's own words, or what it consists of. */
function describe(scene, data) {
    if (scene.description) return scene.description;
    const moving = scene.bodies.filter(({ fixed }) => !fixed).length;
    const parts = [counted(moving, "moving body").replace("bodys", "bodies"), data.controls ? "moved by a table of controls" : scene.actuators.length ? counted(scene.actuators.length, "actuator") : ""];
    return `${parts.filter(Boolean).join(", ")}; steps of ${Number((1000 * scene.timestep).toPrecision(3))} ms`;
}

/** A page of a folder has its data beside it. */
async function dataOf() {
    const held = JSON.parse(find("data").textContent);
    if (typeof held !== "string") return held;
    await new Promise((resolve, reject) => {
        const script = element("script", { src: held, onload: resolve });
        script.onerror = () => reject(new Error(`${held} is missing: it belongs beside this page`));
        document.head.append(script);
    });
    return globalThis.pcmData;
}

async function begin() {
    if (typeof WebAssembly !== "object") return say(["This browser has WebAssembly switched off, by which the scene runs: allow it for this page, or open the page in another browser."]);
    try {
        const data = await dataOf();
        if (data.controls) {
            const at = data.controls.names.indexOf("time");
            if (at < 0) throw new Error("the table of controls has no column time");
            data.controls.times = data.controls.rows.map((row) => row[at]);
        }
        const page = new Page(data);
        window.pcm = page;
        await page.open();
    } catch (error) {
        say([`The scene cannot run here: ${error.message}`]);
        document.body.dataset.failed = "true";
    }
}

begin();

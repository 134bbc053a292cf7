// SPDX-License-Identifier: MIT
// film.js - pictures and films of the view, for papers and documents: `pcm replay --image` and `--video` ask for them.

import { element } from "../shared/elements.js";

const RATE = 30; // pictures a second

/** The view with its scales, drawn with smooth edges and soft shadows, whatever the window has. */
function posed(view, width, height) {
    view.pose(width, height);
    const canvas = element("canvas", { width, height });
    const context = canvas.getContext("2d");
    context.drawImage(view.renderer.domElement, 0, 0);
    const { force, chosen } = view.colors;
    const [x, y] = [18, height - 20];
    const scale = view.forceScaleAt(height);
    const end = x + (scale?.pixels ?? 0);
    context.font = "13px system-ui, sans-serif";
    if (scale) {
        context.fillStyle = force;
        context.fill(new Path2D(`M${x} ${y - 1.5}H${end - 12}V${y - 5}L${end} ${y}L${end - 12} ${y + 5}V${y + 1.5}H${x}Z`));
    }
    context.fillStyle = chosen;
    context.fillText([scale?.words, view.gridScale.textContent].filter(Boolean).join("     "), end + (scale ? 8 : 0), y + 4);
    return canvas;
}

/** A picture as a data: address. */
export function imageOf(view, width, height) {
    return posed(view, width, height).toDataURL("image/png");
}

/* ---- WebM -------------------------------------------------------------------------------------------------------- */

/** An element of EBML: its id, its size in 8 bytes, its contents. */
function box(id, ...contents) {
    const size = contents.reduce((sum, part) => sum + part.length, 0);
    const head = [];
    for (let rest = id; rest > 0; rest = Math.floor(rest / 256)) head.unshift(rest % 256);
    const made = new Uint8Array(head.length + 8 + size);
    made.set([...head, 1]);
    new DataView(made.buffer).setUint32(head.length + 4, size);
    let at = head.length + 8;
    for (const part of contents) {
        made.set(part, at);
        at += part.length;
    }
    return made;
}

function number(id, value) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
    return box(id, bytes);
}

function real(id, value) {
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setFloat64(0, value);
    return box(id, bytes);
}

const text = (id, words) => box(id, new TextEncoder().encode(words));

function track(width, height) {
    const video = box(0xe0, number(0xb0, width), number(0xba, height));
    return box(0x1654ae6b, box(0xae, number(0xd7, 1), number(0x73c5, 1), number(0x83, 1), text(0x86, "V_VP8"), video));
}

/** A block of a frame, in a cluster of its own. */
function cluster({ time, isKey, bytes }) {
    return box(0x1f43b675, number(0xe7, Math.round(1000 * time)), box(0xa3, [0x81, 0, 0, isKey ? 0x80 : 0], bytes));
}

function webm(frames, width, height, seconds) {
    const head = box(0x1a45dfa3, number(0x4286, 1), number(0x42f7, 1), number(0x42f2, 4), number(0x42f3, 8), text(0x4282, "webm"), number(0x4287, 2), number(0x4285, 2));
    const info = box(0x1549a966, number(0x2ad7b1, 1000000), text(0x4d80, "PCM"), text(0x5741, "PCM"), real(0x4489, 1000 * seconds));
    const segment = [info, track(width, height), ...frames.map(cluster)];
    return new Blob([head, box(0x18538067, ...segment)]);
}

function addressOf(blob) {
    return new Promise((resolve) => {
        const reader = new FileReader();
        reader.onload = () => resolve(reader.result);
        reader.readAsDataURL(blob);
    });
}

/** A film of that many seconds as a data: address; at(time): shows that time. */
export async function filmOf(view, width, height, seconds, at) {
    if (!globalThis.VideoEncoder) throw new Error("this browser cannot encode films");
    const frames = [];
    let fault;
    const encoder = new VideoEncoder({
        output: (chunk) => {
            const bytes = new Uint8Array(chunk.byteLength);
            chunk.copyTo(bytes);
            frames.push({ time: chunk.timestamp / 1e6, isKey: chunk.type === "key", bytes });
        },
        error: (error) => (fault = error),
    });
    const [wide, high] = [width, height].map((size) => 2 * Math.round(size / 2));
    encoder.configure({ codec: "vp8", width: wide, height: high, bitrate: 6e6, framerate: RATE });
    const count = Math.max(1, Math.round(seconds * RATE));
    for (let i = 0; i < count && !fault; i++) {
        await at(i / RATE);
        const picture = new VideoFrame(posed(view, wide, high), { timestamp: Math.round((1e6 * i) / RATE) });
        encoder.encode(picture, { keyFrame: i % 60 === 0 });
        picture.close();
        if (encoder.encodeQueueSize > 8) await new Promise((resolve) => setTimeout(resolve));
    }
    await encoder.flush();
    if (fault) throw fault;
    return addressOf(webm(frames, wide, high, count / RATE));
}

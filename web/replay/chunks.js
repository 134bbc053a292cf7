// SPDX-License-Identifier: MIT
// chunks.js - the chunks of the page, as docs/replay.md describes them.
import { Bytes } from "./bytes.js";

const VERSION = 2;
const ELEMENTS = 'script[type="application/x-pcm"]';

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
    let crc = byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
    return crc;
});

/** The CRC-32 of bytes. */
export function checksum(bytes) {
    let crc = -1;
    for (const byte of bytes) crc = crcTable[(crc ^ byte) & 255] ^ (crc >>> 8);
    return (crc ^ -1) >>> 0;
}

/** The bytes encoded in a text of 7 bits a character. */
function bytesOf(text, count) {
    const bytes = new Uint8Array(count);
    let word = 0;
    let bits = 0;
    let made = 0;
    for (let i = 0; i < text.length; i++) {
        word = (word << 7) | (text.charCodeAt(i) & 127);
        bits += 7;
        if (bits >= 8) {
            bits -= 8;
            bytes[made++] = word >> bits;
        }
    }
    if (made < count) throw new Error("it is cut");
    return bytes;
}

async function unpack(text, { length, crc }) {
    const packed = bytesOf(text, Number(length));
    if (checksum(packed) !== parseInt(crc, 16)) throw new Error("its checksum is another one");
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    return new Bytes(await new Response(stream).arrayBuffer());
}

/** The entries of a list, stored at their numbers. */
function list(bytes, read) {
    const first = bytes.u32();
    return { first, entries: Array.from({ length: bytes.u32() }, () => read(bytes)) };
}

const place = (b) => ({ file: b.text(), line: b.u32() });

const value = (b) => ({ name: b.text(), text: b.text(), unit: b.text(), doc: b.text(), origin: b.u32(), ...place(b) });

const type = (b) => ({
    name: b.text(),
    law: b.text(),
    summary: b.text(),
    equations: b.text(),
    ...place(b),
    materials: [b.text(), b.text()],
    friction: b.f32(),
    values: Array.from({ length: b.u32() }, () => value(b)),
});

const shape = (b) => ({
    subject: b.u32(),
    kind: b.u32(),
    position: b.singles(3),
    orientation: b.singles(4),
    dimensions: b.singles(3),
    color: b.singles(4),
    columns: b.u32(),
    points: b.singles(3 * b.u32()),
    triangles: b.integers(3 * b.u32()),
});

const contactColumns = ["number", "idLow", "idHigh", "featureLow", "featureHigh", "a", "b", "rule", "type", "friction"];
const eventColumns = ["change", "timeHigh", "timeLow", "contact", "modeBefore", "mode"];
const poseColumns = ["subject", "frame", "x", "y", "z", "qw", "qx", "qy", "qz"];
const rowColumns = [
    ...["contact", "frame", "mode", "x", "y", "z", "qw", "qx", "qy", "qz", "forceX", "forceY", "forceN"],
    ...["momentX", "momentY", "momentN", "depth", "slipX", "slipY", "energy", "work", "dissipated"],
];
const valueColumns = ["quantity", "frame", "number"];

const pair = (high, low) => (high >>> 0) * 2 ** 32 + (low >>> 0);

function contactsOf(table) {
    return Array.from(table.number, (_, i) => ({
        id: pair(table.idHigh[i], table.idLow[i]),
        feature: pair(table.featureHigh[i], table.featureLow[i]),
        a: table.a[i] >>> 0,
        b: table.b[i] >>> 0,
        rule: table.rule[i] >>> 0,
        type: table.type[i] >>> 0,
        friction: table.friction[i],
    }));
}

/** In the order of time. */
function eventsOf(table, contacts) {
    const view = new DataView(new ArrayBuffer(8));
    const time = (i) => {
        view.setUint32(0, table.timeHigh[i]);
        view.setUint32(4, table.timeLow[i]);
        return view.getFloat64(0);
    };
    const events = Array.from(table.change, (change, i) => {
        const contact = table.contact[i];
        return { change, time: time(i), rule: contacts[contact].rule, contact };
    });
    return events.sort((x, y) => x.time - y.time);
}

function parse(bytes) {
    const version = bytes.u32();
    if (version !== VERSION) throw new Error(`its format is ${version}, which another version of PCM reads`);
    const said = {
        titles: list(bytes, (b) => ({ title: b.text(), version: b.text() })),
        sources: list(bytes, (b) => ({ name: b.text(), text: b.text() })),
        types: list(bytes, type),
        rules: list(bytes, (b) => ({ kind: b.u32(), a: b.text(), b: b.text(), type: b.u32(), ...place(b) })),
        subjects: list(bytes, (b) => ({ name: b.text(), surface: b.text(), isObject: b.u32() === 1 })),
        shapes: list(bytes, shape),
        cameras: list(bytes, (b) => ({ name: b.text(), eye: b.singles(3), target: b.singles(3), angle: b.f32() })),
        quantities: list(bytes, (b) => ({ name: b.text(), unit: b.text() })),
        times: list(bytes, (b) => b.f64()).entries,
    };
    const contacts = contactsOf(bytes.table(contactColumns, "iiiiiiiiin"));
    return {
        ...said,
        contacts,
        events: eventsOf(bytes.table(eventColumns, "iiiiii"), contacts),
        poses: bytes.table(poseColumns, "iilllwxyz"),
        rows: bytes.table(rowColumns, "iiilllwxyznnnnnnnnnnnn"),
        values: bytes.table(valueColumns, "iin"),
    };
}

/** Passes the intact chunks to take(), in order, and awaits any promise that it returns. Returns the faults of the
 * damaged chunks, as texts. */
export async function readChunks(take) {
    const faults = [];
    let number = 0;
    for (const element of document.querySelectorAll(ELEMENTS)) {
        number++;
        let chunk;
        try {
            chunk = parse(await unpack(element.textContent, { length: element.dataset.length, crc: element.dataset.crc }));
        } catch (fault) {
            faults.push(`chunk ${number} is damaged (${fault.message}): its frames are missing`);
        }
        element.remove();
        if (chunk) await take(chunk);
    }
    return faults;
}

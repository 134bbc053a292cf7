// SPDX-License-Identifier: MIT
// wasi.js - what a WebAssembly program of WASI asks of its system: a clock, random numbers, texts to write, and files
// that somebody gave it to read. There is nothing else.

const OK = 0;
const BAD_FILE = 8;
const NOT_THERE = 44;
const DIRECTORY = 3;
const REGULAR = 4;
const ROOT = 3; // the only folder that is open from the start

export class Exit extends Error {
    constructor(status) {
        super(`exit ${status}`);
        this.status = status;
    }
}

/** The imports of a program with these arguments. files: the contents of the one folder, by path, as bytes. written gets
 * the output to standard output (1) and error (2), as bytes. memory() returns the program's memory once it exists. */
export function wasi(memory, { args = [], files = {}, written = () => {} } = {}) {
    const open = new Map([[ROOT, { folder: true }]]);
    const bytes = () => new Uint8Array(memory().buffer);
    const view = () => new DataView(memory().buffer);
    const encoded = args.map((text) => new TextEncoder().encode(`${text}\0`));
    const textAt = (at, length) => new TextDecoder().decode(bytes().slice(at, at + length));

    /** Without "." and "..": nothing is above the one folder. */
    function plain(path) {
        const parts = [];
        for (const part of path.split("/"))
            if (part === "..") parts.pop();
            else if (part !== "." && part !== "") parts.push(part);
        return parts.join("/");
    }

    const held = Object.fromEntries(Object.entries(files).map(([path, data]) => [plain(path), data]));
    const paths = Object.keys(held);

    /** The entry at a path: a file, or a folder that contains files. */
    function find(at, length) {
        const path = plain(textAt(at, length));
        if (held[path]) return { data: held[path], number: paths.indexOf(path) + 1, place: 0 };
        return paths.some((other) => other.startsWith(`${path}/`)) ? { folder: true } : undefined;
    }

    function status(at, found) {
        bytes().fill(0, at, at + 64);
        view().setBigUint64(at + 8, BigInt(found.number ?? 0), true); // distinguishes one file from another
        view().setUint8(at + 16, found.folder ? DIRECTORY : REGULAR);
        view().setBigUint64(at + 32, BigInt(found.data?.length ?? 0), true);
        return OK;
    }

    const calls = {
        args_sizes_get(count, size) {
            view().setUint32(count, encoded.length, true);
            view().setUint32(size, encoded.reduce((sum, text) => sum + text.length, 0), true);
            return OK;
        },
        args_get(pointers, texts) {
            for (const text of encoded) {
                view().setUint32(pointers, texts, true);
                bytes().set(text, texts);
                pointers += 4;
                texts += text.length;
            }
            return OK;
        },
        environ_sizes_get(count, size) {
            view().setUint32(count, 0, true);
            view().setUint32(size, 0, true);
            return OK;
        },
        environ_get: () => OK,
        clock_time_get(_id, _precision, at) {
            view().setBigUint64(at, BigInt(Math.round(performance.now() * 1e6)), true);
            return OK;
        },
        random_get(at, length) {
            crypto.getRandomValues(bytes().subarray(at, at + length));
            return OK;
        },
        fd_prestat_get(file, at) {
            if (file !== ROOT) return BAD_FILE;
            view().setUint32(at, 0, true);
            view().setUint32(at + 4, 1, true);
            return OK;
        },
        fd_prestat_dir_name(_file, at) {
            bytes()[at] = 46; // "."
            return OK;
        },
        fd_fdstat_get(file, at) {
            bytes().fill(0, at, at + 24);
            view().setUint8(at, open.get(file)?.folder ? DIRECTORY : file < ROOT ? 2 : REGULAR);
            view().setBigUint64(at + 8, (1n << 30n) - 1n, true);
            view().setBigUint64(at + 16, (1n << 30n) - 1n, true);
            return OK;
        },
        fd_filestat_get(file, at) {
            const found = open.get(file);
            return found ? status(at, found) : BAD_FILE;
        },
        path_filestat_get(_file, _flags, path, length, at) {
            const found = find(path, length);
            return found ? status(at, found) : NOT_THERE;
        },
        path_open(_file, _look, path, length, _how, _rights, _inherited, _flags, at) {
            const found = find(path, length);
            if (!found) return NOT_THERE;
            const file = Math.max(...open.keys()) + 1;
            open.set(file, found);
            view().setUint32(at, file, true);
            return OK;
        },
        fd_read(file, pieces, count, at) {
            const from = open.get(file);
            if (!from?.data) return file === 0 ? (view().setUint32(at, 0, true), OK) : BAD_FILE;
            let done = 0;
            for (let i = 0; i < count; i++) {
                const [to, room] = [view().getUint32(pieces + 8 * i, true), view().getUint32(pieces + 8 * i + 4, true)];
                const part = from.data.subarray(from.place, from.place + room);
                bytes().set(part, to);
                from.place += part.length;
                done += part.length;
            }
            view().setUint32(at, done, true);
            return OK;
        },
        fd_write(file, pieces, count, at) {
            let done = 0;
            for (let i = 0; i < count; i++) {
                const [from, size] = [view().getUint32(pieces + 8 * i, true), view().getUint32(pieces + 8 * i + 4, true)];
                written(file, bytes().slice(from, from + size));
                done += size;
            }
            view().setUint32(at, done, true);
            return OK;
        },
        fd_seek(file, offset, whence, at) {
            const found = open.get(file);
            if (!found?.data) return 29; // a pipe cannot seek
            found.place = Number(offset) + [0, found.place, found.data.length][whence];
            view().setBigUint64(at, BigInt(found.place), true);
            return OK;
        },
        fd_close(file) {
            return open.delete(file) ? OK : BAD_FILE;
        },
        proc_exit(status) {
            throw new Exit(status);
        },
    };
    // All other calls that the C library knows are missing.
    return new Proxy(calls, { get: (known, name) => known[name] ?? (() => 52) });
}

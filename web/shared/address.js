// SPDX-License-Identifier: MIT
// address.js - what a page keeps in the fragment of its address, so that a link shows the same page.

const bytesOf = (base64) => Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));

/** What the address holds; undefined: nothing. Throws if it cannot be read. */
export function readAddress() {
    if (location.hash.length < 2) return undefined;
    return JSON.parse(new TextDecoder().decode(bytesOf(decodeURIComponent(location.hash.slice(1)))));
}

let waiting;

/** Writes what held() returns; delayed, as browsers accept only a few new addresses a second. Then calls done(). */
export function keepAddress(held, done = () => {}) {
    waiting ??= setTimeout(() => {
        waiting = undefined;
        const bytes = new TextEncoder().encode(JSON.stringify(held()));
        history.replaceState(null, "", `#${encodeURIComponent(btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")))}`);
        done();
    }, 400);
}

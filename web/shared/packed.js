// SPDX-License-Identifier: MIT
// packed.js - modules as pages hold them: by gzip, in base64.

/** The bytes of a packed module. */
export async function unpacked(base64) {
    const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
    const plain = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const whole = new Response(plain).arrayBuffer();
    return new Uint8Array(
        await whole.catch(() => {
            throw new Error("it is damaged: no gzip");
        }),
    );
}

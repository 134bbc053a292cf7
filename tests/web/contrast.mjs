// SPDX-License-Identifier: MIT
// usage: node contrast.mjs ROOT
//
// The colours of the pages, light and dark, have the contrast of WCAG AA: 4.5 for text, 3 for what is drawn.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const css = readFileSync(join(process.argv[2], "web/shared/colors.css"), "utf8");
const themes = [...css.matchAll(/:root[^{]*\{([^}]*)\}/g)].map(([, rules]) => Object.fromEntries([...rules.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, color]) => [name, color])));
assert.equal(themes.length, 2);

function luminance(color) {
    const parts = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16) / 255);
    const [red, green, blue] = parts.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(a, b) {
    const [dark, bright] = [luminance(a), luminance(b)].sort((x, y) => x - y);
    return (bright + 0.05) / (dark + 0.05);
}

const pairs = [
    ...["text", "soft", "link", "error", "warning"].flatMap((text) => ["back", "panel"].map((back) => [text, back, 4.5])),
    ["text", "chosen", 4.5],
    ["text", "marked", 4.5],
    ["text", "fault", 4.5],
    ["error", "fault", 4.5],
    ...["force", "stick", "slip", "touch", "apart"].map((drawn) => [drawn, "back", 3]),
];
for (const theme of themes)
    for (const [front, back, least] of pairs) {
        const found = contrast(theme[front], theme[back]);
        assert(found >= least, `${front} ${theme[front]} on ${back} ${theme[back]}: ${found.toFixed(2)}, not ${least}`);
    }
console.log(`${2 * pairs.length} pairs of colours have their contrast`);

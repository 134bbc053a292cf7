// SPDX-License-Identifier: MIT
// modes.js - what a contact does, as words, colours and patterns: never by its hue alone.

export const NONE = 0xffffffff;

/** By number; the colours are distinct for people who cannot tell red from green. */
export const modes = [
    { name: "apart", color: "#6b7280" },
    { name: "stick", color: "#0072b2" },
    { name: "slip", color: "#d55e00" },
    { name: "touch", color: "#009e73" },
];

export function modeOf(number) {
    return modes[number] ?? { name: `mode ${number}`, color: "#000000" };
}

export const changes = ["made", "parted", "broken", "removed", "mode"];
export const ruleKinds = ["ObjectPair", "SurfacePair", "DefaultPair"];

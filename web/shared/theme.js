// SPDX-License-Identifier: MIT
// theme.js - light or dark: as the system has it, until the button is pressed.
import { find } from "./elements.js";

/** changed(theme) is called at once, and after each change. */
export function setUpTheme(changed = () => {}) {
    const { dataset } = document.documentElement;
    const wear = (theme) => {
        dataset.theme = theme;
        find("theme").textContent = theme === "dark" ? "light" : "dark";
        changed(theme);
    };
    find("theme").addEventListener("click", () => wear(dataset.theme === "dark" ? "light" : "dark"));
    wear(dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light"));
}

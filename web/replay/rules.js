// SPDX-License-Identifier: MIT
// rules.js - the rules as a list, with what became of them: one without a contact stands out.
import { element, table } from "../shared/elements.js";
import { changes } from "../shared/modes.js";

/** For each rule, its number of contacts and how they ended. */
function countsOf(record) {
    const counts = record.rules.map(() => ({ contacts: 0, made: 0, parted: 0, broken: 0, removed: 0, mode: 0 }));
    for (const { rule } of record.contacts) if (counts[rule]) counts[rule].contacts++;
    for (const { rule, change } of record.events) if (counts[rule]) counts[rule][changes[change]]++;
    return counts;
}

/** A click calls choose(index). */
export function showRules(into, record, choose) {
    const counts = countsOf(record);
    const rows = record.rules.map((_, index) => {
        const { contacts, made, parted, broken, mode } = counts[index];
        const silent = contacts === 0 && made === 0;
        const cells = [record.ruleText(index), ...(silent ? ["no contact yet"] : [made]), parted, broken, mode];
        const row = element("tr", { className: silent ? "rule silent" : "rule", "data-rule": index }, ...cells.map((cell) => element("td", {}, String(cell))));
        row.addEventListener("click", () => choose(index));
        return row;
    });
    into.replaceChildren(table(["rule", "began", "ended", "broke", "changed"], rows, { id: "rules" }));
}

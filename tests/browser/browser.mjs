// Reads the built book in a real browser, from files: its pages, its live kernels, what a reader does with them.
// scripts/browser says how it is called.
import { browser, failed, tables } from "./harness.mjs";

// One after the other: the imports of a module would run side by side.
for (const name of ["loads", "figures", "kernels", "handles", "views", "states", "any", "work", "axe"]) await import(`./${name}.mjs`);

await browser.close();
for (const table of Object.values(tables)) if (table.length) console.table(table);
process.exit(failed.count ? 1 : 0);

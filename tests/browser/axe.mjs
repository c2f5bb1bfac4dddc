// What axe-core finds in open panels.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { check, close, open, opened, options, out, place, run } from "./harness.mjs";

const AXE = fs.readdirSync(path.join(options.root, "target")).find((name) => name.startsWith("axe-core-"));
if (AXE) {
    const axe = fs.readFileSync(path.join(options.root, "target", AXE, "axe.min.js"), "utf8");
    await check("nothing keeps readers out of an open panel", async () => {
        for (const theme of ["light", "navy"]) {
            for (const [page, name, width] of [
                ["constant-memory.html", "addresses", 1280],
                ["ray-tracing.html", "rays", 390],
                ["any-kernel.html", "any", 390],
                ["your-work.html", "work", 390],
            ]) {
                const tab = await open(page, { theme, width, height: 844 });
                const where = place(tab, name);
                await opened(where);
                if (name !== "work") {
                    await run(where);
                    const show = where.getByRole("button", { name: "Show the result" });
                    if (await show.count()) await show.click();
                    for (const fold of await where.locator(".live-results details:not([open]) > summary").all()) if (await fold.isVisible()) await fold.click();
                    await tab.waitForTimeout(500);
                }
                await tab.screenshot({ path: path.join(out, `${name}-${theme}.png`), fullPage: false });
                await where.screenshot({ path: path.join(out, `${name}-${theme}-panel.png`) });
                await tab.evaluate(axe);
                const found = await tab.evaluate(() => axe.run("main .live", { resultTypes: ["violations"], preload: false }));
                const told = found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}: ${node.any.concat(node.all, node.none).map((one) => one.message).join("; ")}`));
                assert.deepEqual(told, [], `${page} in ${theme}`);
                const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
                assert(wide <= 0, `${page} is ${wide} pixels wider than the window`);
                await close(tab);
            }
        }
    });
} else {
    console.log("skipped: axe-core is not there; scripts/axe fetches it");
}

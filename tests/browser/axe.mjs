// What axe-core finds in open panels.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { close, ENDED, long, near, open, opened, options, out, put, run, source, uncovered, until, write } from "./harness.mjs";

const axe = fs.readFileSync(path.join(options.root, "target/browser/node_modules/axe-core/axe.min.js"), "utf8");
const ran = async (tab, where) => {
    await run(where);
    await uncovered(where);
    for (const fold of await where.locator(".live-results details:not([open]) > summary").all()) if (await fold.isVisible()) await fold.click();
    await tab.waitForTimeout(500);
};
const wrong = async (tab, where) => {
    await write(tab, where, (await source(tab, "add")).replace("a[i] + b[i]", "a[i] - nothing"));
    await run(where);
    await where.getByRole("button", { name: "Compare with the original" }).click();
};
const faulty = async (tab, where) => {
    await write(tab, where, (await source(tab, "add")).replace("if (i < n) c[i]", "c[i + 100]"));
    await run(where);
    await tab.waitForTimeout(500);
};
// A run that is pinned next to another, a sweep, a step with its map.
const compared = async (tab, where) => {
    await uncovered(where);
    await where.getByRole("button", { name: "Pin this run" }).click();
    await put(where, "elements of padding after a row", 1);
    await until(where, ENDED);
    await where.getByRole("button", { name: "Sweep" }).click();
    await where.locator(".live-sweep details").waitFor();
    await where.locator(".live-steps > summary").click();
    await where.locator(".live-lanes").waitFor();
    await tab.waitForTimeout(300);
};
const hinted = async (tab, where) => {
    await where.locator(".live-run").click();
    await until(where, /^Not yet/);
    await where.getByRole("button", { name: "Hint" }).click();
};
const passed = async (tab, where) => {
    const skeleton = await tab.evaluate(async () => (await new warpbook.Device().ask({ do: "exercise", exercise: warpbookTasks.vector_sum })).skeleton);
    await write(tab, where, skeleton.replace(/int i = [^;]*;/, "int i = blockDim.x * blockIdx.x + threadIdx.x;"));
    await where.locator(".live-run").click();
    await until(where, /^Passed/);
    await where.getByRole("button", { name: "Compare with the model solution" }).click();
    await where.locator(".live-diff").waitFor();
    await where.locator("summary", { hasText: "The model solution" }).click();
};
await long("nothing keeps readers out of an open panel", async () => {
    for (const theme of ["light", "navy", "coal"]) {
        for (const [page, name, width, what = "panel", prepare = ran, begin = opened] of [
            ["constant-memory.html", "#live-addresses", 1280],
            ["ray-tracing.html", "#live-rays", 390],
            ["any-kernel.html", "#live-any", 390],
            ["linear-memory.html", "#live-add", 390, "error", wrong],
            ["linear-memory.html", "#live-add", 1280, "fault", faulty],
            ["tiling.html", "#tile_race", 390, "exercise", hinted],
            ["linear-memory.html", "#vector_sum", 390, "passed", passed],
            ["your-work.html", "#live-work", 390, "work", () => {}],
            ["tiling.html", "#live-banks", 390, "still", (tab, where) => uncovered(where), near],
            ["tiling.html", "#live-banks", 1280, "compared", compared],
        ]) {
            const tab = await open(page, { theme, width, height: 844 });
            const where = tab.locator(name);
            await begin(where);
            await prepare(tab, where);
            await where.screenshot({ path: path.join(out, `${name.slice(1)}-${what}-${theme}.png`) });
            await tab.evaluate(axe);
            const found = await tab.evaluate(() => axe.run("main :is(.live, .exercises, .examples)", { resultTypes: ["violations"], preload: false }));
            const told = found.violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 120)}: ${node.any.concat(node.all, node.none).map((one) => one.message).join("; ")}`));
            assert.deepEqual(told, [], `${page}, ${what}, in ${theme}`);
            const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
            assert(wide <= 0, `${page} is ${wide} pixels wider than the window`);
            await close(tab);
        }
    }
});

// Figures: there before anything runs, alive at the first touch; what is pinned, swept, broken, asked of a lane, played.
import assert from "node:assert/strict";
import path from "node:path";
import { check, close, ENDED, handle, loaded, long, near, open, opened, out, pages, place, put, run, uncovered, unfold, until } from "./harness.mjs";

const large = (where) => where.locator(".live-large");
const becomes = async (line, form) => {
    let text = "";
    for (let n = 0; n < 300 && !form.test(text); n++) {
        text = await line.textContent();
        await line.page().waitForTimeout(20);
    }
    assert.match(text, form);
};

await check("a figure is there without the engine, and alive at the first touch of a handle, whose value stays", async () => {
    const tab = await open("tiling.html");
    const where = place(tab, "banks");
    await near(where);
    assert.match(await where.locator(".live-covered").textContent(), /covered until the question is answered/);
    assert(!(await where.locator(".live-shown").isVisible()), "its result answers a question");
    await uncovered(where);
    assert.equal(await large(where).textContent(), "992 bank conflicts");
    assert.match(await where.locator(".live-drawing svg desc").textContent(), /32\swavefronts, 31 of them bank conflicts/);
    assert.match(await where.locator(".live-open").textContent(), /^Run transpose: 1 block of 1,024 threads$/);
    assert.match(await where.locator(".live-title").textContent(), /Move a handle/);
    assert.match(await where.locator(".live-listing").textContent(), /^__device__ int column_of[^]*__global__ void transpose/, "the listing's lines alone");
    assert.deepEqual([...loaded(tab)].filter((file) => /live-engine|editor\.js/.test(file)), [], "nothing runs");
    await put(where, "elements of padding after a row", 1);
    await becomes(large(where), /^992 → 0 bank conflicts$/);
    assert.equal(await handle(where, "elements of padding after a row").inputValue(), "1");
    await until(where, ENDED);
    await becomes(where.locator(".live-access > [role=status]"), /ld\.shared\.f32 in line 34/);
    assert(await where.locator(".live-drawing .live-ghost > *").count(), "the drawing before is a ghost in this one");
    await where.getByRole("button", { name: "Reset" }).click();
    assert.equal(await large(where).textContent(), "992 bank conflicts");
    await close(tab);
});

await check("the first page has a live experiment in its first screen, of a laptop and of a phone", async () => {
    for (const [width, height] of [[1280, 720], [390, 844]]) {
        const tab = await open("index.html", { width, height });
        const where = place(tab, "rotate");
        await where.locator(".live-drawing canvas").waitFor();
        const bottom = await where.locator(".live-drawing canvas").evaluate((one) => one.getBoundingClientRect().bottom);
        assert(bottom <= height, `at ${width} its picture ends at ${bottom}`);
        assert.equal(await large(where).textContent(), "2,048 sectors loaded");
        if (width < 1000) {
            await close(tab);
            continue;
        }
        await put(where, "degrees", 90);
        await becomes(large(where), /^2,048 → [\d,]+ sectors loaded$/);
        await close(tab);
    }
});

await long("controls, number and drawing of each figure are on one screen, of a laptop and of a phone", async () => {
    for (const [width, height] of [[1280, 720], [390, 844]]) {
        for (const page of pages) {
            const tab = await open(page, { width, height });
            const names = await tab.locator("[data-live]:not(ol)").evaluateAll((all) => all.map((one) => one.dataset.live));
            for (const name of names) {
                const where = place(tab, name);
                await unfold(where);
                await near(where);
                await uncovered(where);
                const [tall, wide] = await where.evaluate((one) => {
                    const first = one.querySelector(".live-parameters :is(input, select)").getBoundingClientRect();
                    return [one.querySelector(".live-drawing :is(svg, canvas)").getBoundingClientRect().bottom - first.top, document.documentElement.scrollWidth - innerWidth];
                });
                // The page's bar is 50 pixels high.
                assert(tall <= height - 60, `${name} at ${width}: ${tall} pixels`);
                assert(wide <= 0, `${page} is ${wide} pixels wider than the window`);
            }
            await close(tab);
        }
    }
});

await long("a run that is pinned stays beside the next, with what differs in units, for parameters too", async () => {
    const tab = await open("tiling.html");
    const where = place(tab, "banks");
    await opened(where);
    await uncovered(where);
    await put(where, "elements of padding after a row", 1);
    await becomes(large(where), /→ 0 bank conflicts$/);
    await until(where, ENDED);
    await where.getByRole("button", { name: "Pin this run" }).click();
    await put(where, "elements of padding after a row", 2);
    await becomes(large(where), /^0 → 32 bank conflicts$/);
    assert.match(await where.locator(".live-a").textContent(), /^A, pinned: .*elements of padding after a row 1/);
    assert.equal(await where.locator(".live-a svg, .live-drawing svg").count(), 2, "both drawings");
    const rows = await where.getByRole("table", { name: /^What differs from A/ }).locator("tbody tr").allTextContents();
    assert(rows.includes("elements of padding after a row12"), rows.join("\n"));
    assert(rows.includes("bank conflicts of shared loads032+ 32 bank conflicts"), rows.join("\n"));
    const ids = await tab.evaluate(() => [...document.querySelectorAll("[id]")].map((one) => one.id));
    assert.equal(new Set(ids).size, ids.length, "no two have one id");
    await where.screenshot({ path: path.join(out, "pinned.png") });
    await where.getByRole("button", { name: "Unpin" }).click();
    await becomes(large(where), /^992 → 32 bank conflicts$/);
    assert.equal(await where.locator(".live-a svg").count(), 0);
    await close(tab);
});

await long("a sweep draws the number over a handle, and a point of it moves the handle", async () => {
    const tab = await open("linear-memory.html");
    const where = place(tab, "coalescing");
    await opened(where);
    await uncovered(where);
    await where.getByRole("button", { name: "Sweep" }).click();
    await becomes(where.locator(".live-sweep [role=status]"), /^sectors loaded over elements from lane to lane/);
    const numbers = await where.locator(".live-sweep tbody tr").evaluateAll((rows) => rows.map((row) => [...row.children].map((one) => Number(one.textContent))));
    assert.deepEqual(numbers.map(([stride]) => stride), [...Array(32).keys()].map((n) => n + 1));
    // A sector holds eight floats: 8 warps touch 4 sectors for each element of stride, until each lane has its own.
    for (const [stride, sectors] of numbers) assert.equal(sectors, 8 * Math.min(32, 4 * stride), `stride ${stride}`);
    await where.locator(".live-sweep circle").nth(3).click();
    assert.equal(await handle(where, "elements from lane to lane").inputValue(), "4");
    await becomes(large(where), /^32 → 128 sectors loaded$/);
    await where.screenshot({ path: path.join(out, "sweep.png") });
    await close(tab);
});

await long("what breaks a kernel is a button, and Reset brings the book's back", async () => {
    const tab = await open("tiling.html");
    const where = place(tab, "banks");
    await opened(where);
    await uncovered(where);
    await where.getByRole("button", { name: "pad by 2" }).click();
    await becomes(large(where), /^992 → 32 bank conflicts$/);
    await where.getByRole("button", { name: "take away the barrier" }).click();
    await becomes(large(where), /^a fault: shared-race$/);
    assert.match(await where.locator(".cm-content").textContent(), /column_of\(y, x\)\] = in\[y \* TILE \+ x\];\s*out\[/);
    await where.getByRole("button", { name: "Bring back the other draft" }).waitFor();
    await where.getByRole("button", { name: "Reset" }).click();
    assert.match(await run(where), /those of the original/);
    await close(tab);
});

await long("a lane says its thread and address, and the caret's line is drawn", async () => {
    const tab = await open("tiling.html");
    const where = place(tab, "banks");
    await near(where);
    await uncovered(where);
    const lane = where.getByRole("slider", { name: "Lane" });
    await lane.focus();
    for (const key of ["Home", "ArrowRight", "ArrowRight"]) await tab.keyboard.press(key);
    const told = "Lane 2, thread (2, 0, 0): byte 256 of shared memory: word 64 in bank 0.";
    assert.equal(await lane.getAttribute("aria-valuetext"), told);
    assert.equal(await where.locator(".live-told").textContent(), told);
    assert.equal(await where.locator(".live-drawing .live-asked").count(), 1, "its line is drawn stronger");
    await opened(where);
    const report = where.locator(".live-access > [role=status]");
    await becomes(report, /ld\.shared\.f32 in line 34/);
    await where.locator(".cm-line", { hasText: "in[y * TILE + x]" }).click();
    await becomes(report, /ld\.global\.f32 in line 32/);
    assert.match(await where.locator(".live-drawing svg desc").textContent(), /sector/);
    await close(tab);
});

await long("steps play to the end or to a pause, and shared memory is a map", async () => {
    const tab = await open("tiling.html");
    const where = place(tab, "banks");
    await opened(where);
    await uncovered(where);
    const view = where.locator(".live-steps");
    await view.locator("> summary").click();
    await view.locator(".live-lanes").waitFor();
    const told = view.locator("> [role=status]");
    const first = await told.textContent();
    await view.getByRole("button", { name: "Play" }).click();
    await becomes(view.locator(".live-heat-map figcaption"), /^Shared memory: a column for each of the 32 banks; \d+ of 1,024 words written, from /);
    await view.getByRole("button", { name: "Pause" }).click();
    await view.getByRole("button", { name: "Play" }).waitFor();
    assert.notEqual(await told.textContent(), first);
    await view.screenshot({ path: path.join(out, "map.png") });
    await view.getByRole("button", { name: "Last step" }).click();
    await becomes(told, /Step (\d+) of \1/);
    await close(tab);
});

// Experiments with handles, by pointer and by keys.
import assert from "node:assert/strict";
import path from "node:path";
import { check, close, ENDED, handle, long, open, opened, out, place, run, source, uncovered, until } from "./harness.mjs";

await check("handles run the kernel again", async () => {
    const tab = await open("tiling.html");
    const where = place(tab, "banks");
    await opened(where);
    await run(where);
    await uncovered(where);
    // The baseline has them still.
    const conflicts = () => where.locator(".live-counters tr", { hasText: "bank conflicts" }).evaluateAll((rows) => rows.filter((row) => row.querySelector("td.number").textContent !== "0").length);
    assert(await conflicts());
    await where.getByLabel("elements of padding after a row").last().fill("1");
    await tab.keyboard.press("Tab");
    await tab.waitForTimeout(300);
    await until(where, ENDED);
    await uncovered(where);
    for (let n = 0; n < 100 && (await conflicts()); n++) await tab.waitForTimeout(50);
    assert.equal(await conflicts(), 0);
    await close(tab);
});

await long("each lane's address is chosen by pointer and by keys, and costs what the device counts", async () => {
    const tab = await open("constant-memory.html");
    const where = place(tab, "addresses");
    await opened(where);
    const arrows = where.locator(".live-arrows");
    const row = where.locator(".live-counters tr", { hasText: "replays" });
    const becomes = async (wanted) => {
        let found = null;
        for (let n = 0; n < 200 && found !== wanted; n++) {
            // All at once: the table may be replaced meanwhile.
            const cells = await row.locator("td:first-of-type").allTextContents();
            found = Number(cells[0] ?? 0);
            await tab.waitForTimeout(50);
        }
        assert.equal(found, wanted);
    };
    await where.locator(".live-hand select").selectOption({ index: 1 });
    await run(where);
    await uncovered(where);
    await where.locator(".live-drawing svg").first().waitFor();
    const shown = async () => Number(await where.getByLabel("Line whose access is drawn").inputValue());
    const line = await shown();
    assert.match((await source(tab, "addresses")).split("\n")[line - 1], /table \+ at/, "the line that the chapter is about");
    const before = Number(await row.first().locator("td").first().textContent());
    assert(before > 0, "two halves are replayed");
    await where.locator(".live-hand select").selectOption({ index: 0 });
    await where.getByLabel("distinct addresses of a warp").last().fill("1");
    await tab.keyboard.press("Tab");
    await becomes(0);
    await arrows.focus();
    await tab.keyboard.press("ArrowDown");
    await tab.keyboard.press("ArrowRight");
    assert.equal(await arrows.getAttribute("aria-valuetext"), "lane 1: 4");
    await becomes(before);
    await arrows.scrollIntoViewIfNeeded();
    const box = await arrows.locator("[data-lane='7'] rect").boundingBox();
    await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await tab.mouse.down();
    await tab.mouse.move(box.x + 200, box.y + 40, { steps: 4 });
    await tab.mouse.up();
    await becomes(2 * before);
    assert.equal(await shown(), line, "the same line stays drawn");
    await where.screenshot({ path: path.join(out, "hand.png") });
    await close(tab);
});

await long("bodies move through constant memory", async () => {
    const tab = await open("n-body.html");
    const where = place(tab, "gravity_constant");
    await opened(where);
    await run(where);
    await uncovered(where);
    const points = where.locator(".live-drawing svg").first();
    const first = await points.innerHTML();
    await where.getByLabel("steps in time").last().fill("10");
    await tab.keyboard.press("Tab");
    for (let n = 0; n < 400 && (await points.innerHTML().catch(() => first)) === first; n++) await tab.waitForTimeout(50);
    assert.notEqual(await points.innerHTML(), first);
    await where.screenshot({ path: path.join(out, "bodies.png") });
    await where.getByLabel("steps in time").last().fill("20");
    await tab.keyboard.press("Tab");
    await tab.waitForTimeout(300);
    await until(where, ENDED);
    // A time passes by itself, run by run, until it is paused.
    const time = where.getByLabel("steps in time").last();
    await time.fill("1");
    await tab.keyboard.press("Tab");
    await where.getByRole("button", { name: "Play" }).click();
    for (let n = 0; n < 400 && Number(await time.inputValue()) < 4; n++) await tab.waitForTimeout(50);
    await where.getByRole("button", { name: "Pause" }).click();
    await where.getByRole("button", { name: "Play" }).waitFor();
    assert(Number(await time.inputValue()) >= 4);
    // Nearly two hundred launches, which are listed part by part.
    await time.fill("20");
    await tab.keyboard.press("Tab");
    await where.getByRole("button", { name: "Open in Any kernel" }).click();
    await tab.waitForURL(/any-kernel/);
    const there = place(tab, "any");
    await opened(there);
    assert.match(await run(there), /It has run/);
    const list = there.locator(".live-described").last();
    const listed = await list.locator("fieldset").count();
    await list.getByRole("button", { name: /^Show \d+ more of \d+$/ }).click();
    assert((await list.locator("fieldset").count()) > listed);
    await close(tab);
});

await long("tiles are compared with the plain product, phase by phase", async () => {
    const tab = await open("tiling.html");
    const where = place(tab, "phases");
    await opened(where);
    await run(where);
    await uncovered(where);
    const sectors = async () => {
        const row = where.locator(".live-kernels tr", { hasText: "sectors of global loads" }).first();
        return (await row.locator("td").allTextContents()).map((text) => Number(text.replaceAll(",", "")));
    };
    await where.locator(".live-drawing svg").first().waitFor();
    const one = await sectors();
    assert(one[0] > 0 && one[1] > one[0], `tiles load less: ${one}`);
    await handle(where, "phases").fill("2");
    await tab.keyboard.press("Tab");
    for (let n = 0; n < 200 && (await sectors().catch(() => one))[0] === one[0]; n++) await tab.waitForTimeout(50);
    assert.deepEqual(await sectors(), one.map((count) => 2 * count), "each phase loads as much");
    await where.screenshot({ path: path.join(out, "phases.png") });
    await close(tab);
});

await long("the launch's shape is the reader's", async () => {
    const tab = await open("linear-memory.html");
    const where = place(tab, "add");
    await opened(where);
    await where.locator("summary", { hasText: "Launch shape" }).click();
    const blocks = where.getByLabel("blocks", { exact: true });
    assert.equal(await blocks.inputValue(), "4");
    await blocks.fill("2");
    await tab.keyboard.press("Tab");
    await run(where);
    await uncovered(where);
    assert.equal(await where.locator(".live-status.differs").count(), 1);
    assert.match(await where.getByRole("table", { name: "First elements that differ" }).textContent(), /unwritten/);
    await where.screenshot({ path: path.join(out, "shape.png") });
    await blocks.fill("");
    await tab.keyboard.press("Tab");
    await tab.waitForTimeout(300);
    for (let n = 0; n < 200 && (await where.locator(".live-status.same").count()) === 0; n++) await tab.waitForTimeout(50);
    assert.equal(await blocks.inputValue(), "4");
    await where.locator(".live-output > summary").first().click();
    await where.getByRole("button", { name: /^Next 256 of / }).click();
    await until(where, /up to 319 are shown/);
    await close(tab);
});

await long("spheres are moved in the picture and by numbers", async () => {
    const tab = await open("ray-tracing.html");
    const where = place(tab, "rays");
    await opened(where);
    await run(where);
    await uncovered(where);
    const canvas = where.locator(".live-drawing canvas");
    const picture = () => canvas.evaluate((one) => one.toDataURL());
    const changes = async (before) => {
        for (let n = 0; n < 200 && (await picture().catch(() => before)) === before; n++) await tab.waitForTimeout(50);
        assert.notEqual(await picture(), before);
    };
    const first = await picture();
    await where.getByLabel("to the right").last().fill("0");
    await tab.keyboard.press("Tab");
    await where.getByLabel("downwards").last().fill("0");
    await tab.keyboard.press("Tab");
    await where.getByLabel("radius").last().fill("200");
    await tab.keyboard.press("Tab");
    await changes(first);
    await tab.waitForTimeout(400);
    await until(where, ENDED);
    const second = await picture();
    await canvas.scrollIntoViewIfNeeded();
    const box = await canvas.boundingBox();
    await tab.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await tab.mouse.down();
    await tab.mouse.move(box.x + box.width * 0.75, box.y + box.height / 2, { steps: 4 });
    await tab.mouse.up();
    await changes(second);
    await where.screenshot({ path: path.join(out, "spheres.png") });
    await close(tab);
});

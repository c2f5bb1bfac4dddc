// Views of a run, and what stays in view.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { alone, browser, check, close, ENDED, long, open, opened, options, out, pages, place, put, run, settled, source, status, uncovered, unfold, until, write } from "./harness.mjs";

await long("the focus, the reader's folds and the place of an error stay in view", async () => {
    const tab = await open("tiling.html");
    const where = place(tab, "phases");
    await opened(where);
    const focused = () => tab.evaluate(() => document.activeElement.className);
    await where.locator(".live-run").focus();
    await tab.keyboard.press("Enter");
    await until(where, ENDED);
    assert.equal(await focused(), "live-run", "the button that was pressed keeps the focus");
    await uncovered(where);
    // What the gutter shows is there as text.
    await where.locator(".live-counters > summary").click();
    assert.match(await where.getByRole("table", { name: "Counters of each line" }).textContent(), /line \d+sectors of global loads/);
    const output = where.locator(".live-output").first();
    await output.locator("> summary").click();
    await where.locator("summary", { hasText: "Step through a warp" }).click();
    const registers = where.locator(".live-steps details", { hasText: "Registers of the lanes" });
    await registers.locator("> summary").click();
    const unfolded = await registers.evaluate((one) => one.open);
    const step = where.locator(".live-steps > [role=status]");
    for (let steps = 0; steps < 8; steps++) {
        await settled(step, () => where.getByRole("button", { name: "Line ▶" }).click());
        assert.equal(await registers.evaluate((one) => one.open), unfolded, "a step folds nothing");
    }
    await where.locator(".live-run").click();
    await tab.waitForTimeout(300);
    await until(where, ENDED);
    assert(await output.evaluate((one) => one.open), "what was unfolded stays so");
    assert.equal(await where.locator(".live-access").getByLabel("iteration of the loop").last().inputValue(), "1", "iterations are counted from 1, as in the words");

    // An error far from where the reader is.
    const text = await source(tab, "phases");
    await write(tab, where, `${text.replace("int start =", "int start = =")}${"\n//".repeat(80)}`);
    await tab.keyboard.press("Control+Enter");
    await until(where, /does not compile/);
    const seen = await where.evaluate((one) => {
        const [error, editor] = [".cm-lintRange-error", ".cm-scroller"].map((part) => one.querySelector(part)?.getBoundingClientRect());
        return Boolean(error) && error.top >= editor.top && error.bottom <= editor.bottom;
    });
    assert(seen, "the line of the error is in view");
    await close(tab);

    const any = await open("any-kernel.html");
    const there = place(any, "any");
    await opened(there);
    await alone(there);
    const type = there.getByRole("group", { name: "buffer 1" }).getByLabel("type");
    await type.focus();
    await any.keyboard.press("ArrowDown");
    assert(await type.evaluate((one) => one === document.activeElement), "a choice keeps the focus");
    const blocks = there.getByRole("group", { name: "launch 1" }).getByLabel("blocks");
    await blocks.fill("x");
    await any.keyboard.press("Tab");
    assert.equal(await blocks.inputValue(), "1 1 1", "a field shows what was taken");
    await there.getByRole("button", { name: "Remove buffer 2" }).focus();
    await any.keyboard.press("Enter");
    assert(await there.evaluate((one) => one.contains(document.activeElement)), "what is removed hands the focus on");
    await there.locator(".live-run").click();
    assert.equal(await until(there, /^Not run/), "Not run: no buffer named out");
    await close(any);
});

await check("a result that answers a question is covered until it is answered, or until the reader chooses to see", async () => {
    const tab = await open("linear-memory.html");
    const where = place(tab, "coalescing");
    await opened(where, { covered: true });
    assert.match(await run(where), /^It has run\. Predict first/);
    assert.equal(await where.locator(".live-output").count(), 0);
    await tab.locator("#question-neighbours input").first().focus();
    await tab.keyboard.press("Space");
    await where.locator(".live-output").waitFor();
    const other = place(tab, "add4");
    await opened(other, { covered: true });
    await run(other);
    await other.getByRole("button", { name: "Show the result" }).focus();
    await tab.keyboard.press("Enter");
    await other.locator(".live-output").waitFor();
    await close(tab);
});

await long("results below each question are covered until it is answered, and there on paper and without scripts", async () => {
    let questions = 0;
    // Of each question, whether the first result below it, which no fold has, can be seen.
    const seen = () =>
        [...document.querySelectorAll("fieldset.question")].flatMap((question) => {
            const results = [...document.querySelectorAll("main :is(.lab-figure:not(.drawn), .lab-table)")].filter((one) => !one.closest("details"));
            const next = results.find((one) => question.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING);
            return next ? [!next.closest("[hidden]")] : [];
        });
    for (const page of pages) {
        const tab = await open(page);
        const here = await tab.locator("fieldset.question").count();
        assert(!(await tab.evaluate(seen)).includes(true), page);
        questions += here;
        for (const question of await tab.locator("fieldset.question").all()) {
            await question.locator("input").last().focus();
            await tab.keyboard.press("Space");
        }
        assert.equal(await tab.locator(".covered, main [hidden]:not(button)").count(), 0, `${page}: all are answered`);
        assert(!(await tab.evaluate(seen)).includes(false), page);
        await close(tab);
    }
    const written = fs.readFileSync(path.join(options.root, "book/questions.toml"), "utf8");
    assert.equal(questions, written.match(/^\[\[question\]\]/gm).length);
    const tab = await open("linear-memory.html");
    const table = tab.locator("main > .lab-table").first();
    const covered = () => table.evaluate((one) => one.hidden);
    assert(await covered());
    await tab.evaluate(() => dispatchEvent(new Event("beforeprint")));
    assert(!(await covered()), "on paper it is there");
    await tab.evaluate(() => dispatchEvent(new Event("afterprint")));
    assert(await covered());
    await tab.getByRole("button", { name: "Show them now" }).first().focus();
    await tab.keyboard.press("Enter");
    assert(!(await covered()));
    // What is shown begins with the text, the figure or the table that answers the question.
    assert(await table.evaluate((one) => {
        const here = document.activeElement;
        const [shown, after] = [here.nextElementSibling, here.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING];
        return here.matches("p.covered") && !shown.hidden && after;
    }), "the focus stays before what is shown");
    await close(tab);
    const plain = await open("linear-memory.html", { context: await browser.newContext({ javaScriptEnabled: false }) });
    assert.equal(await plain.locator("main [hidden]").count(), 0);
    await close(plain);
});

await long("the lanes' arrows can be read on a phone", async () => {
    const tab = await open("constant-memory.html", { width: 390, height: 844 });
    const where = place(tab, "addresses");
    await opened(where);
    await tab.waitForTimeout(100);
    const small = await where.locator(".live-arrows text").evaluateAll((all) => all.map((one) => one.textContent && one.getBoundingClientRect().height).filter((height) => height && height < 10));
    assert.deepEqual(small, []);
    await close(tab);
});

await long("two panels run side by side", async () => {
    const tab = await open("linear-memory.html");
    const both = ["add", "add4"].map((name) => place(tab, name));
    for (const where of both) {
        await where.evaluate((one) => {
            for (let fold = one.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
        });
        await opened(where);
    }
    await Promise.all(both.map((where) => where.locator(".live-run").click()));
    for (const where of both) assert.match(await until(where, ENDED), /those of the original|Predict/);
    await close(tab);
});

await check("an access is drawn, and a warp is stepped through", async () => {
    const tab = await open("constant-memory.html");
    const where = place(tab, "stencil");
    await opened(where);
    await run(where);
    await uncovered(where);
    await where.locator(".live-drawing svg").first().waitFor();
    assert(!/ANCHOR/.test(await source(tab, "stencil")), "marks of what the chapters show are not for readers");
    await where.locator("summary", { hasText: "Step through a warp" }).click();
    await where.locator(".live-lanes").waitFor();
    const told = where.locator(".live-steps [role=status]");
    const first = await told.textContent();
    await where.getByRole("button", { name: "Line ▶" }).click();
    for (let n = 0; n < 100 && (await told.textContent()) === first; n++) await tab.waitForTimeout(50);
    const second = await told.textContent();
    assert.notEqual(second, first);
    await where.getByRole("button", { name: "First step" }).click();
    for (let n = 0; n < 100 && (await told.textContent()) !== first; n++) await tab.waitForTimeout(50);
    assert.equal(await told.textContent(), first, "a step back gives what was there");
    const steps = async () => Number(/Step \d+ of (\d+)/.exec(await told.textContent())?.[1]);
    const one = await steps();
    await where.getByLabel("step through").selectOption("all");
    for (let n = 0; n < 200 && !((await steps()) > one); n++) await tab.waitForTimeout(50);
    assert((await steps()) > one, "a block has the steps of all its warps");
    await where.getByRole("button", { name: "Last step" }).click();
    for (let n = 0; n < 200 && !/^Warp \d+\./.test(await told.textContent()); n++) await tab.waitForTimeout(50);
    assert.match(await told.textContent(), /^Warp \d+\. Step/);
    await close(tab);
});

await long("a fetch of a texture is drawn, from memory and from an array, in its chapter and in Any kernel", async () => {
    const tab = await open("pitched-memory.html");
    const where = place(tab, "turn");
    await unfold(where);
    await opened(where);
    const set = (title, value) => put(where, title, value);
    await run(where);
    await uncovered(where);
    const drawn = (there) => there.locator(".live-access");
    // The line of the fetch, and what is counted of it.
    const fetch = async (there, counted) => {
        await drawn(there).evaluate((one) => (one.open = true));
        const line = await drawn(there).locator("> select option", { hasText: "tex2D" }).getAttribute("value");
        await drawn(there).locator("> select").selectOption(line);
        const told = drawn(there).locator("> [role=status]");
        for (let n = 0; n < 200 && !counted.test(await told.textContent()); n++) await tab.waitForTimeout(50);
        assert.match(await told.textContent(), counted);
        const svg = drawn(there).locator("svg").first();
        assert.match(await svg.textContent(), /a texel that a lane reads/);
        const named = await svg.evaluate((one) => [one.getAttribute("role"), ...one.getAttribute("aria-labelledby").split(" ").map((id) => one.querySelector(`[id="${id}"]`)?.textContent)]);
        assert.equal(named[0], "img");
        assert(named.every(Boolean) && /32\slanes/.test(named.at(-1)), "the drawing has a title and says in words what it shows");
        assert.match(await drawn(there).locator(".live-letters").textContent(), /texel \(\d+, \d+\)/);
    };
    await fetch(where, /8\srequests of up to 4\slanes; 32\ssectors/);
    await where.screenshot({ path: path.join(out, "texture-memory.png") });
    await set("texels", 1);
    await run(where);
    await fetch(where, /8\srequests of up to 4\slanes; 16\ssectors/);
    await where.screenshot({ path: path.join(out, "texture-array.png") });
    await where.getByRole("button", { name: "Open in Any kernel" }).click();
    await tab.waitForURL(/any-kernel/);
    const there = place(tab, "any");
    await opened(there);
    assert.match(await run(there), /It has run/);
    assert.equal(await there.getByRole("group", { name: "texture 1" }).getByLabel("texels in").inputValue(), "1");
    await fetch(there, /8\srequests of up to 4\slanes; 16\ssectors/);
    await there.getByRole("group", { name: "texture 1" }).getByLabel("texels in").selectOption("0");
    assert.match(await run(there), /It has run/);
    await fetch(there, /8\srequests of up to 4\slanes; 32\ssectors/);
    await close(tab);
});

// Every live kernel: its results, its times, what is said of an edit, a fault, a loop without an end.
import assert from "node:assert/strict";
import { dataOf } from "./data.mjs";
import { LOOP, stopped, watchForStop } from "./endless.mjs";
import { check, close, ENDED, long, native, open, opened, pages, place, put, run, source, status, tables, uncovered, unfold, until, write } from "./harness.mjs";

await long("every live kernel gives the results of the original", async () => {
    for (const page of pages) {
        const tab = await open(page);
        const names = await tab.locator("[data-live]:not(ol)").evaluateAll((all) => all.map((one) => one.dataset.live));
        for (const [n, name] of names.entries()) {
            const where = place(tab, name);
            await unfold(where);
            const begun = performance.now();
            await opened(where);
            const loaded = performance.now() - begun;
            const first = await run(where);
            const second = performance.now();
            await run(where);
            await new Promise((done) => setTimeout(done, 30));
            tables.runs.push({ page: n ? "" : page, kernel: name, "open, ms": Math.round(loaded), "first run, ms": /\((\d+) ms/.exec(first)?.[1] ?? "covered", "again, ms": Math.round(performance.now() - second) });
            assert.match(first, /those of the original|Predict first/, `${page}: ${name}`);
            await uncovered(where);
            await where.locator(".live-status.same").waitFor();
            const said = await where.textContent();
            assert.equal(said.split("those of the original").length, 2, `${name}: it is said once`);
        }
        await close(tab);
    }
});

if (native) {
    await long("the page's answers are those of the native engine, to the last byte", async () => {
        const tab = await open("linear-memory.html");
        await opened(place(tab, "add"));
        await tab.evaluate(dataOf, Object.keys(native));
        const answers = await tab.evaluate(async () => {
            const device = new warpbook.Device();
            const all = {};
            for (const [name, { entry: live, source: text }] of Object.entries(warpbookLive)) {
                all[name] = await device.ask({ do: "run", live, text, language: "cuda", original: text });
            }
            return all;
        });
        assert.deepEqual(Object.keys(answers).sort(), Object.keys(native).sort());
        for (const [name, answer] of Object.entries(answers)) assert.deepEqual(answer, native[name], name);
        await close(tab);
    });
}

await check("an edit, an error, a fault and a loop without an end are answered", async () => {
    const tab = await open("linear-memory.html");
    const where = place(tab, "add");
    await opened(where);
    const text = await source(tab, "add");
    const page = tab.url();
    await where.locator(".cm-content").focus();
    for (const key of ["ArrowRight", "?", "ArrowLeft"]) await tab.keyboard.press(key);
    await tab.waitForTimeout(200);
    assert.equal(tab.url(), page, "keys in the editor turn no pages");
    assert.match(await where.locator(".cm-content").textContent(), /\?/);
    await write(tab, where, text.replace("c[i] = a[i] + b[i]", "c[i] = a[i] - b[i]"));
    await tab.keyboard.press("Control+Enter");
    await until(where, ENDED);
    assert.equal(await where.locator(".live-status.differs").count(), 1);
    await where.getByRole("button", { name: "Compare with the original" }).click();
    assert.match(await where.locator(".live-diff .new").first().textContent(), /a\[i\] - b\[i\]/);

    await write(tab, where, text.replace("int i =", "int i = = "));
    assert.match(await run(where), /does not compile/);
    assert(await where.locator(".cm-lintRange-error").count());
    await where.locator(".live-messages .live-line").first().click();

    await write(tab, where, text.replace("if (i < n) c[i]", "c[i + 100]"));
    const fault = await run(where);
    assert.match(fault, /^A fault \(out-of-bounds-global\): ./);
    assert.match(await where.locator(".live-fault li").first().textContent(), /Line \d+: thread/);
    assert.equal((await where.textContent()).split(fault.slice(fault.indexOf(": "))).length, 2, "it is said once");

    await write(tab, where, LOOP);
    await tab.evaluate(watchForStop, "#live-add");
    await where.locator(".live-run").click();
    await tab.evaluate(stopped);
    assert.equal(await until(where, /^(Stopped|Ended|A fault)/), "Stopped.");
    await where.getByRole("button", { name: "Reset" }).click();
    assert.match(await run(where), /those of the original/);
    await close(tab);
});

// How long it takes from a key to the drawing, with the handles as far as they go. A table, not a bound: a test's machine is busy.
await long("each kernel runs with its handles as far as they go", async () => {
    for (const page of pages) {
        const tab = await open(page);
        const names = await tab.locator("[data-live]:not(ol)").evaluateAll((all) => all.map((one) => one.dataset.live));
        for (const name of names) {
            const where = place(tab, name);
            await where.evaluate((one) => {
                for (let fold = one.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
            });
            await opened(where);
            const most = await tab.evaluate((name) => (warpbookLive[name].entry.parameters ?? []).map(({ title, from, to, multiple = 1 }) => [title, to - ((to - from) % multiple)]), name);
            for (const [title, to] of most) {
                await put(where, title, to);
            }
            await run(where);
            await uncovered(where);
            await tab.waitForTimeout(300);
            const took = [];
            for (let n = 0; n < 3; n++) {
                took.push(
                    await where.evaluate(
                        (one) =>
                            new Promise((done) => {
                                const status = one.querySelector(".live-status");
                                const begun = performance.now();
                                status.textContent = "";
                                new MutationObserver((_, observer) => {
                                    if (!/instructions of threads|^(A fault|Ended|Not run)/.test(status.textContent)) return;
                                    observer.disconnect();
                                    requestAnimationFrame(() => setTimeout(() => done(performance.now() - begun)));
                                }).observe(status, { childList: true });
                                one.querySelector(".cm-content").dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", ctrlKey: true, bubbles: true, cancelable: true }));
                            })
                    )
                );
            }
            const text = await status(where).textContent();
            assert.match(text, /those of the original/, `${name} with its handles as far as they go`);
            const instructions = Number(/([\d,]+) instructions/.exec(text)[1].replaceAll(",", ""));
            const least = Math.min(...took);
            tables.keys.push({ kernel: name, "instructions of threads": instructions, "key to drawing, ms": Math.round(least), "for 10^7, ms": instructions > 1e6 ? Math.round((least * 1e7) / instructions) : "–" });
        }
        await close(tab);
    }
});

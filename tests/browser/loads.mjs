// What pages load, when, and from where.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { book, browser, check, close, expected, handle, loaded, long, looked, near, open, opened, pages, place, run, size, source, status, tables, until, url } from "./harness.mjs";

// What a page of a book without the engine does not have: the loader, and the places that it fills.
const MOST_GROWTH = 15 << 10;
function growth(page) {
    const html = fs.readFileSync(path.join(book, page), "utf8");
    const places = html.match(/<div class="live[^>]*><\/div>|<script src="[^"]*\/live-[^"]*"><\/script>/g) ?? [];
    const loader = fs.readdirSync(path.join(book, "book/theme")).filter((name) => /^live.*\.js$/.test(name));
    // The choices of all questions are what the page of the reader's work is about.
    return places.join("").replace(/ data-questions="[^"]*"/, "").length + size(loader.map((name) => path.join(book, "book/theme", name))).bytes;
}

// What figures show before anything runs, and the reader's work: no engine and no editor.
const STILL = /^(live\.css|exercises\.js|store\.js|work\.js|elements\.js|formula\.js|parameters\.js|hand\.js|move\.js|figure\.js|(data|still)-\w+\.js)$/;
await check("every page is without errors and asks no other host", async () => {
    for (const page of looked) {
        const tab = await open(page);
        await tab.waitForLoadState("load");
        const first = loaded(tab);
        assert(first.size > 5, `${page} asks for its style sheets and scripts`);
        assert.deepEqual([...first].filter((file) => file.includes("/live/") && !STILL.test(path.basename(file))), [], `${page} loads what nobody asked for`);
        const visit = size(first);
        const grows = growth(page);
        assert(grows <= MOST_GROWTH, `${page} loads ${grows} bytes more for its live kernels`);
        const button = tab.locator("main .live-open").first();
        let opening = null;
        await tab.evaluate(() => document.querySelector("main .live")?.scrollIntoView());
        if (await tab.locator("main .live").count()) {
            await button.waitFor({ state: "attached", timeout: 30000 });
            await button.evaluate((one) => one.click());
            await tab.locator("main .live-panel").first().waitFor({ state: "attached", timeout: 30000 });
            opening = size([...loaded(tab)].filter((file) => !first.has(file)));
        }
        tables.visits.push({ page, files: first.size, bytes: visit.bytes, gzipped: visit.gzipped, "of them for live kernels": grows, "on opening one": opening?.bytes ?? 0, "on opening, gzipped": opening?.gzipped ?? 0 });
        await close(tab);
    }
});

await long("on a phone no line parts a short name or a date, and no page is wider than the screen", async () => {
    for (const page of pages) {
        const tab = await open(page, { width: 390, height: 844 });
        const broken = await tab.evaluate(() => {
            for (const fold of document.querySelectorAll("details")) fold.open = true;
            const lines = (one) => new Set([...one.getClientRects()].map(({ top }) => Math.round(top))).size;
            const whole = document.querySelectorAll("main :is(code.short, code > .short, .whole)");
            const parted = [...whole].filter((one) => lines(one) > 1).map((one) => one.textContent);
            const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
            return wide > 0 ? [...parted, `${wide} pixels too wide`] : parted;
        });
        assert.deepEqual(broken, [], page);
        await close(tab);
    }
});

// What each kind of place loads of the folder `live`, besides what all with an editor have.
const PANEL = ["live.css", "editor.js", "live-engine.js", "elements.js", "device.js", "code.js", "panel.js", "store.js"];
const RAN = ["results.js", "views.js", "link.js"];
const FIGURE = (name) => ["live.css", "elements.js", "formula.js", "parameters.js", `data-${name}.js`, `still-${name}.js`, "figure.js"];
const KERNEL = (name) => [...PANEL, ...RAN, ...FIGURE(name), "lines.js", "sweep.js", "as_any_kernel.js", "kernel.js"];
await long("a place loads what it needs when it is opened, and nothing else", async () => {
    for (const [page, where, needed] of [
        ["linear-memory.html", "#live-add", KERNEL("add")],
        ["constant-memory.html", "#live-addresses", [...KERNEL("addresses"), "hand.js"]],
        ["ray-tracing.html", "#live-rays", [...KERNEL("rays"), "move.js"]],
        ["linear-memory.html", "#vector_sum", [...PANEL, "tasks.js", "exercises.js", "exercise.js"]],
        ["any-kernel.html", "#live-any", [...PANEL.filter((name) => name !== "live-engine.js"), "live-engine-host.js", "host.js", ...RAN, "files.js", "drawings.js", "program.js", "programs.js", "any_kernel.js"]],
        ["linear-memory.html", "#live-program-linear", [...PANEL.filter((name) => name !== "live-engine.js"), "live-engine-host.js", "host.js", ...RAN, "files.js", "drawings.js", "program.js", "program-linear.js", "chapter_program.js"]],
        ["your-work.html", "#live-work", ["live.css", "exercises.js", "elements.js", "store.js", "work.js"]],
    ]) {
        const tab = await open(page);
        await opened(tab.locator(where));
        const live = path.join(book, "live");
        const found = [...loaded(tab)].filter((file) => path.dirname(file) === live).map((file) => path.basename(file));
        // Figures that are about to come into view are there too.
        const own = found.filter((name) => needed.includes(name) || !STILL.test(name));
        assert.deepEqual(own.sort(), [...new Set(needed)].sort(), `${page}${where}`);
        await close(tab);
    }
});

const MOST_INDEX = 150 << 10;
await check("search finds beginnings of words, titles first and appendices last, and leads to the glossary's term", async () => {
    const [index] = fs.readdirSync(book).filter((name) => name.startsWith("searchindex"));
    const { gzipped } = size([path.join(book, index)]);
    assert(gzipped <= MOST_INDEX, `${index} has ${gzipped} bytes, gzipped`);
    const tab = await open("linear-memory.html");
    await tab.locator("#mdbook-search-toggle").click();
    const bar = tab.locator("#mdbook-searchbar");
    const results = tab.locator("#mdbook-searchresults a");
    const find = async (text) => {
        await bar.fill(text);
        await bar.dispatchEvent("keyup");
        await tab.locator("#mdbook-searchresults-header", { hasText: `for '${text}'` }).waitFor();
        return results.evaluateAll((all) => all.map((one) => one.getAttribute("href").replace(/\?[^#]*/, "")));
    };
    assert.equal((await find("occupan"))[0], "glossary.html#occupancy");
    assert.equal((await find("bank conflict"))[0], "glossary.html#bank-conflict");
    assert.match((await find("__ldg"))[0], /^constant-memory\.html/);
    // What an appendix's title has comes after what a chapter has.
    const of = await find("warp");
    const appendix = of.findIndex((one) => one.startsWith("time-model.html"));
    assert(appendix < 0 || of.slice(appendix).every((one) => !/^(linear|pitched)-memory\.html/.test(one)), of.join(" "));
    assert.deepEqual(await find("qqzzqx"), []);
    const [ncu] = await find("ncu");
    assert.equal(ncu, "glossary.html#nsight-compute");
    await tab.goto(url("glossary.html") + "?highlight=ncu#nsight-compute");
    assert(await tab.locator("#nsight-compute").isVisible());
    await close(tab);
});

await long("a page in a browser without WebAssembly says what does not run for want of it", async () => {
    const context = await browser.newContext();
    await context.addInitScript(() => delete globalThis.WebAssembly);
    const tab = await open("linear-memory.html", { context });
    assert.match(await place(tab, "add").textContent(), /needs WebAssembly, which this browser does not have/);
    assert.match(await tab.locator("#vector_sum").textContent(), /“Do it here” needs WebAssembly/);
    assert.equal(await tab.locator("main .live-open").count(), 0);
    await tab.goto(url("your-work.html"));
    await opened(place(tab, "work"));
    await close(tab);
});

await long("what could not be loaded is told, and loaded when it is asked for again", async () => {
    const tab = await open("linear-memory.html");
    const where = place(tab, "add");
    await tab.evaluate(() => {
        document.head.append = function (part) {
            if (/panel\.js$/.test(part.src)) part.src += ".none";
            Element.prototype.append.call(this, part);
        };
    });
    expected(/Failed to load resource|undefined/);
    await near(where);
    await where.locator(".live-open").click();
    await where.locator(".live-note", { hasText: "panel.js could not be loaded" }).waitFor();
    await tab.evaluate(() => delete document.head.append);
    await opened(where);
    assert.match(await run(where), /those of the original/);
    await close(tab);
});

await check("a link brings its code, which does not run before it is asked to", async () => {
    const tab = await open("linear-memory.html");
    const where = place(tab, "add");
    await opened(where);
    const text = await source(tab, "add");
    const hash = await tab.evaluate((text) => warpbook.hash("add", { text, parameters: { n: 77 } }), text.replace("a[i] + b[i]", "a[i] * b[i]"));
    const other = await tab.context().newPage();
    await other.goto(url("linear-memory.html") + hash);
    const there = place(other, "add");
    await opened(there);
    assert.match(await there.locator(".cm-content").textContent(), /a\[i\] \* b\[i\]/);
    assert.equal(await there.locator(".live-results").textContent(), "");
    assert.equal(await handle(there, "elements").inputValue(), "77");
    await run(there);
    assert.equal(await there.locator(".live-status.differs").count(), 1);
    await close(tab);
});

await check("a card of the examples opens its program in the editor, which does not run before it is asked to", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    const cards = tab.locator("ul.examples > li > a");
    const titles = await cards.locator("strong").allTextContents();
    assert(titles.length > 10 && titles.includes("Life"), titles.join(", "));
    await cards.filter({ hasText: "Life" }).click();
    await until(where, /^This is the example “Life”/);
    assert.match(await where.locator(".cm-content").textContent(), /Life: a glider/);
    assert.equal(await where.locator(".live-results").textContent(), "");
    await close(tab);
    // From another page, and one that there is not.
    for (const [name, says] of [["histogram", /^This is the example “Histogram”/], ["constructor", /^The link is damaged/]]) {
        const other = await open(`any-kernel.html#example=${name}`);
        await until(place(other, "any"), says);
        await close(other);
    }
});

await long("a link that is opened in the page itself brings its code too", async () => {
    const tab = await open("linear-memory.html");
    const where = place(tab, "add");
    await opened(where);
    await run(where);
    const hash = await tab.evaluate(() => warpbook.hash("add", { text: "// brought" }));
    await tab.evaluate((hash) => (location.hash = hash), hash);
    const brings = where.getByRole("button", { name: "Open the code that this link brings" });
    await brings.waitFor();
    assert.doesNotMatch(await where.locator(".cm-content").textContent(), /brought/);
    await brings.click();
    await where.locator(".cm-content", { hasText: "// brought" }).waitFor();
    assert.equal(await where.locator(".live-panel").count(), 1);
    assert.equal(await where.locator(".live-results").textContent(), "");
    await close(tab);
});

await long("a link that is damaged, encoded anew, too large, or no such page's is answered", async () => {
    const made = await open("any-kernel.html");
    await opened(place(made, "any"));
    const links = await made.evaluate(async () => {
        const of = (name, value) => warpbook.hash(name, value);
        const code = { text: "// brought" };
        const any = { text: "// brought", language: "cuda", buffers: [], textures: [], launches: [] };
        const whole = await of("add", code);
        return {
            add: {
                whole: [whole, true],
                encoded: [encodeURIComponent(whole).replace("%23", "#"), true],
                truncated: [whole.slice(0, -5), false],
                bare: ["#live=add", false],
                empty: ["#live=add&", false],
                noise: ["#live=add&%%%ä€", false],
                number: [await of("add", 5), false],
                none: [await of("add", null), false],
                list: [await of("add", { text: ["// brought"] }), false],
                parameters: [await of("add", { ...code, parameters: { n: {}, threads: "x", nothing: 1 }, hand: 5, moved: "x", shapes: [null, 7] }), true],
                large: [await of("add", { text: "x".repeat(5 << 20) }), false],
            },
            any: {
                whole: [await of("any", any), true],
                numbers: [await of("any", { ...any, buffers: 5 }), false],
                nothing: [await of("any", { ...any, launches: [null] }), false],
                shapeless: [await of("any", { ...any, launches: [{ kernel: "k" }] }), false],
                named: [await of("any", { ...any, buffers: [{ name: {}, type: "f32", length: 1, init: "zeros" }] }), false],
                copied: [await of("any", { ...any, launches: [{ kernel: "k", grid: [1], block: [1], args: [], copies: [null] }] }), false],
                bare: ["#live=any", false],
            },
        };
    });
    await close(made);
    for (const [name, page] of [["add", "linear-memory.html"], ["any", "any-kernel.html"]]) {
        for (const [kind, [hash, whole]] of Object.entries(links[name])) {
            const tab = await open(page + hash);
            const where = place(tab, name);
            await opened(where);
            assert.match(await status(where).textContent(), whole ? /^This is the code that the link brought\./ : /^The link is damaged/, `${name}, ${kind}`);
            assert.equal((await where.locator(".cm-content").textContent()).includes("// brought"), whole, `${name}, ${kind}`);
            assert.equal(await where.locator(".live-results").textContent(), "", `${name}, ${kind}`);
            await close(tab);
        }
    }
    // One of no kernel of the page changes nothing.
    const tab = await open("linear-memory.html#live=no_such&abc");
    assert.equal(await tab.getByRole("button", { name: "Open the code that this link brings" }).count(), 0);
    await close(tab);
});

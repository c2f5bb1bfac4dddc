// Reads the built book in a real browser, from files: every page, every live kernel, what a reader does with them.
// scripts/browser says how it is called.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright-core";

const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        root: { type: "string" },
        native: { type: "string" },
        out: { type: "string" },
        browser: { type: "string" },
    },
});
const book = path.resolve(positionals[0] ?? path.join(options.root, "target/book"));
const out = options.out ? path.resolve(options.out) : fs.mkdtempSync(path.join(os.tmpdir(), "browser-"));
fs.mkdirSync(out, { recursive: true });
const native = options.native ? JSON.parse(fs.readFileSync(options.native, "utf8")) : null;
const url = (page) => pathToFileURL(path.join(book, page)).href;
const pages = fs.readdirSync(book).filter((name) => name.endsWith(".html") && !["404.html", "toc.html", "print.html"].includes(name));
if (!fs.existsSync(path.join(book, "live/live-engine.js"))) {
    console.error(`${book} was built without the engine: scripts/web, then cargo run --bin book`);
    process.exit(2);
}

const executablePath = options.browser ?? which("chromium");
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
function which(program) {
    const there = process.env.PATH.split(":").map((folder) => path.join(folder, program));
    return there.find((file) => fs.existsSync(file)) ?? program;
}

// Complaints of any page.
const problems = [];
let doing = "";
async function open(page, { theme = "light", width = 1280, height = 900, context = null } = {}) {
    const here = context ?? (await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" }));
    const tab = await here.newPage();
    tab.on("console", (message) => message.type() === "error" && problems.push(`${page}${doing}: console: ${message.text()}`));
    tab.on("pageerror", (error) => problems.push(`${page}${doing}: ${error.message}`));
    tab.on("request", (request) => /^(file|blob|data|about):/.test(request.url()) || problems.push(`${page}: asks ${request.url()}`));
    // Light is what a page has anyway. In Chromium 156, what a page writes so early can hide what the page before has stored.
    if (theme !== "light") await tab.addInitScript((name) => localStorage.setItem("mdbook-theme", name), theme);
    await tab.goto(url(page));
    return tab;
}
const close = (tab) => tab.context().close();

let failed = 0;
async function check(name, run) {
    doing = ` (${name})`;
    const before = problems.length;
    const begun = performance.now();
    let why = null;
    try {
        await run();
    } catch (error) {
        why = error.stack;
    }
    const told = problems.splice(before);
    if (why || told.length) failed++;
    console.log(`${why || told.length ? "FAILED" : "ok    "} ${name} (${Math.round(performance.now() - begun)} ms)`);
    for (const one of [why, ...told].filter(Boolean)) console.log(`       ${one.replaceAll("\n", "\n       ")}`);
    doing = "";
}

const place = (tab, name) => tab.locator(`#live-${name}`);
const status = (where) => where.locator(".live-status").first();
async function opened(where) {
    await where.locator(".live-open").click();
    await where.locator(".live-panel").waitFor({ timeout: 30000 });
}
// Until the status is of this form; its text.
async function until(where, form, timeout = 60000) {
    const line = status(where);
    const end = Date.now() + timeout;
    for (;;) {
        const text = await line.textContent();
        if (form.test(text)) return text;
        assert(Date.now() < end, `the status stays at: ${text}`);
        await new Promise((done) => setTimeout(done, 20));
    }
}
const ENDED = /^(The results|Results|It has run|It does not compile|A fault|Ended|Stopped|Not run|\d+ (of|elements))/;
async function run(where) {
    await where.locator(".live-run").click();
    return until(where, ENDED);
}
// Puts a text into an editor by keyboard.
async function write(tab, where, text) {
    await where.locator(".cm-content").focus();
    await tab.keyboard.press("ControlOrMeta+a");
    await tab.keyboard.insertText(text);
}
const source = (tab, name) => tab.evaluate((name) => warpbookLive.sources[warpbookLive.entries[name].file], name);

const rows = [];
const sizes = { loader: 0, touch: 0 };
for (const name of fs.readdirSync(path.join(book, "live"))) {
    const bytes = fs.statSync(path.join(book, "live", name)).size;
    if (name !== "live-engine-plain.js" && /\.(js|css)$/.test(name)) sizes.touch += bytes;
}

await check("every page is without errors and asks no other host", async () => {
    for (const page of pages) {
        const tab = await open(page);
        await tab.waitForLoadState("load");
        const early = await tab.evaluate(() => performance.getEntriesByType("resource").map((one) => one.name).filter((name) => name.includes("/live/")));
        assert.deepEqual(early, [], `${page} loads what nobody asked for`);
        await close(tab);
    }
});

await check("every live kernel gives the results of the original", async () => {
    for (const page of pages) {
        const tab = await open(page);
        const names = await tab.locator("[data-live]:not(ol)").evaluateAll((all) => all.map((one) => one.dataset.live));
        for (const [n, name] of names.entries()) {
            const where = place(tab, name);
            // What is folded is opened, as a link to it would.
            await where.evaluate((one) => {
                for (let fold = one.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
            });
            const begun = performance.now();
            await opened(where);
            const loaded = performance.now() - begun;
            const first = await run(where);
            const second = performance.now();
            await run(where);
            await new Promise((done) => setTimeout(done, 30));
            rows.push({ page: n ? "" : page, kernel: name, "open, ms": Math.round(loaded), "first run, ms": /\((\d+) ms/.exec(first)?.[1] ?? "covered", "again, ms": Math.round(performance.now() - second) });
            assert.match(first, /those of the original|Predict first/, `${page}: ${name}`);
            const covered = where.getByRole("button", { name: "Show the result" });
            if (await covered.count()) await covered.click();
            assert.match(await where.locator(".live-same").textContent(), /those of the original/);
        }
        await close(tab);
    }
});

if (native) {
    await check("the page's answers are those of the native engine, to the last byte", async () => {
        const tab = await open("linear-memory.html");
        await opened(place(tab, "add"));
        const answers = await tab.evaluate(async () => {
            const device = new warpbook.Device();
            const all = {};
            for (const [name, live] of Object.entries(warpbookLive.entries)) {
                const text = warpbookLive.sources[live.file];
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
    assert.equal(await where.locator(".live-differs").count(), 1);
    await where.getByRole("button", { name: "Compare with the original" }).click();
    assert.match(await where.locator(".live-diff .new").first().textContent(), /a\[i\] - b\[i\]/);

    await write(tab, where, text.replace("int i =", "int i = = "));
    assert.match(await run(where), /does not compile/);
    assert(await where.locator(".cm-lintRange-error").count());
    await where.locator(".live-messages .live-line").first().click();

    await write(tab, where, text.replace("if (i < n) c[i]", "c[i + 100]"));
    assert.match(await run(where), /^A fault/);
    assert.match(await where.locator(".live-fault li").first().textContent(), /Line \d+: thread/);

    await write(tab, where, text.replace("if (i < n) c[i]", "for (unsigned x = 1; x; x = (x * 5u + 2u) | 1u) a[i & 255];\n    if (i < n) c[i]").replace("a[i & 255]", "if (x == 4u) c[0] = 1.0f"));
    await where.locator(".live-run").click();
    const stop = where.getByRole("button", { name: "Stop" });
    await Promise.race([stop.waitFor({ timeout: 20000 }).then(() => stop.click()), until(where, /^(Ended|A fault)/)]);
    await until(where, /^(Stopped|Ended|A fault)/);
    await where.getByRole("button", { name: "Reset" }).click();
    assert.match(await run(where), /those of the original/);
    await close(tab);
});

await check("handles run the kernel again", async () => {
    const tab = await open("tiling.html");
    const where = place(tab, "banks");
    await opened(where);
    await run(where);
    const show = where.getByRole("button", { name: "Show the result" });
    if (await show.count()) await show.click();
    const conflicts = () => where.locator(".live-counters tr", { hasText: "bank conflicts" }).count();
    assert(await conflicts());
    await where.getByLabel("elements of padding behind a row").last().fill("1");
    await tab.keyboard.press("Tab");
    await tab.waitForTimeout(300);
    await until(where, ENDED);
    if (await show.count()) await show.click();
    for (let n = 0; n < 100 && (await conflicts()); n++) await tab.waitForTimeout(50);
    assert.equal(await conflicts(), 0);
    await close(tab);
});

await check("each lane's address is chosen by pointer and by keys, and costs what the device counts", async () => {
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
    // Nothing runs before the reader runs it.
    await where.locator(".live-hand select").selectOption({ index: 1 });
    await tab.waitForTimeout(400);
    assert.equal(await where.locator(".live-results").textContent(), "");
    await run(where);
    const show = where.getByRole("button", { name: "Show the result" });
    if (await show.count()) await show.click();
    await where.locator(".live-access svg").first().waitFor();
    const shown = async () => Number(await where.locator(".live-access > select").inputValue());
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

await check("bodies move through constant memory", async () => {
    const tab = await open("n-body.html");
    const where = place(tab, "gravity_constant");
    await opened(where);
    await run(where);
    const show = where.getByRole("button", { name: "Show the result" });
    if (await show.count()) await show.click();
    const points = where.locator(".live-output svg").first();
    const first = await points.innerHTML();
    await where.getByLabel("steps in time").last().fill("16");
    await tab.keyboard.press("Tab");
    for (let n = 0; n < 400 && (await points.innerHTML().catch(() => first)) === first; n++) await tab.waitForTimeout(50);
    assert.notEqual(await points.innerHTML(), first);
    await where.screenshot({ path: path.join(out, "bodies.png") });
    await where.getByLabel("steps in time").last().fill("32");
    await tab.keyboard.press("Tab");
    await tab.waitForTimeout(300);
    await until(where, ENDED);
    await where.getByRole("button", { name: "Open in Any kernel" }).click();
    await until(where, /cannot be opened there: it has \d+ launches/);
    await close(tab);
});

await check("an access is drawn, and a warp is stepped through", async () => {
    const tab = await open("constant-memory.html");
    const where = place(tab, "stencil");
    await opened(where);
    await run(where);
    const show = where.getByRole("button", { name: "Show the result" });
    if (await show.count()) await show.click();
    await where.locator("summary", { hasText: "See one access" }).click();
    await where.locator(".live-access svg").first().waitFor();
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
    assert.equal(await there.getByLabel("elements").last().inputValue(), "77");
    await run(there);
    assert.equal(await there.locator(".live-differs").count(), 1);
    await close(tab);
});

await check("any kernel runs", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    assert.match(await run(where), /It has run/);
    assert.match(await where.locator(".live-output").last().locator("pre").textContent(), /0 {2}2 {2}4 {2}6/);
    await close(tab);
    for (const [page, name] of [
        ["linear-memory.html", "add"],
        ["constant-memory.html", "addresses"],
        ["ray-tracing.html", "rays"],
        ["n-body.html", "gravity_constant"],
    ]) {
        const chapter = await open(page);
        await opened(place(chapter, name));
        const wanted = await chapter.evaluate(async (name) => {
            const live = warpbookLive.entries[name];
            const text = warpbookLive.sources[live.file];
            const ran = await new warpbook.Device().ask({ do: "run", live, text, language: "cuda" });
            return ran.outputs.find((one) => !one.picture)?.head;
        }, name);
        await place(chapter, name).getByRole("button", { name: "Open in Any kernel" }).click();
        await chapter.waitForURL(/any-kernel/);
        const there = place(chapter, "any");
        await opened(there);
        assert.match(await run(there), /It has run/, name);
        if (name === "rays") assert.equal(await there.locator("canvas").count(), 1);
        const heads = await there.locator(".live-output pre").allTextContents();
        if (wanted) assert(heads.some((text) => text.startsWith(wanted.join("  "))), `${name} gives what it gives in its chapter`);
        await there.screenshot({ path: path.join(out, `any-${name}.png`) });
        await close(chapter);
    }
});

await check("an exercise is solved with the keyboard alone, exported and imported", async () => {
    const name = "vector_sum";
    const tab = await open("linear-memory.html");
    const item = tab.locator(`#${name}`);
    await item.locator(".live-open").focus();
    await tab.keyboard.press("Enter");
    await item.locator(".live-panel .cm-content").waitFor();
    const focused = () => tab.evaluate(() => document.activeElement?.className ?? "");
    for (let n = 0; n < 100 && !(await focused()).includes("cm-content"); n++) await tab.waitForTimeout(50);
    await tab.keyboard.press("Control+Enter");
    await until(item, /^(Not yet|Passed)/);
    const skeleton = await tab.evaluate(async (exercise) => (await new warpbook.Device().ask({ do: "exercise", exercise })).skeleton, name);
    const solution = skeleton.replace(/int i = [^;]*;/, "int i = blockIdx.x * blockDim.x + threadIdx.x;");
    assert.notEqual(solution, skeleton);
    await tab.keyboard.press("ControlOrMeta+a");
    await tab.keyboard.insertText(solution);
    await tab.keyboard.press("Control+Enter");
    await until(item, /^Passed/);
    await tab.keyboard.press("Escape");
    await tab.keyboard.press("Tab");
    assert(!(await focused()).includes("cm-content"), "Escape and Tab leave the editor");

    await tab.goto(url("your-work.html"));
    const work = place(tab, "work");
    await opened(work);
    // About one page in twenty sees only when it is loaded again what the page before has stored a moment ago.
    for (let n = 0; n < 3 && !/1 of \d+ exercises passed/.test(await work.textContent()); n++) {
        await tab.reload();
        await opened(work);
    }
    assert.match(await work.textContent(), /1 of \d+ exercises passed/);
    await work.getByLabel("your name").fill("Ada Lovelace");
    await tab.keyboard.press("Tab");
    const saved = tab.waitForEvent("download");
    saved.catch(() => {}); // told by what comes next
    await work.getByRole("button", { name: "Export", exact: true }).click();
    const file = path.join(out, "submission.toml");
    await (await saved).saveAs(file);
    await close(tab);

    const fresh = await open("your-work.html");
    await opened(place(fresh, "work"));
    assert.match(await place(fresh, "work").textContent(), /0 of \d+ exercises passed/);
    await place(fresh, "work").locator("input[type=file]").setInputFiles(file);
    await until(place(fresh, "work"), /^Imported/);
    assert.match(await place(fresh, "work").textContent(), /1 of \d+ exercises passed/);
    // What only a terminal makes comes out as it went in.
    const more = path.join(out, "more.toml");
    const others = [`[[answer]]\nid = "padding-of-b"\ntext = '''\nIt's "32",\nnot 33.'''`, `[[record]]\nlab = "lab-5-5"\njson = '''\n{ "a": "\\\\n" }\n'''`];
    fs.writeFileSync(more, [fs.readFileSync(file, "utf8"), ...others].join("\n") + "\n");
    await place(fresh, "work").locator("input[type=file]").setInputFiles(more);
    await until(place(fresh, "work"), /1 answers? in words and 1 records?/);
    await place(fresh, "work").getByLabel("your name").fill("Ada Lovelace");
    await fresh.keyboard.press("Tab");
    const again = fresh.waitForEvent("download");
    again.catch(() => {});
    await place(fresh, "work").getByRole("button", { name: "Export", exact: true }).click();
    await (await again).saveAs(more);
    for (const part of others) assert(fs.readFileSync(more, "utf8").includes(part), part);
    await close(fresh);
});

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

await browser.close();
console.table(rows);
const loader = fs.readdirSync(path.join(book, "book/theme")).find((name) => /^live.*\.js$/.test(name));
console.log(`a page loads ${fs.statSync(path.join(book, "book/theme", loader)).size} bytes for its live kernels, and ${sizes.touch} when one is opened first`);
process.exit(failed ? 1 : 0);

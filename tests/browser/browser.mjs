// Reads the built book in a real browser, from files: every page, every live kernel, what a reader does with them.
// scripts/browser says how it is called.
import assert from "node:assert/strict";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { LOOP, stopAtOnce } from "./endless.mjs";

const { values: options, positionals } = parseArgs({
    allowPositionals: true,
    options: {
        root: { type: "string" },
        native: { type: "string" },
        solutions: { type: "string" },
        out: { type: "string" },
        only: { type: "string" },
        browser: { type: "string" },
    },
});
const book = path.resolve(positionals[0] ?? path.join(options.root, "target/book"));
const out = options.out ? path.resolve(options.out) : fs.mkdtempSync(path.join(os.tmpdir(), "browser-"));
fs.mkdirSync(out, { recursive: true });
const native = options.native ? JSON.parse(fs.readFileSync(options.native, "utf8")) : null;
const solutions = options.solutions ? JSON.parse(fs.readFileSync(options.solutions, "utf8")) : null;
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
    tab.asked = [];
    tab.on("request", (request) => tab.asked.push(request.url()));
    tab.on("request", (request) => /^(file|blob|data|about):/.test(request.url()) || problems.push(`${page}: asks ${request.url()}`));
    // Light is what a page has anyway. In Chromium 156, what a page writes so early can hide what the page before has stored.
    if (theme !== "light") await tab.addInitScript((name) => localStorage.setItem("mdbook-theme", name), theme);
    await tab.goto(url(page));
    return tab;
}
const close = (tab) => tab.context().close();

let failed = 0;
async function check(name, run) {
    if (options.only && !name.includes(options.only)) return;
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
// The field of a parameter; its slider has the same words.
const handle = (where, title) => where.locator(".live-parameters").first().getByLabel(title, { exact: true }).last();
async function put(where, title, value) {
    const field = handle(where, title);
    if ((await field.evaluate((one) => one.tagName)) === "SELECT") return field.selectOption(String(value));
    await field.fill(String(value));
    await field.press("Tab");
}
async function uncovered(where) {
    const show = where.getByRole("button", { name: "Show the result" });
    if (await show.count()) await show.click();
}
const source = (tab, name) => tab.evaluate((name) => warpbookLive.sources[warpbookLive.entries[name].file], name);

const rows = [];
// Sizes of what a visit loads, as files and as a server sends them.
const visits = [];
const packed = new Map();
function size(files) {
    const known = (file) => packed.get(file) ?? packed.set(file, { bytes: fs.statSync(file).size, gzipped: gzipSync(fs.readFileSync(file), { level: 9 }).length }).get(file);
    return [...files].map(known).reduce((sum, one) => ({ bytes: sum.bytes + one.bytes, gzipped: sum.gzipped + one.gzipped }), { bytes: 0, gzipped: 0 });
}
// The browser's own list of a page's resources has no files: requests are noted instead.
const loaded = (tab) => new Set(tab.asked.filter((name) => name.startsWith("file:")).map((name) => fileURLToPath(name.split(/[?#]/)[0])));
// What is folded is opened, as a link to it would.
const unfold = (where) =>
    where.evaluate((one) => {
        for (let fold = one.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    });
// What a page of a book without the engine does not have: the loader, and the places that it fills.
const MOST_GROWTH = 15 << 10;
function growth(page) {
    const html = fs.readFileSync(path.join(book, page), "utf8");
    const places = html.match(/<div class="live[^>]*><\/div>|<script src="[^"]*\/live-[^"]*"><\/script>/g) ?? [];
    const loader = fs.readdirSync(path.join(book, "book/theme")).filter((name) => /^live.*\.js$/.test(name));
    return places.join("").length + size(loader.map((name) => path.join(book, "book/theme", name))).bytes;
}

await check("every page is without errors and asks no other host", async () => {
    for (const page of pages) {
        const tab = await open(page);
        await tab.waitForLoadState("load");
        const first = loaded(tab);
        assert(first.size > 5, `${page} asks for its style sheets and scripts`);
        assert.deepEqual([...first].filter((file) => file.includes("/live/")), [], `${page} loads what nobody asked for`);
        const visit = size(first);
        const grows = growth(page);
        assert(grows <= MOST_GROWTH, `${page} loads ${grows} bytes more for its live kernels`);
        const button = tab.locator("main .live-open").first();
        let opening = null;
        if (await button.count()) {
            await button.evaluate((one) => one.click());
            await tab.locator("main .live-panel").first().waitFor({ state: "attached", timeout: 30000 });
            opening = size([...loaded(tab)].filter((file) => !first.has(file)));
        }
        visits.push({ page, files: first.size, bytes: visit.bytes, gzipped: visit.gzipped, "of them for live kernels": grows, "on opening one": opening?.bytes ?? 0, "on opening, gzipped": opening?.gzipped ?? 0 });
        await close(tab);
    }
});

await check("every live kernel gives the results of the original", async () => {
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
            rows.push({ page: n ? "" : page, kernel: name, "open, ms": Math.round(loaded), "first run, ms": /\((\d+) ms/.exec(first)?.[1] ?? "covered", "again, ms": Math.round(performance.now() - second) });
            assert.match(first, /those of the original|Predict first/, `${page}: ${name}`);
            const covered = where.getByRole("button", { name: "Show the result" });
            if (await covered.count()) await covered.click();
            await where.locator(".live-status.same").waitFor();
            const said = await where.textContent();
            assert.equal(said.split("those of the original").length, 2, `${name}: it is said once`);
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
    await where.locator(".live-run").click();
    await tab.evaluate(stopAtOnce, "#live-add");
    assert.equal(await until(where, /^(Stopped|Ended|A fault)/), "Stopped.");
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

await check("tiles are compared with the plain product, phase by phase", async () => {
    const tab = await open("tiling.html");
    const where = place(tab, "phases");
    await opened(where);
    await run(where);
    await uncovered(where);
    const sectors = async () => {
        const row = where.locator(".live-kernels tr", { hasText: "sectors of global loads" }).first();
        return (await row.locator("td").allTextContents()).map((text) => Number(text.replaceAll(",", "")));
    };
    await where.locator(".live-access svg").first().waitFor();
    const one = await sectors();
    assert(one[0] > 0 && one[1] > one[0], `tiles load less: ${one}`);
    await handle(where, "phases").fill("2");
    await tab.keyboard.press("Tab");
    for (let n = 0; n < 200 && (await sectors().catch(() => one))[0] === one[0]; n++) await tab.waitForTimeout(50);
    assert.deepEqual(await sectors(), one.map((count) => 2 * count), "each phase loads as much");
    await where.screenshot({ path: path.join(out, "phases.png") });
    await close(tab);
});

await check("the launch's shape is the reader's", async () => {
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

await check("spheres are moved in the picture and by numbers", async () => {
    const tab = await open("ray-tracing.html");
    const where = place(tab, "rays");
    await opened(where);
    await run(where);
    await uncovered(where);
    const canvas = where.locator("canvas");
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

await check("what can be neither kept nor read is told", async () => {
    const broken = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await broken.addInitScript(() => {
        const set = Storage.prototype.setItem;
        Storage.prototype.setItem = function (key, value) {
            if (key.startsWith("warpbook-")) throw new DOMException("full", "QuotaExceededError");
            return set.call(this, key, value);
        };
    });
    const tab = await open("linear-memory.html", { context: broken });
    const item = tab.locator("#vector_sum");
    await opened(item);
    assert.match(await item.locator(".live-unkept").textContent(), /cannot keep your work/);
    await tab.goto(url("your-work.html"));
    const work = place(tab, "work");
    await opened(work);
    const file = path.join(out, "damaged.toml");
    const whole = `format = 1\n[[exercise]]\nname = "vector_sum"\nstate = "passed"\nsource = "x"\n`;
    for (const [text, told] of [
        [whole, /no room for 1 exercise and 0 answers/],
        [whole.replace("vector_sum", "no_such"), /1 exercise of the file is not in this book/],
        [whole.replace(`source = "x"`, "source = 5"), /Not imported: an entry/],
        [whole.replace("format = 1", "format = 7"), /Not imported/],
        [whole.replace("[[exercise]]", "exercise = 5\n[[exercise]]"), /Not imported/],
        ["\0\u0001\u0002", /Not imported: line 1/],
        ["", /Not imported/],
        ["format = 1\n[[question]]\nid = \"a\"\n", /Imported: 0 exercises, 1 answer\./],
    ]) {
        fs.writeFileSync(file, text);
        await work.locator(".live-status").evaluate((one) => (one.textContent = ""));
        await work.locator("input[type=file]").setInputFiles(file);
        await until(work, told, 5000);
    }
    await close(tab);
});

await check("runs of every size get an answer", async () => {
    const tab = await open("any-kernel.html");
    const answers = await tab.evaluate(async () => {
        document.querySelector("#live-any .live-open").click();
        while (!globalThis.warpbook?.Device || !document.querySelector("#live-any .live-panel")) await new Promise((done) => setTimeout(done, 50));
        const device = new warpbook.Device();
        const kernel = (body) => `extern "C" __global__ void k(float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; ${body} }`;
        const ask = (body, { grid = [1], block = [32], length = 32, text = kernel(body) } = {}) =>
            device
                .ask({ do: "any", text, language: "cuda", buffers: [{ name: "out", type: "f32", length, init: "zeros" }], launches: [{ kernel: "k", grid, block, shared: 0, args: ["out", `int ${length}`] }] })
                .then((answer) => ({ ...answer, printed: (answer.printed ?? "").length, fault: answer.fault?.message }), (error) => ({ thrown: String(error) }));
        return {
            nan: await ask("if (i < n) out[i] = i % 2 ? 0.0f / 0.0f : 1.0f / 0.0f;"),
            empty: await ask("if (i < n) out[i] = 1;", { length: 0 }),
            huge: await ask("", { grid: [2147483647, 65535, 65535] }),
            beyond: await ask("", { block: [4096] }),
            prints: await ask(`for (int j = 0; j < 40000; j++) printf("line %d of thread %d\\n", j, i);`),
            long: await ask("", { text: `${kernel("out[i] = 1;")}\n${"// a comment of some length that fills the file\n".repeat(4300)}` }),
            functions: await ask("", { text: `${Array.from({ length: 2500 }, (_, n) => `__device__ float f${n}(float x) { return x * ${n}.0f + sinf(x); }`).join("\n")}\n${kernel("out[i] = f7(1);")}` }),
        };
    });
    console.log(`       ${JSON.stringify(Object.fromEntries(Object.entries(answers).map(([name, one]) => [name, one.thrown ?? one.error ?? one.fault ?? `${one.outcome}, ${one.printed} printed`])))}`);
    for (const [name, answer] of Object.entries(answers)) {
        assert(!answer.thrown, `${name}: ${answer.thrown}`);
        assert(answer.error || answer.outcome, name);
    }
    await close(tab);
});

await check("a worker that dies is told, and another begins", async () => {
    const tab = await open("linear-memory.html");
    await opened(place(tab, "add"));
    const told = await tab.evaluate(async () => {
        const device = new warpbook.Device();
        await device.ask({ do: "exercises" });
        const { Worker } = globalThis;
        const bad = new warpbook.Device();
        globalThis.Worker = class extends Worker {
            postMessage(message) {
                super.postMessage(message.request ? { id: message.id, request: { toString: null } } : message);
            }
        };
        const first = await bad.ask({ do: "exercises" }).then(() => "an answer", (error) => error.message);
        globalThis.Worker = Worker;
        const second = await bad.ask({ do: "exercises" }).then((answer) => answer.ok, (error) => error.message);
        return { first, second };
    });
    assert.match(told.first, /the device stopped/);
    assert.equal(told.second, true);
    await close(tab);
});

await check("the focus, the reader's folds and the place of an error stay in view", async () => {
    const tab = await open("tiling.html");
    const where = place(tab, "phases");
    await opened(where);
    const focused = () => tab.evaluate(() => document.activeElement.textContent);
    await where.locator(".live-run").focus();
    await tab.keyboard.press("Enter");
    await until(where, ENDED);
    assert.equal(await focused(), "Run", "the button that was pressed keeps the focus");
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
        const before = await step.textContent();
        await where.getByRole("button", { name: "Line ▶" }).click();
        for (let n = 0; n < 100 && (await step.textContent()) === before; n++) await tab.waitForTimeout(20);
        assert.equal(await registers.evaluate((one) => one.open), unfolded, "a step folds nothing");
    }
    await where.locator(".live-run").click();
    await tab.waitForTimeout(300);
    await until(where, ENDED);
    assert(await output.evaluate((one) => one.open), "what was unfolded stays so");
    assert.equal(await where.locator(".live-access").getByLabel("turn of the loop").last().inputValue(), "1", "turns are counted from 1, as in the words");

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
    assert.equal(await until(there, /^Not run/), "Not run: there is no buffer `out`");
    await close(any);
});

await check("a result that answers a question is covered until it is answered, or until the reader chooses to see", async () => {
    const tab = await open("linear-memory.html");
    const where = place(tab, "coalescing");
    await opened(where);
    assert.match(await run(where), /^It has run\. Predict first/);
    assert.equal(await where.locator(".live-output").count(), 0);
    await tab.locator("#question-neighbours input").first().focus();
    await tab.keyboard.press("Space");
    await where.locator(".live-output").waitFor();
    const other = place(tab, "add4");
    await opened(other);
    await run(other);
    await other.getByRole("button", { name: "Show the result" }).focus();
    await tab.keyboard.press("Enter");
    await other.locator(".live-output").waitFor();
    await close(tab);
});

await check("the lanes' arrows can be read on a phone", async () => {
    const tab = await open("constant-memory.html", { width: 390, height: 844 });
    const where = place(tab, "addresses");
    await opened(where);
    await tab.waitForTimeout(100);
    const small = await where.locator(".live-arrows text").evaluateAll((all) => all.map((one) => one.textContent && one.getBoundingClientRect().height).filter((height) => height && height < 10));
    assert.deepEqual(small, []);
    await close(tab);
});

await check("on a phone no line parts a short name or a date, and no page is wider than the screen", async () => {
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

await check("two panels run side by side", async () => {
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

await check("a fetch of a texture is drawn, from memory and from an array, in its chapter and in Any kernel", async () => {
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
    assert.equal(await there.locator(".live-status.differs").count(), 1);
    await close(tab);
});

await check("any kernel runs", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    assert.match(await run(where), /It has run/);
    assert.match(await where.locator(".live-output").last().locator("pre").textContent(), /0 {2}2 {2}4 {2}6/);
    // A field that shows what is no number is not passed over.
    const field = (label) => where.getByLabel(label, { exact: true }).first();
    for (const [label, bad, good, why] of [
        ["elements", "many", "256", "“many” is no number"],
        ["elements", "-1", "256", "“-1” is no whole number from 0 on"],
        ["numbers, where these are chosen", "1 2 x 4", "1 2 4", "“x” is no number"],
        ["blocks (x y z)", "1 2 3 4", "2 1 1", "a launch has three dimensions at the most: x y z"],
    ]) {
        await unfold(field(label));
        await field(label).fill(bad);
        await field(label).press("Tab");
        assert.equal(await run(where), `Not run: ${why}`);
        await field(label).fill(good);
        await field(label).press("Tab");
        assert.match(await run(where), /It has run/);
    }
    await field("threads of a block (x y z)").fill("0");
    await field("threads of a block (x y z)").press("Tab");
    assert.match(await run(where), /^Not run: .* must have no zero$/);
    // An instance of a template by its name, which writes to a surface of three dimensions.
    await field("threads of a block (x y z)").fill("32");
    await field("blocks (x y z)").fill("1");
    await field("kernel").fill("fill<float, 100>");
    await where.getByRole("group", { name: "launch 1" }).getByLabel(/^arguments/).fill("s");
    const add = where.locator("button", { hasText: "Add a texture" });
    await unfold(add);
    await add.click();
    const surface = where.getByRole("group", { name: "texture 1" });
    await surface.getByLabel("name").fill("s");
    await surface.getByLabel("rows; none for one dimension").fill("2");
    await surface.getByLabel(/^slices/).fill("8");
    await surface.getByLabel("read by").selectOption("1");
    await where.locator(".cm-content").click();
    await tab.keyboard.press("Control+a");
    await tab.keyboard.insertText(
        "template <typename T, int N> __global__ void fill(cudaSurfaceObject_t s) {\n" +
            "    int x = threadIdx.x % 16, y = threadIdx.x / 16;\n    surf3Dwrite(T(N + threadIdx.x), s, x * 4, y, 1);\n}\n"
    );
    assert.match(await run(where), /It has run/);
    const shown = await where.locator(".live-output pre").first().textContent();
    assert.match(shown, /^0 {2}1 {2}2 {2}.* 31 {2}100 {2}101 {2}102/, "the buffer shows what the surface was written");
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

if (solutions) {
    await check("every exercise fails as it begins, and passes with its solution", async () => {
        const found = [];
        for (const page of pages) {
            const tab = await open(page);
            for (const name of await tab.locator("ol.exercises[data-live] > li").evaluateAll((all) => all.map((one) => one.id))) {
                const item = tab.locator(`#${name}`);
                await item.locator(".live-open").click();
                await item.locator(".live-panel .cm-content").waitFor();
                await item.locator(".live-run").click();
                const said = await until(item, /^Not yet: ./, 20000);
                assert.doesNotMatch(said, /: (error|warning)/, name);
                assert.equal((await item.textContent()).split(said.slice(9)).length, 2, `${name}: it is said once`);
                await write(tab, item, solutions[name]);
                await item.locator(".live-run").click();
                await until(item, /^Passed: .+, \d+ cases\. \(/, 20000);
                found.push(name);
            }
            await close(tab);
        }
        assert.deepEqual(found.toSorted(), Object.keys(solutions).toSorted());
    });
}

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
    // Whoever has found the right answer may read what is said to the others.
    for (const choice of ["1", "4", "32"]) await tab.locator(`#question-neighbours input[value="${choice}"]`).check();
    const answered = 'id = "neighbours"\nchosen = ["1", "4"]';

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
    assert(fs.readFileSync(file, "utf8").includes(answered), answered);
    await close(tab);

    const fresh = await open("your-work.html");
    await opened(place(fresh, "work"));
    assert.match(await place(fresh, "work").textContent(), /0 of \d+ exercises passed/);
    await place(fresh, "work").locator("input[type=file]").setInputFiles(file);
    await until(place(fresh, "work"), /^Imported/);
    assert.match(await place(fresh, "work").textContent(), /1 of \d+ exercises passed/);
    // What only a terminal makes comes out as it went in.
    const more = path.join(out, "more.toml");
    const others = [answered, `[[answer]]\nid = "padding-of-b"\ntext = '''\nIt's "32",\nnot 33.'''`, `[[record]]\nlab = "lab-5-5"\njson = '''\n{ "a": "\\\\n" }\n'''`];
    fs.writeFileSync(more, [fs.readFileSync(file, "utf8"), ...others.slice(1)].join("\n") + "\n");
    await place(fresh, "work").locator("input[type=file]").setInputFiles(more);
    await until(place(fresh, "work"), /1 answer in words and 1 record,/);
    await place(fresh, "work").getByLabel("your name").fill("Ada Lovelace");
    await fresh.keyboard.press("Tab");
    const again = fresh.waitForEvent("download");
    again.catch(() => {});
    await place(fresh, "work").getByRole("button", { name: "Export", exact: true }).click();
    await (await again).saveAs(more);
    for (const part of others) assert(fs.readFileSync(more, "utf8").includes(part), part);
    await close(fresh);
});

// How long it takes from a key to the drawing, with the handles as far as they go. A table, not a bound: a test's machine is busy.
const keys = [];
await check("each kernel runs with its handles as far as they go", async () => {
    for (const page of pages) {
        const tab = await open(page);
        const names = await tab.locator("[data-live]:not(ol)").evaluateAll((all) => all.map((one) => one.dataset.live));
        for (const name of names) {
            const where = place(tab, name);
            await where.evaluate((one) => {
                for (let fold = one.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
            });
            await opened(where);
            const most = await tab.evaluate((name) => (warpbookLive.entries[name].parameters ?? []).map(({ title, from, to, multiple = 1 }) => [title, to - ((to - from) % multiple)]), name);
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
            keys.push({ kernel: name, "instructions of threads": instructions, "key to drawing, ms": Math.round(least), "for 10^7, ms": instructions > 1e6 ? Math.round((least * 1e7) / instructions) : "–" });
        }
        await close(tab);
    }
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
for (const table of [visits, rows, keys]) if (table.length) console.table(table);
process.exit(failed ? 1 : 0);

// States of a page: each experiment's handles, each kind of access, each step; large letters, high contrast, paper, no scripts; its policy.
import assert from "node:assert/strict";
import path from "node:path";
import { browser, close, expected, handle, long, open, opened, out, pages, place, put, run, settled, source, uncovered, unfold, url, write } from "./harness.mjs";

// The experiment of each chapter that has a central question, with a handle of it.
const EXPERIMENTS = [
    ["linear-memory.html", "coalescing", "elements from lane to lane"],
    ["pitched-memory.html", "pitches", "elements of a row"],
    ["tiling.html", "banks", "elements of padding after a row"],
    ["tiling.html", "phases", "phases"],
    ["constant-memory.html", "addresses", "distinct addresses of a warp"],
    ["constant-memory.html", "radius", "elements of the halo on either side"],
    ["ray-tracing.html", "rays", "spheres"],
    ["n-body.html", "gravity_constant", "bodies"],
];
await long("the handles of each experiment change what is counted, dragged and by keys", async () => {
    for (const [page, name, title] of EXPERIMENTS) {
        const tab = await open(page);
        const where = place(tab, name);
        await unfold(where);
        await opened(where);
        await run(where);
        await uncovered(where);
        const shown = () => where.locator(".live-counters tbody").first().textContent().catch(() => "");
        await where.locator(".live-counters tbody").first().waitFor({ state: "attached" });
        const row = where.locator(".live-parameters").first().locator(".live-parameter").filter({ has: tab.getByText(title, { exact: true }) });
        const [slider, field] = [row.locator("[type=range]"), row.locator("[type=number]")];
        const changes = async (what, act) => {
            const [value, before] = [await field.inputValue(), await shown()];
            await act();
            assert.notEqual(await field.inputValue(), value, `${name}: ${what}`);
            for (let n = 0; n < 200 && (await shown()) === before; n++) await tab.waitForTimeout(50);
            assert.notEqual(await shown(), before, `${name}: ${what}`);
        };
        await changes("dragged", async () => {
            await slider.scrollIntoViewIfNeeded();
            const box = await slider.boundingBox();
            const y = box.y + box.height / 2;
            await tab.mouse.move(box.x + 4, y);
            await tab.mouse.down();
            await tab.mouse.move(box.x + box.width / 2, y, { steps: 3 });
            await tab.mouse.up();
        });
        await changes("by keys", async () => {
            await field.focus();
            const other = (await field.inputValue()) === "2" ? "3" : "2";
            await tab.keyboard.press("ControlOrMeta+a");
            await tab.keyboard.type(other);
            await tab.keyboard.press("Tab");
        });
        await where.screenshot({ path: path.join(out, `experiment-${name}.png`) });
        await close(tab);
    }
});

// A kernel with an access to each memory.
const KINDS = `__constant__ float weights[64];
__global__ void kinds(const float *in, float *out, cudaTextureObject_t t, unsigned *sum, int n) {
    __shared__ float tile[64];
    float kept[8];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i];
    __syncthreads();
    for (int turn = 0; turn < n; turn++) {
        float found = tile[63 - threadIdx.x];
        found += weights[threadIdx.x % (turn + 1)];
        found += tex2D<float>(t, threadIdx.x % 8, threadIdx.x / 8);
        kept[(turn + i) % 8] = found;
    }
    float last = kept[3 * i % 8];
    out[i] = last;
    atomicAdd(&sum[threadIdx.x % 4], 1u);
}
`;
const LINES = [
    ["global", "tile[threadIdx.x] = in[i]", /sector/],
    ["shared", "tile[63 - threadIdx.x]", /wavefront|bank/],
    ["constant", "+= weights", /address|pass|constant/],
    ["texture", "tex2D", /texel|sector|request/],
    ["atomics", "atomicAdd", /atomic/i],
    ["local", "float last", /local/],
];
await long("an access to each memory is drawn, of every warp, block and turn", async () => {
    const tab = await open("any-kernel.html");
    const state = {
        text: KINDS,
        language: "cuda",
        buffers: [
            { name: "in", type: "f32", length: 128, init: "index" },
            { name: "out", type: "f32", length: 128, init: "poison" },
            { name: "w", type: "f32", length: 64, init: "index", symbol: "weights" },
            { name: "picture", type: "f32", length: 64, init: "index" },
            { name: "sum", type: "u32", length: 4, init: "zeros" },
        ],
        textures: [{ name: "t", buffer: "picture", width: 8, height: 8 }],
        launches: [{ kernel: "kinds", grid: [2, 1, 1], block: [64, 1, 1], shared: 0, args: ["in", "out", "t", "sum", "int 8"] }],
    };
    await opened(place(tab, "any"));
    const fragment = await tab.evaluate((state) => warpbook.hash("any", state), state);
    await close(tab);
    const brought = await open(`any-kernel.html${fragment}`);
    const where = place(brought, "any");
    await opened(where);
    assert.equal(await where.locator(".live-results").textContent(), "", "nothing has run");
    assert.match(await run(where), /It has run/);
    const view = where.locator(".live-access");
    await view.locator("> summary").click();
    const choose = view.locator("> select");
    const told = view.locator("> [role=status]");
    for (const [kind, text, says] of LINES) {
        const line = KINDS.split("\n").findIndex((one) => one.includes(text)) + 1;
        await choose.selectOption(String(line));
        for (let n = 0; n < 100 && !says.test(await told.textContent()); n++) await brought.waitForTimeout(50);
        assert.match(await told.textContent(), says);
        await view.screenshot({ path: path.join(out, `access-${kind}.png`) });
        await view.locator("svg").first().waitFor({ timeout: 3000 });
    }
    await choose.selectOption(String(KINDS.split("\n").findIndex((one) => one.includes("+= weights")) + 1));
    const slide = (title) => view.getByLabel(title, { exact: true }).last();
    for (const [title, value] of [["warp", "1"], ["block x", "1"], ["iteration of the loop", "3"]]) {
        const drawn = await view.locator("svg").first().innerHTML();
        const said = await settled(told, async () => {
            await slide(title).fill(value);
            await brought.keyboard.press("Tab");
        });
        assert.equal(await slide(title).inputValue(), value, said);
        assert(drawn.length > 0);
    }
    assert.match(await told.textContent(), /3/);
    await close(brought);
});

await long("a block is stepped through its barriers, forwards and back, with variables, registers and shared memory", async () => {
    const tab = await open("tiling.html");
    const where = place(tab, "tiled");
    await unfold(where);
    await opened(where);
    await run(where);
    await uncovered(where);
    const view = where.locator(".live-steps");
    await view.locator("> summary").click();
    await view.locator(".live-lanes").waitFor();
    await view.getByLabel("step through").selectOption("all");
    const told = view.locator("> [role=status]");
    const at = async () => Number(/Step ([\d,]+) of/.exec(await told.textContent())?.[1].replaceAll(",", ""));
    for (let n = 0; n < 100 && !/^Warp/.test(await told.textContent()); n++) await tab.waitForTimeout(50);
    const waiting = view.getByRole("table", { name: "Warps of the block" }).getByText(/^waits at /);
    // What a step shows, by its number; the way back shows the same.
    const seen = new Map();
    for (let n = 0; n < 400 && !(await waiting.count()); n++) {
        await settled(told, () => view.getByRole("button", { name: "Line ▶" }).click());
        seen.set(await at(), [await told.textContent(), await view.locator(".live-lanes").getAttribute("aria-label")]);
    }
    assert(await waiting.count(), "a warp waits at the barrier for the others");
    assert(await view.getByRole("table", { name: "Variables of the lanes" }).count());
    assert(await view.locator("summary", { hasText: "Registers" }).count());
    assert.match(await view.locator("summary", { hasText: "Shared memory" }).textContent(), /bytes/);
    assert.match(await view.locator("summary", { hasText: "Accesses so far" }).textContent(), /\d/);
    await view.locator("summary", { hasText: "Shared memory" }).click();
    await view.screenshot({ path: path.join(out, "barrier.png") });
    let back = 0;
    for (const name of ["◀ Line", "◀ Line", "◀ Instruction", "Instruction ▶"]) {
        await settled(told, () => view.getByRole("button", { name }).click());
        const known = seen.get(await at());
        if (!known) continue;
        back++;
        assert.deepEqual([await told.textContent(), await view.locator(".live-lanes").getAttribute("aria-label")], known, name);
    }
    assert(back, "the way back leads by what was there");
    await close(tab);
});

await long("the gutter marks what a line costs otherwise than the original's", async () => {
    const tab = await open("linear-memory.html");
    const where = place(tab, "add");
    await opened(where);
    await run(where);
    assert((await where.locator(".live-cost").count()) > 0);
    assert.equal(await where.locator(".live-cost.changed").count(), 0);
    await write(tab, where, (await source(tab, "add")).replace("a[i] + b[i]", "a[i * 2 % n] + b[i]"));
    await run(where);
    const marked = where.locator(".live-cost.changed").first();
    assert.match(await marked.textContent(), /^≠ \d/);
    assert.match(await marked.getAttribute("title"), /sectors of global loads: [\d,]+, was [\d,]+/);
    await where.locator(".live-counters > summary").click();
    await where.screenshot({ path: path.join(out, "gutter.png") });
    assert((await where.getByRole("table", { name: "Counters of each line" }).locator("tr.changed").count()) > 0, "and so in words");
    await close(tab);
});

await long("large letters, high contrast and still pictures keep a panel usable", async () => {
    for (const [name, width, options] of [
        ["zoomed", 640, { deviceScaleFactor: 2 }],
        ["contrast", 1280, { forcedColors: "active" }],
        ["contrast-phone", 390, { forcedColors: "active", colorScheme: "dark" }],
    ]) {
        const context = await browser.newContext({ viewport: { width, height: 800 }, reducedMotion: "reduce", ...options });
        const tab = await open("constant-memory.html", { context });
        const where = place(tab, "addresses");
        await opened(where);
        await run(where);
        await uncovered(where);
        await where.locator(".live-drawing svg").first().waitFor();
        const wide = await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert(wide <= 0, `${name}: ${wide} pixels wider than the window`);
        const moves = await where.evaluate((one) => [...one.querySelectorAll("*")].filter((part) => getComputedStyle(part).animationName !== "none" || !/^0s(, 0s)*$/.test(getComputedStyle(part).transitionDuration)).map((part) => part.className));
        assert.deepEqual(moves, [], name);
        await where.screenshot({ path: path.join(out, `${name}.png`) });
        await close(tab);
    }
});

await long("counters are shown beside the first run until the reader pins another, whatever the sliders do", async () => {
    const tab = await open("linear-memory.html");
    const where = place(tab, "add");
    await opened(where);
    await run(where);
    const table = where.getByRole("table", { name: "Counters of all launches" });
    const row = () => table.locator("tr", { hasText: "sectors of global loads" }).textContent();
    await where.locator(".live-counters > summary").click();
    const began = await handle(where, "elements").inputValue();
    assert.match(await row(), /=$/);
    const after = async (act) => {
        const before = await table.textContent();
        await act();
        for (let n = 0; n < 250 && (await table.textContent()) === before; n++) await tab.waitForTimeout(20);
    };
    await after(() => put(where, "elements", 4 * Number(began)));
    assert.match(await row(), /≠ \+ \d+ sectors \(× (3\.\d\d|4\.\d\d)\)$/);
    const baseline = () => where.locator(".live-baseline").textContent();
    assert.match(await baseline(), new RegExp(`^The baseline is the book's source with its first values \\(elements ${Number(began).toLocaleString("en-US")}`));
    await after(() => where.getByRole("button", { name: "Pin this run" }).click());
    assert.match(await row(), /=$/);
    assert.match(await baseline(), /^The baseline is the run that you pinned \(/);
    await close(tab);
});

await long("without scripts and on paper a page is what was recorded", async () => {
    for (const page of pages) {
        const context = await browser.newContext({ javaScriptEnabled: false });
        const tab = await context.newPage();
        await tab.goto(url(page));
        assert.equal(await tab.locator(".live-open").count(), 0, page);
        if (await tab.locator("main .live[data-live]").count()) {
            assert((await tab.locator("main pre code").count()) > 0 && (await tab.locator("main :is(svg, table)").count()) > 0, page);
        }
        await context.close();
    }
    const tab = await open("linear-memory.html");
    await opened(place(tab, "add"));
    await tab.emulateMedia({ media: "print" });
    assert.deepEqual(await tab.locator(".live-panel, .live-open").evaluateAll((all) => all.filter((one) => one.checkVisibility()).map((one) => one.className)), []);
    await close(tab);
});

await long("a policy in each page keeps it to the book's own files", async () => {
    for (const page of pages) {
        const tab = await open(page);
        const policy = await tab.locator("meta[http-equiv='Content-Security-Policy']").getAttribute("content");
        assert.match(policy, /^default-src 'none';/, page);
        assert(!/https?:|\*/.test(policy), `${page}: ${policy}`);
        await close(tab);
    }
    const tab = await open("linear-memory.html");
    expected(/Content Security Policy|Failed to load|ERR_/);
    const told = await tab.evaluate(() => fetch("https://example.invalid/").then(() => "an answer", () => "refused"));
    assert.equal(told, "refused");
    await tab.evaluate(() => document.head.append(Object.assign(document.createElement("script"), { textContent: "globalThis.injected = true" })));
    assert.equal(await tab.evaluate(() => globalThis.injected), undefined, "an inline script that is not the book's does not run");
    await close(tab);
});

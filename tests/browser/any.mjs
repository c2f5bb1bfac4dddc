// Any kernel, and runs of every size.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { alone, check, close, long, open, opened, options, out, place, run, status, unfold, until, write } from "./harness.mjs";

await long("runs of every size get an answer", async () => {
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
            memory: await ask("", { length: 1e12 }),
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

await long("a worker that dies is told, and another begins", async () => {
    const tab = await open("linear-memory.html");
    await opened(place(tab, "add"));
    const told = await tab.evaluate(async () => {
        const device = new warpbook.Device();
        await device.ask({ do: "compile", text: "" });
        const { Worker } = globalThis;
        const bad = new warpbook.Device();
        globalThis.Worker = class extends Worker {
            postMessage(message) {
                super.postMessage(message.request ? { id: message.id, request: { toString: null } } : message);
            }
        };
        const first = await bad.ask({ do: "compile", text: "" }).then(() => "an answer", (error) => error.message);
        globalThis.Worker = Worker;
        const second = await bad.ask({ do: "compile", text: "" }).then((answer) => answer.ok, (error) => error.message);
        return { first, second };
    });
    assert.match(told.first, /the device stopped/);
    assert.equal(told.second, true);
    await close(tab);
});

await long("any kernel says which host code did not run, and what ran, and how long that takes as modelled", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    const kernel = "__global__ void twice(const float *in, float *out, int n) { out[threadIdx.x] = in[threadIdx.x]; }\n";
    await write(tab, where, `// int main() {}\n${kernel}`);
    const alone = await run(where);
    assert.match(alone, /^It has run\. Modelled time on an H200: \d[\d.]*\sµs; limited by .+\. \(.*; this browser took [\d,]+ ms to simulate it\.\)$/);
    await write(tab, where, `${kernel}static void fill(float *a) {}\nvoid start() { fill(0); twice<<<1, 1>>>(0, 0, 0); }\n`);
    assert.match(await run(where), / Host code did not run: fill\(\), start\(\)\. What ran: twice<<<2, 128>>>, as the list of launches says\.$/);
    // Of another kernel nothing is said.
    await write(tab, where, `${kernel}__global__ void twice_more(int *a) { int n; a[n] = 1; }\n`);
    assert.match(await run(where), /^It has run/);
    assert.equal(await where.locator(".live-messages").count(), 0);
    await close(tab);
});

await long("what only the engine with whole programs has is loaded where a source names it", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    const read = (file) => fs.readFileSync(path.join(options.root, "crates/cuda", file), "utf8");
    const [, list] = read("build.rs").match(/const PROGRAMS[^=]+=([^;]+);/);
    const files = Array.from(list.matchAll(/"([^"]+)"/g), ([, name]) => name);
    const index = Object.fromEntries(read("library/index.txt").trim().split("\n").map((line) => line.split(": ")));
    const sources = files.flatMap((file) => (/\.h$|^cuda\//.test(file) ? [`#include <${file}>`] : (index[file] ?? "").split(" ").filter((word) => /^(?!__).|^__v/.test(word)).map((word) => `a = ${word}(b);`)));
    assert(sources.length > 15 && sources.includes("a = j0f(b);"), `${sources}`);
    const without = await tab.evaluate((sources) => sources.filter((text) => !warpbook.isBeyond(text)), sources);
    assert.deepEqual(without, []);
    const kernel = "__global__ void twice(const float *in, float *out, int n) { out[threadIdx.x] = j0f(in[threadIdx.x]); }\n";
    await write(tab, where, kernel);
    assert.match(await run(where), /^It has run/);
    await close(tab);
    // In a chapter's panel too, whose page does not begin with that engine.
    const chapter = await open("linear-memory.html");
    await opened(place(chapter, "add"));
    const messages = await chapter.evaluate(async (text) => (await new warpbook.Device().ask({ do: "compile", text })).messages ?? [], kernel);
    assert.deepEqual(messages, []);
    await close(chapter);
});

await long("any kernel refuses a buffer whose elements are not what the pointer is to", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    for (const [before, type, shown] of [
        ["", "double", "double"],
        ['extern "C" ', "double", "double"],
        ["typedef double real;\n", "real", "double"],
        ["#define T int\n", "T", "int"],
    ]) {
        await write(tab, where, `${before}__global__ void twice(const ${type} *in, float *out, int n) { out[0] = in[0]; }\n`);
        assert.equal(await run(where), `Not run: parameter 1 of twice is const ${shown} *, but is given float *`);
        assert.match(await where.locator(".live-fault").textContent(), /give the buffer elements of the parameter's type/);
    }
    await close(tab);
});

await long("what a kernel prints scrolls in a pane of its own, and lines that are left out are counted", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    const height = () => tab.evaluate(() => document.documentElement.scrollHeight);
    await write(tab, where, '#include <cstdio>\n__global__ void twice(const float *in, float *out, int n) { for (int j = 0; j < 40; j++) printf("%d\\n", j); }\n');
    await run(where);
    const pane = where.locator(".live-printed");
    assert((await pane.textContent()).split("\n").length <= 1001);
    assert((await pane.evaluate((one) => one.clientHeight)) < 600);
    assert.match(await where.locator(".live-left-out").textContent(), /^9,240 more lines were printed and left out here/);
    assert((await height()) < 6000, `${await height()}`);
    await close(tab);
});

await long("all pieces that a message is about are marked", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    await write(tab, where, "__global__ void twice(const float *in, float *out, int n) {\n    int a = 0;\n    float a = 1; out[0] = a;\n}\n");
    assert.match(await run(where), /does not compile/);
    await where.locator(".cm-lintRange-error").first().waitFor();
    assert.equal(await where.locator(".cm-lintRange-info").count(), 1);
    assert.match(await where.locator(".live-messages li li").textContent(), /^line 2: /);
    await close(tab);
});

const fields = (where) => (label) => where.getByLabel(label, { exact: true }).first();
await check("any kernel runs", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    await alone(where);
    assert.match(await run(where), /It has run/);
    assert.match(await where.locator(".live-output").last().locator("pre").textContent(), /0 {2}2 {2}4 {2}6/);
    // A field that shows what is no number is not passed over.
    const field = fields(where);
    for (const [label, bad, good, why] of [
        ["elements", "many", "256", "“many” is not a number"],
        ["elements", "-1", "256", "“-1” is not a whole number from 0 on"],
        ["numbers, where these are chosen", "1 2 x 4", "1 2 4", "“x” is not a number"],
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
    await close(tab);
});

await long("any kernel takes elements of every type, makes pictures, names instances, and runs what a chapter has", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    await alone(where);
    const field = fields(where);
    for (const label of ["elements", "blocks (x y z)"]) await unfold(field(label));
    // Numbers that the page's own would round, and those that do not fit, in elements of every type.
    const types = await field("type").locator("option").allTextContents();
    assert.deepEqual(types, ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "f16", "bf16", "e4m3", "e5m2", "f32", "f64"]);
    await field("threads of a block (x y z)").fill("32");
    await field("holds at first").selectOption("numbers");
    const typed = (text) => where.locator(".cm-content").click().then(() => tab.keyboard.press("Control+a")).then(() => tab.keyboard.insertText(text));
    for (const [type, of, numbers, gives] of [
        ["u64", "unsigned long long", "18446744073709551615 7", /^18446744073709551615 {2}7 {2}18446744073709551615/],
        ["i16", "short", "-32768 5", /^-32768 {2}5 /],
        ["f16", "__half", "0.1 65504", /^0\.1 {2}65504 /],
        ["bf16", "__nv_bfloat16", "-2 0.1", /^-2 {2}0\.1 /],
    ]) {
        await typed(`#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n__global__ void twice(const ${of} *in, ${of} *out, int n) { out[threadIdx.x] = in[threadIdx.x]; }\n`);
        for (const select of await where.getByLabel("type", { exact: true }).all()) await select.selectOption(type);
        await field("numbers, where these are chosen").fill(numbers);
        await field("numbers, where these are chosen").press("Tab");
        assert.match(await run(where), /It has run/);
        const out = where.locator(".live-output").last();
        assert.match(await out.locator("pre").textContent(), gives);
        assert.match(await out.locator("title").textContent(), /256 elements, 32 of them written, from -?\d/);
    }
    await field("numbers, where these are chosen").fill("1e39");
    await field("numbers, where these are chosen").press("Tab");
    assert.match(await run(where), /1e39 is more than a bf16 can hold/);
    await field("holds at first").selectOption("index");
    for (const select of await where.getByLabel("type", { exact: true }).all()) await select.selectOption("f32");
    // Numbers as a picture: grey, one a pixel.
    await typed("extern \"C\" __global__ void twice(const float *in, float *out, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = i % 16; }\n");
    await where.getByLabel("pixels a row, of a picture", { exact: true }).last().fill("16");
    await where.getByLabel("pixels a row, of a picture", { exact: true }).last().press("Tab");
    assert.match(await run(where), /It has run/);
    const canvas = where.locator(".live-output canvas");
    assert.deepEqual(await canvas.evaluate((one) => [one.width, one.height, ...one.getContext("2d").getImageData(15, 0, 1, 1).data]), [16, 16, 255, 255, 255, 255]);
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
            const { entry: live, source: text } = warpbookLive[name];
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

const printed = (where) => where.locator(".live-terminal").textContent();
await check("a whole program runs: what it prints appears, a message leads to its line, and one without an end is stopped", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    assert.equal(await where.getByText("Buffers", { exact: true }).isVisible(), false, "a program needs no list of buffers");
    assert.match(await run(where), /^It has run, with exit code 0\. \([\d,]+ operations of the host; [\d,]+ ms in this browser\)$/);
    assert.match(await printed(where), /^c\[1000\] = 3000, 0 of 65536 elements are wrong\n$/);
    await write(tab, where, `#include <cstdio>
int main(int argc, char **argv) {
    int *d, h[64] = {}, n = 0;
    cudaMalloc(&d, 128);
    while (scanf("%d", &n) == 1) printf("%s %d\\n", argv[1], n);
    cudaMemcpy(d, h, 256, cudaMemcpyHostToDevice);
    cudaFree(d);
    return 3;
}
`);
    await unfold(where.getByLabel("arguments of the program"));
    await where.getByLabel("arguments of the program").fill("got it");
    await where.getByLabel("standard input").fill("4 5");
    assert.match(await run(where), /^It has run, with exit code 3\. It did 1 thing wrong, see below\./);
    assert.equal(await printed(where), "got 4\ngot 5\n");
    const message = where.locator(".live-messages > li").first();
    assert.match(await message.textContent(), /^Error in line 6: cudaMemcpy writes 256 bytes of device memory of 128 bytes/);
    await message.getByRole("button", { name: "line 6" }).click();
    assert.equal(await where.locator(".cm-activeLineGutter").first().textContent(), "6");
    await write(tab, where, '#include <cstdio>\nint main() { puts("begun"); for (volatile int i = 0;; i = i + 1); }\n');
    await where.locator(".live-run").click();
    // However long it takes to compile.
    await where.locator(".live-printed", { hasText: "begun" }).waitFor({ timeout: 60000 });
    await where.getByRole("button", { name: "Stop", exact: true }).click();
    assert.equal(await until(where, /^Stopped/), "Stopped.");
    assert.equal(await printed(where), "begun\n", "what was printed until then is there");
    await write(tab, where, '#include <cstdio>\nint main() { puts("again"); }\n');
    assert.match(await run(where), /exit code 0/);
    assert.equal(await printed(where), "again\n");
    await close(tab);
});

await long("a program that prints a million lines leaves the page alive, and the pane has the last of them", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    await write(tab, where, '#include <cstdio>\nint main() { for (int i = 0; i < 1000000; i++) printf("line %d\\n", i); }\n');
    await tab.evaluate(() => {
        window.longest = 0;
        let last = performance.now();
        setInterval(() => {
            const now = performance.now();
            window.longest = Math.max(window.longest, now - last);
            last = now;
        }, 10);
    });
    assert.match(await run(where), /exit code 0/);
    const text = await printed(where);
    assert(text.endsWith("line 999999\n") && text.length <= 120000, `${text.length} characters end with ${text.slice(-20)}`);
    assert.match(await where.locator(".live-left-out").textContent(), /^The first [\d,]+ characters are not shown here\./);
    const longest = await tab.evaluate(() => window.longest);
    console.log(`       the page was busy for ${Math.round(longest)} ms at the most`);
    assert(longest < 2000);
    await close(tab);
});

await long("every program of the menu runs, and its pictures are drawn", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    const names = await where.locator(".live-examples option").evaluateAll((all) => all.map((one) => one.value).filter((name) => name && name !== "alone"));
    assert(names.length >= 12);
    for (const name of names) {
        await where.locator(".live-examples").selectOption(name);
        await until(where, /^This is the example/);
        assert.match(await run(where), /^It has run, with exit code 0\. \(/, name);
        if (name === "rays") {
            const canvas = where.locator(".live-file canvas");
            assert.deepEqual(await canvas.evaluate((one) => [one.width, one.height]), [320, 200]);
            const [download] = await Promise.all([tab.waitForEvent("download"), where.getByRole("button", { name: "Save spheres.ppm" }).click()]);
            assert.equal(download.suggestedFilename(), "spheres.ppm");
        }
    }
    assert.equal(await status(where).count(), 1);
    await close(tab);
});

await check("a chapter's program runs, its rows and streams are drawn, and a change to try has its explanation", async () => {
    const tab = await open("pitched-memory.html");
    const where = place(tab, "program-pitched");
    await unfold(where);
    await opened(where);
    assert.match(await run(where), /^It has run, with exit code 0\. \(/);
    assert.match(await printed(where), /the last element: 448\n$/);
    assert.equal(await where.locator(".live-messages").count(), 0);
    assert.deepEqual(await where.locator("[role=tab]").allTextContents(), ["pitched.cu", "ch4-2/rows.cu", "check.h"]);
    const copies = where.locator(".live-copy");
    assert.equal(await copies.count(), 2);
    assert.match(await copies.first().textContent(), /: cudaMemcpy2D copies 15 rows of 60 bytes.*device memory of 15 rows of 60 bytes with a pitch of 512/);
    // In rows of 512 bytes, 60 are data.
    const drawn = await copies.first().locator(".live-memory").last().locator(".live-row").first().evaluate((row) => row.querySelector(".live-piece").offsetWidth / row.clientWidth);
    assert(Math.abs(drawn - 60 / 512) < 0.02, `${drawn}`);
    assert.equal(await where.locator(".live-stream").count(), 1);
    await where.getByRole("button", { name: "Copy without a pitch" }).click();
    await until(where, /^It has run, with exit code 0\. It did 2 things wrong/);
    const message = where.locator(".live-messages > li").first();
    assert.match(await message.textContent(), /copies rows of 60 bytes without gaps/);
    await message.locator(".live-line").first().click();
    assert.match(await where.locator(".cm-activeLine").first().textContent(), /cudaMemcpy\(from, host\.data\(\)/);
    await where.getByRole("button", { name: "As it is in the book" }).click();
    await until(where, /^It has run, with exit code 0\. \(/);
    await close(tab);
});

await long("files are added, linked and renamed, read from the disk, and brought by a link", async () => {
    const tab = await open("any-kernel.html");
    const where = place(tab, "any");
    await opened(where);
    await write(tab, where, '#include "twice.h"\n#include <cstdio>\nint main() { int n = 0; FILE *in = fopen("n.txt", "r"); fscanf(in, "%d", &n); printf("%d\\n", twice(n)); }\n');
    await where.getByRole("button", { name: "Add a file", exact: true }).click();
    await where.getByLabel("File: ").fill("twice.h");
    await where.getByLabel("File: ").press("Tab");
    const shown = where.locator("[role=tabpanel]:not([hidden]) .cm-content");
    await shown.focus();
    await tab.keyboard.insertText("int twice(int n);\n");
    await where.locator("input[type=file]").setInputFiles([
        { name: "twice.cu", mimeType: "text/plain", buffer: Buffer.from("int twice(int n) { return 2 * n; }\n") },
        { name: "n.txt", mimeType: "text/plain", buffer: Buffer.from("21") },
        { name: "noise.bin", mimeType: "application/octet-stream", buffer: Buffer.from([0, 255, 1]) },
    ]);
    await where.getByRole("tab", { name: "noise.bin" }).waitFor();
    assert.match(await where.locator("[role=tabpanel]:not([hidden])").textContent(), /^3 bytes that are not text/);
    assert.match(await run(where), /exit code 0/);
    assert.equal(await printed(where), "42\n");
    await where.getByRole("tab", { name: "twice.cu" }).click();
    await shown.focus();
    await tab.keyboard.press("ControlOrMeta+a");
    await tab.keyboard.insertText("int twice(int n) { return two * n; }\n");
    assert.match(await run(where), /does not compile/);
    assert.match(await where.locator(".live-messages li").first().textContent(), /^Error in twice\.cu, line 1: use of undeclared identifier two/);
    await where.getByLabel("File: ").fill("../twice.cu");
    await where.getByLabel("File: ").press("Tab");
    assert.match(await where.getByLabel("File: ").evaluate((one) => one.validationMessage), /is not a file's name/);
    await where.getByLabel("File: ").fill("twice.cu");
    await where.getByLabel("File: ").press("Tab");
    await shown.focus();
    await tab.keyboard.press("ControlOrMeta+z");
    const hash = await tab.evaluate(() => warpbook.hash("any", JSON.parse(localStorage.getItem("warpbook-live-any")).source));
    await close(tab);
    const other = await open(`any-kernel.html${hash}`);
    const there = place(other, "any");
    await opened(there);
    assert.match(await status(there).textContent(), /^This is the code that the link brought\./);
    assert.match(await run(there), /exit code 0/);
    assert.equal(await printed(there), "42\n");
    await close(other);
});

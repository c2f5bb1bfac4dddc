// Does in Firefox and WebKit what a reader does: opens, runs, edits, breaks and stops a kernel, solves exercises, exports.
// Sizes of what is loaded, printing and downloads are seen in Chromium alone.
// scripts/browser says how it is called; tests/browser/browser.mjs does more, in Chromium.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { given } from "./book.mjs";
import { dataOf } from "./data.mjs";
import { found } from "./drive.mjs";
import { LOOP, stopped, watchForStop } from "./endless.mjs";

const { options, book, out: folder, native, solutions, pages, url } = given({ firefox: { type: "boolean" }, webkit: { type: "boolean" } });
const names = ["firefox", "webkit"].filter((name) => options[name]);

// What runs in the page.
const open = async (place) => {
    const where = document.querySelector(place);
    for (let fold = where.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    where.scrollIntoView();
    for (let n = 0; n < 600 && !where.querySelector(".live-open"); n++) await new Promise((done) => setTimeout(done, 50));
    const begun = performance.now();
    where.querySelector(".live-open").click();
    for (let n = 0; n < 600 && !where.querySelector(".live-panel"); n++) await new Promise((done) => setTimeout(done, 50));
    if (!where.querySelector(".live-panel")) throw new Error(where.textContent);
    const took = performance.now() - begun;
    // A figure's button runs it.
    const runs = () => where.querySelector(".live-figure") && !/^(The results|It has run|This is|The link|Not run|A fault|Ended|\d)/.test(where.querySelector(".live-status").textContent);
    for (let n = 0; n < 600 && runs(); n++) await new Promise((done) => setTimeout(done, 50));
    return took;
};
const write = (place, text) => {
    const { EditorView } = WarpbookEditor;
    const view = EditorView.findFromDOM(document.querySelector(`${place} .cm-editor`));
    view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    view.focus();
};
const status = async (place, form) => {
    for (let n = 0; n < 1200; n++) {
        const text = document.querySelector(`${place} .live-status`).textContent;
        if (new RegExp(form).test(text)) return text;
        await new Promise((done) => setTimeout(done, 50));
    }
    return document.querySelector(`${place} .live-status`).textContent;
};
const press = (place, label) => {
    const all = [...document.querySelectorAll(`${place} button`)];
    all.find((one) => one.textContent === label && !one.hidden).click();
};
const ENDED = "^(The results|Results|It has run|It does not compile|A fault|Ended|Stopped|Not run|\\d+ (of|elements)|Passed|Not yet)";

let failed = 0;
for (const name of names) {
    const start = found(name);
    if (!start) {
        console.error(`${name} is not there: CONTRIBUTING.md says what installs it`);
        process.exit(2);
    }
    const tab = await start();
    console.log(tab.version);
    const check = async (what, run) => {
        if (options.only && !what.includes(options.only)) return;
        const begun = performance.now();
        let why = null;
        try {
            await run();
        } catch (error) {
            why = error.stack;
            await tab.screenshot(path.join(folder, `${name}-failed.png`)).catch(() => {});
        }
        why = [why, ...(await tab.complaints())].filter(Boolean).join("\n");
        if (why) failed++;
        console.log(`${why ? "FAILED" : "ok    "} ${what} (${Math.round(performance.now() - begun)} ms)${why ? `\n       ${why.replaceAll("\n", "\n       ")}` : ""}`);
    };
    // Control and Enter in the editor, until it has ended; a result that answers a question is asked for.
    const run = async (place) => {
        await tab.evaluate((place) => document.querySelector(`${place} .cm-content`).focus(), place);
        await tab.keys("Control", "Enter");
        const said = await tab.evaluate(status, place, ENDED);
        if (!/Predict first/.test(said)) return said;
        await tab.evaluate(press, place, "Show the result");
        return tab.evaluate(status, place, "^(?!It has run\\. Predict first)");
    };
    const add = "#live-add";
    await check("every page is loaded without a complaint", async () => {
        for (const page of pages) {
            await tab.open(url(page));
            assert.deepEqual((await tab.whileLoaded?.(url(page))) ?? [], [], page);
        }
    });
    await check("a kernel opens and gives the results of the original", async () => {
        await tab.open(url("linear-memory.html"));
        await tab.evaluate(open, add);
        assert.match(await run(add), /those of the original/);
        await tab.screenshot(path.join(folder, `${name}-run.png`));
    });
    await check("an edit, an error and a fault are told at their lines", async () => {
        const text = await tab.evaluate(() => warpbookLive.add.source);
        await tab.evaluate(write, add, text.replace("a[i] + b[i]", "a[i] * b[i]"));
        assert.match(await run(add), /differ|elements/);
        await tab.evaluate(write, add, text.replace("a[i] + b[i]", "a[i] + nothing"));
        assert.match(await run(add), /does not compile/);
        assert(await tab.evaluate(() => document.querySelectorAll("#live-add .cm-lintRange-error").length));
        await tab.evaluate(write, add, text.replace("a[i] + b[i]", "a[i + 100000] + b[i]"));
        assert.match(await run(add), /^A fault/);
    });
    await check("a loop without an end is stopped", async () => {
        await tab.evaluate(write, add, LOOP);
        await tab.evaluate(watchForStop, add);
        await tab.keys("Control", "Enter");
        await tab.evaluate(stopped);
        assert.equal(await tab.evaluate(status, add, "^(Stopped|Ended|A fault)"), "Stopped.");
        await tab.evaluate(press, add, "Reset");
        assert.match(await run(add), /those of the original/);
    });
    await check("an access is drawn and a warp is stepped through", async () => {
        await tab.evaluate(async () => {
            document.querySelector("#live-add .live-steps").open = true;
            for (let n = 0; n < 200 && !document.querySelector("#live-add .live-drawing svg"); n++) await new Promise((done) => setTimeout(done, 50));
            for (let n = 0; n < 200 && !document.querySelector("#live-add .live-lanes"); n++) await new Promise((done) => setTimeout(done, 50));
            if (!document.querySelector("#live-add .live-drawing svg") || !document.querySelector("#live-add .live-lanes")) throw new Error("nothing is drawn");
        });
    });
    await check("a link brings its code", async () => {
        const fragment = await tab.evaluate(() => warpbook.hash("add", { text: "// brought", parameters: { n: 77 } }));
        await tab.open("about:blank");
        await tab.open(url("linear-memory.html") + fragment);
        await tab.evaluate(open, add);
        assert.equal(await tab.evaluate(() => document.querySelector("#live-add .cm-content").textContent), "// brought");
        assert.equal(await tab.evaluate(() => document.querySelector("#live-add .live-results").textContent), "");
    });
    await check("an exercise is solved and exported", async () => {
        await tab.open("about:blank");
        await tab.open(url("linear-memory.html"));
        await tab.evaluate(open, "#vector_sum");
        assert.match(await run("#vector_sum"), /^Not yet/);
        const skeleton = await tab.evaluate(async () => (await new warpbook.Device().ask({ do: "exercise", exercise: warpbookTasks.vector_sum })).skeleton);
        await tab.evaluate(write, "#vector_sum", skeleton.replace(/int i = [^;]*;/, "int i = blockIdx.x * blockDim.x + threadIdx.x;"));
        assert.match(await run("#vector_sum"), /^Passed/);
        await tab.open(url("your-work.html"));
        await tab.evaluate(open, "#live-work");
        const text = await tab.evaluate(async () => {
            for (let n = 0; n < 3 && !/1 of \d+ exercises passed/.test(document.querySelector("#live-work").textContent); n++) await new Promise((done) => setTimeout(done, 500));
            const field = document.querySelector("#live-work input");
            field.value = "Ada Lovelace";
            field.dispatchEvent(new Event("change"));
            let saved = null;
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => ((saved = blob), make.call(URL, blob));
            [...document.querySelectorAll("#live-work button")].find((one) => one.textContent === "Export").click();
            return saved?.text();
        });
        assert.match(text, /name = "vector_sum"\nstate = "passed"/);
    });
    await check("a sphere is moved, and its picture with it", async () => {
        await tab.open(url("ray-tracing.html"));
        await tab.evaluate(open, "#live-rays");
        await run("#live-rays");
        const [before, after] = await tab.evaluate(async () => {
            const where = document.querySelector("#live-rays");
            const picture = () => where.querySelector("canvas")?.toDataURL();
            const before = picture();
            const field = [...where.querySelectorAll(".live-hand label")].find((one) => one.textContent === "radius").htmlFor;
            const input = document.getElementById(field);
            input.value = 300;
            input.dispatchEvent(new Event("change"));
            for (let n = 0; n < 200 && picture() === before; n++) await new Promise((done) => setTimeout(done, 50));
            return [before, picture()];
        });
        assert(before && after && before !== after);
    });
    await check("every live kernel gives the results of the original", async () => {
        for (const page of pages) {
            const names = [...fs.readFileSync(path.join(book, page), "utf8").matchAll(/data-live="([\w-]+)"/g)].map(([, name]) => name);
            if (!names.length) continue;
            await tab.open(url(page));
            for (const name of names) {
                const where = `#live-${name}`;
                await tab.evaluate(open, where);
                assert.match(await run(where), /those of the original/, name);
            }
        }
    });
    if (native) {
        await check("the page's answers are those of the native engine, to the last byte", async () => {
            await tab.open(url("linear-memory.html"));
            await tab.evaluate(open, add);
            const names = Object.keys(native);
            await tab.evaluate(dataOf, names);
            for (const name of names) {
                const answer = await tab.evaluate(async (name) => {
                    const { entry: live, source: text } = warpbookLive[name];
                    return (globalThis.asked ??= new warpbook.Device()).ask({ do: "run", live, text, language: "cuda", original: text });
                }, name);
                assert.deepEqual(answer, native[name], name);
            }
        });
    }
    if (solutions) {
        await check("every exercise fails as it begins, and passes with its solution", async () => {
            await tab.open(url("linear-memory.html"));
            await tab.evaluate(open, "#vector_sum");
            for (const [exercise, solution] of Object.entries(solutions)) {
                const passed = await tab.evaluate(
                    async (name, solution) => {
                        const exercise = warpbookTasks[name];
                        // One that is a whole program needs the engine with the host's side.
                        const device = exercise.manifest.exercise[0].program ? (globalThis.program ??= new warpbook.Device(() => {})) : (globalThis.asked ??= new warpbook.Device());
                        const { skeleton } = await device.ask({ do: "exercise", exercise });
                        const check = async (text) => (await device.ask({ do: "check", exercise, text, language: "cuda" })).passed;
                        return [await check(skeleton), await check(solution)];
                    },
                    exercise,
                    solution
                );
                assert.deepEqual(passed, [false, true], exercise);
            }
        });
    }
    await check("a lane's address is chosen by keys", async () => {
        await tab.open(url("constant-memory.html"));
        await tab.evaluate(open, "#live-addresses");
        await run("#live-addresses");
        await tab.evaluate(() => document.querySelector("#live-addresses .live-arrows").focus());
        for (const key of ["Down", "Right"]) await tab.keys(key);
        assert.equal(await tab.evaluate(() => document.querySelector("#live-addresses .live-arrows").getAttribute("aria-valuetext")), "lane 1: 8");
    });
    await check("the button that was pressed keeps the focus", async () => {
        await tab.evaluate(() => document.querySelector("#live-addresses .live-run").focus());
        await tab.keys("Enter");
        await tab.evaluate(status, "#live-addresses", ENDED);
        assert(await tab.evaluate(() => document.activeElement.matches("#live-addresses .live-run")));
    });
    await check("any kernel runs", async () => {
        await tab.open(url("any-kernel.html"));
        await tab.evaluate(open, "#live-any");
        assert.match(await run("#live-any"), /It has run/);
    });
    await tab.close();
}
process.exit(failed ? 1 : 0);

// Exercises, and the file of a reader's work.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { alone, browser, check, close, long, open, opened, out, pages, place, run, solutions, status, until, url, write } from "./harness.mjs";

await long("what can be neither kept nor read is told", async () => {
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
    await tab.locator("#question-neighbours input").first().check();
    await tab.locator("#question-neighbours .unkept", { hasText: "cannot keep your answer" }).waitFor();
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

await long("what is done is not lost to another window, a later draft, a link or a reload", async () => {
    const name = "vector_sum";
    const kept = (tab) => tab.evaluate((name) => JSON.parse(localStorage.getItem(`warpbook-exercise-${name}`)), name);
    const first = await open("linear-memory.html");
    await opened(first.locator(`#${name}`));
    const second = await open("linear-memory.html", { context: first.context() });
    await opened(second.locator(`#${name}`));
    const item = first.locator(`#${name}`);
    const skeleton = (await kept(first)).source;
    const solution = skeleton.replace(/int i = [^;]*;/, "int i = blockIdx.x * blockDim.x + threadIdx.x;");
    await write(first, item, solution);
    await item.locator(".live-run").click();
    await until(item, /^Passed/);
    // A character in a window that was opened before, which shows the draft of this one.
    const other = second.locator(`#${name}`);
    await until(other, /another window/);
    await other.locator(".cm-content").focus();
    await second.keyboard.press("ControlOrMeta+End");
    await second.keyboard.insertText(" ");
    assert.deepEqual([(await kept(second)).state, (await kept(second)).passed, (await kept(second)).source], ["passed", solution, `${solution} `]);
    // What was said of another source says so, in both windows.
    await until(item, /^This is your draft as another window/);
    await item.locator(".live-run").click();
    await until(item, /^Passed/);
    await write(first, item, skeleton);
    assert.match(await status(item).textContent(), /^Before your change: Passed/);
    assert.equal(await status(item).evaluate((one) => getComputedStyle(one, "::before").content), "none");
    await item.locator(".live-run").click();
    await until(item, /^Not yet: .* kept, and counts\.$/);
    assert.equal((await kept(first)).state, "passed");
    await item.getByRole("button", { name: "Show the version that has passed" }).click();
    await item.locator(".live-run").click();
    await until(item, /^Passed/);
    await item.getByRole("button", { name: "Bring back the other draft" }).click();
    assert.equal((await kept(first)).source, skeleton);
    // A live kernel: its results are those of the source that ran, and what is written is there after a reload and a link.
    const where = place(first, "add");
    await opened(where);
    const text = await first.evaluate(() => warpbookLive.add.source);
    await run(where);
    await write(first, where, text.replace("a[i] + b[i]", "a[i] - b[i]"));
    assert.match(await status(where).textContent(), /^Before your change: /);
    assert(await where.getByText("Of the source before your change:").isVisible());
    await write(first, where, text);
    assert.doesNotMatch(await status(where).textContent(), /^Before/);
    await write(first, where, text.replace("a[i] + b[i]", "a[i] - b[i]"));
    const fragment = await first.evaluate((text) => warpbook.hash("add", { text }), text.replace("a[i] + b[i]", "a[i] * b[i]"));
    await first.reload();
    await opened(where);
    assert.match(await where.locator(".cm-content").textContent(), /a\[i\] - b\[i\]/);
    assert.match(await status(where).textContent(), /^This is your code from before/);
    await first.evaluate((fragment) => (location.hash = fragment), fragment);
    await where.getByRole("button", { name: /^Open the code that this link brings/ }).click();
    await until(where, /link brought/);
    await first.keyboard.press("Escape");
    await where.locator(".cm-content").focus();
    await first.keyboard.press("ControlOrMeta+End");
    await first.keyboard.insertText("// more");
    await where.getByRole("button", { name: "Bring back the other draft" }).click();
    assert.match(await where.locator(".cm-content").textContent(), /a\[i\] - b\[i\]/);
    // And any kernel.
    const third = await open("any-kernel.html", { context: first.context() });
    const any = place(third, "any");
    await opened(any);
    await alone(any);
    await run(any);
    await any.getByLabel("elements", { exact: true }).first().evaluate((one) => (one.closest("details").open = true));
    await any.getByLabel("elements", { exact: true }).first().fill("255");
    await third.keyboard.press("Tab");
    assert.match(await status(any).textContent(), /^Before your change: /);
    await third.reload();
    await opened(any);
    assert.equal(await any.getByLabel("elements", { exact: true }).first().inputValue(), "255");
    await any.getByRole("button", { name: "Reset" }).click();
    await until(any, /example again/);
    assert.equal(await any.getByLabel("elements", { exact: true }).first().inputValue(), "256");
    await any.getByRole("button", { name: "Bring back the other draft" }).click();
    await until(any, /other draft is back/);
    assert.equal(await any.getByLabel("elements", { exact: true }).first().inputValue(), "255");
    await close(first);
});

if (solutions) {
    await long("every exercise fails as it begins, and passes with its solution", async () => {
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
                // The report of a detective's case, above the panel, says it too.
                assert.equal((await item.locator(".live-panel").textContent()).split(said.slice(9)).length, 2, `${name}: it is said once`);
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

// Until the page of one's work sees what the page before has stored a moment ago: about one in twenty does only when it is loaded
// again.
async function seen(tab, is) {
    for (let n = 0; n < 3 && !(await is()); n++) {
        await tab.reload();
        await opened(place(tab, "work"));
    }
}

// The questions of a page, each with its right choice and a wrong one.
const asked = (tab) =>
    tab.locator("fieldset.question").evaluateAll((all) =>
        all.map((one) => {
            const choices = [...one.querySelectorAll("input")];
            const [right, wrong] = [true, false].map((is) => choices.find((choice) => choice.parentElement.querySelector(".says").classList.contains("right") === is).value);
            return { id: one.id.slice("question-".length), right, wrong };
        })
    );

await long("what older pages kept of an answer counts the same on its page and in the file", async () => {
    const tab = await open("linear-memory.html");
    const [first, second, third] = await asked(tab);
    // The last choice alone; and a list that cannot be read.
    await tab.evaluate(
        (entries) => entries.forEach(([key, value]) => localStorage.setItem(`warpbook-${key}`, value)),
        [[`question-${first.id}`, first.right], [`question-${second.id}`, second.wrong], [`question-${third.id}`, third.right], [`tried-question-${third.id}`, "["]]
    );
    const inFile = async () => {
        await tab.goto(url("your-work.html"));
        await opened(place(tab, "work"));
        await seen(tab, () => tab.evaluate(() => globalThis.warpbook.answers.ids().length === 3));
        const choices = await tab.evaluate(() => JSON.parse(document.getElementById("live-work").dataset.questions));
        return tab.evaluate(
            ([ids, choices]) => ids.map((id) => globalThis.warpbook.answers.tried(id, choices[id])),
            [[first.id, second.id, third.id], choices]
        );
    };
    assert.deepEqual(await inFile(), [[first.right], [], [third.right]]);
    assert.match(await place(tab, "work").textContent(), /; 2 questions answered\./);
    await tab.goto(url("linear-memory.html"));
    for (const { id, right, wrong } of [first, second, third]) {
        // Whoever has answered reads what is said to another choice; whoever has not chooses again.
        await tab.locator(`#question-${id} input[value="${id === second.id ? right : wrong}"]`).check();
    }
    assert.deepEqual(await inFile(), [[first.right], [second.right], [third.right]]);
    await close(tab);
});

await long("a file of answers takes nothing from a reader who has answered, and an older one's last choice costs nothing", async () => {
    const tab = await open("linear-memory.html");
    // The right one at once, then what is said to another.
    for (const choice of ["4", "1"]) await tab.locator(`#question-neighbours input[value="${choice}"]`).check();
    const questions = await asked(tab);
    const [second, third, fourth] = questions.filter(({ id }) => id !== "neighbours");
    await tab.goto(url("your-work.html"));
    const work = place(tab, "work");
    await opened(work);
    const { versions, exercises } = await tab.evaluate(() => globalThis.warpbookWork);
    const name = exercises[0].name;
    await tab.evaluate(([key, value]) => localStorage.setItem(key, value), [`warpbook-exercise-${name}`, JSON.stringify({ source: "mine", state: "passed", found: null })]);
    const file = (name, hash, entries) => {
        const at = path.join(out, name);
        const chosen = entries.map(([id, list]) => `[[question]]\nid = "${id}"\nchosen = ${JSON.stringify(list)}\n`).join("\n");
        fs.writeFileSync(at, `format = 1\nname = "Ada"\nwhen = "2026-01-31T10:00:00Z"\n[versions]\nworkbook = "0.1.0"\ncompiler = "0.1.0"\nexercises = "${hash}"\n\n${chosen}\n[[exercise]]\nname = "${exercises[0].name}"\nstate = "begun"\nsource = "theirs"\n`);
        return at;
    };
    const give = async (at) => {
        // What the import before this one said still stands there.
        const before = await status(work).textContent();
        await work.locator("input[type=file]").setInputFiles(at);
        return until(work, { test: (text) => text !== before && text.startsWith("Imported") });
    };
    // Of this version: choices in order, which may go on behind the right one.
    const told = await give(file("same.toml", versions.exercises, [["neighbours", ["32"]], [second.id, [second.wrong]], [third.id, [third.wrong, third.right, third.wrong]]]));
    assert.match(told, /1 exercise that you have passed here stays as it is\./);
    // Of an older one: the last choice alone, and one that the question no longer has.
    assert.match(await give(file("older.toml", "0", [[fourth.id, [fourth.wrong]], [second.id, ["gone"]]])), /2 answers of an older version/);
    const kept = (id) => tab.evaluate((id) => JSON.parse(localStorage.getItem(`warpbook-tried-question-${id}`)), id);
    assert.deepEqual(await kept("neighbours"), ["4"], "what was right here stays");
    assert.deepEqual(await kept(second.id), [second.wrong]);
    assert.deepEqual(await kept(third.id), [third.wrong, third.right]);
    assert.deepEqual(await kept(fourth.id), []);
    assert.equal(await tab.evaluate((key) => JSON.parse(localStorage.getItem(key)).source, `warpbook-exercise-${name}`), "mine");

    await tab.goto(url("linear-memory.html"));
    assert.equal(await tab.locator(`#question-${third.id} input:checked`).inputValue(), third.right);
    await tab.locator(`#question-${fourth.id} input[value="${fourth.right}"]`).check();
    assert.deepEqual(await kept(fourth.id), [fourth.right], "a last choice of an older version is shown, and does not count");
    await close(tab);
});

// Until the sidebar says this of a chapter.
async function progressOf(tab, chapter, form) {
    const note = tab.locator(`mdbook-sidebar-scrollbox a[href$='${chapter}.html'] .progress`);
    const text = () => note.textContent({ timeout: 5000 });
    for (let n = 0; n < 100 && !form.test(await text()); n++) await tab.waitForTimeout(20);
    assert.match(await text(), form);
}

await long("the sidebar says what of each chapter is done, in every window, and marks what is done wholly", async () => {
    const tab = await open("linear-memory.html");
    const other = await open("pitched-memory.html", { context: tab.context() });
    const notes = other.locator("mdbook-sidebar-scrollbox .progress");
    assert.equal(await notes.count(), 0);
    // Another window's keeping is an event here.
    await tab.evaluate(() => localStorage.setItem("warpbook-exercise-vector_sum", JSON.stringify({ source: "x", state: "begun" })));
    await tab.locator("#question-neighbours input").first().check();
    await progressOf(tab, "linear-memory", /^0 of \d+ exercises, 1 of \d+ questions$/);
    await progressOf(other, "linear-memory", /^0 of \d+ exercises, 1 of \d+ questions$/);
    assert.equal(await notes.count(), 1);
    await tab.evaluate(() => {
        const { exercises, questions } = globalThis.warpbookWork;
        for (const { name } of exercises.filter(({ chapter }) => chapter === "linear-memory")) localStorage.setItem(`warpbook-exercise-${name}`, JSON.stringify({ source: "x", state: "passed" }));
        for (const id of questions["linear-memory"]) localStorage.setItem(`warpbook-question-${id}`, "4");
        // What is there and cannot be read counts as nothing.
        localStorage.setItem("warpbook-exercise-pitched_store", "{ cut o");
    });
    await progressOf(other, "linear-memory", /^✓ (\d+) of \1 exercises, (\d+) of \2 questions$/);
    assert.equal(await notes.count(), 1);
    await close(tab);
});

await long("after passing, the model solution stands next to one's own version, with what each costs", async () => {
    const tab = await open("linear-memory.html");
    const item = tab.locator("#vector_sum");
    await opened(item);
    assert(!(await item.locator(".live-passed").isVisible()));
    // Each element is stored twice, which the exercise allows.
    const skeleton = await tab.evaluate(async () => (await new warpbook.Device().ask({ do: "exercise", exercise: warpbookTasks.vector_sum })).skeleton);
    const mine = skeleton.replace(/int i = [^;]*;/, "int i = blockIdx.x * blockDim.x + threadIdx.x;").replace("c[i] =", "((volatile float *)c)[i] = 0.0f, c[i] =");
    await write(tab, item, mine);
    await item.locator(".live-run").click();
    await until(item, /^Passed/);
    await item.getByRole("button", { name: "Compare with the model solution" }).click();
    const table = item.getByRole("table", { name: /^What each costs, with n = 1000/ });
    await table.waitFor();
    const row = (name) => table.locator("tr", { hasText: name }).locator("td").allTextContents();
    assert.deepEqual(await row("requests of global stores"), ["64", "32"]);
    assert.match((await row("time")).join(" "), /^[\d.]+\sµs [\d.]+\sµs$/);
    assert.match(await item.locator(".live-diff .gone").textContent(), /volatile/);
    await item.locator(".live-passed").screenshot({ path: path.join(out, "model-solution.png") });
    // A draft changes nothing of it, and a reload keeps it.
    await write(tab, item, skeleton);
    assert(await table.isVisible());
    await tab.reload();
    await opened(item);
    await item.getByRole("button", { name: "Compare with the model solution" }).click();
    await table.waitFor();
    assert.match(await item.locator(".live-diff .gone").textContent(), /volatile/);
    await item.getByRole("button", { name: "Close the model solution" }).click();
    assert.equal(await table.count(), 0);
    await close(tab);
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
    const skeleton = await tab.evaluate(async (name) => (await new warpbook.Device().ask({ do: "exercise", exercise: warpbookTasks[name] })).skeleton, name);
    const solution = skeleton.replace(/int i = [^;]*;/, "int i = blockIdx.x * blockDim.x + threadIdx.x;");
    assert.notEqual(solution, skeleton);
    await tab.keyboard.press("ControlOrMeta+a");
    await tab.keyboard.insertText(solution);
    await tab.keyboard.press("Control+Enter");
    await until(item, /^Passed/);
    await tab.keyboard.press("Escape");
    await tab.keyboard.press("Tab");
    assert(!(await focused()).includes("cm-content"), "Escape and Tab leave the editor");
    const second = await tab.locator("ol.exercises > li").nth(1).evaluate((one) => [`#${one.id}`, one.querySelector("strong").textContent]);
    const next = item.locator(".live-next a");
    assert.deepEqual([(await next.getAttribute("href")).replace("linear-memory.html", ""), await next.textContent()], second);
    await progressOf(tab, "linear-memory", /^1 of \d+ exercises, 0 of \d+ questions$/);
    // Whoever has found the right answer may read what is said to the others.
    for (const choice of ["1", "4", "32"]) await tab.locator(`#question-neighbours input[value="${choice}"]`).check();
    const answered = 'id = "neighbours"\nchosen = ["1", "4"]';
    await progressOf(tab, "linear-memory", /^1 of \d+ exercises, 1 of \d+ questions$/);

    await tab.goto(url("your-work.html"));
    const work = place(tab, "work");
    await opened(work);
    await seen(tab, async () => /1 of \d+ exercises passed/.test(await work.textContent()));
    assert.match(await work.textContent(), /1 of \d+ exercises passed/);
    assert.equal(await work.locator(".live-next").textContent(), `Next: ${second[1]}`);
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

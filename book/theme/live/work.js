// The page "Your work": what is done, kept in this browser, and handed in as a file.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, fresh, number, table, kept, keep, ofExercise, workOf, answers: answered, nextExercise, progress } = book;

    const several = (n, what) => `${number(n)} ${what}${n === 1 ? "" : "s"}`;

    // The choices of each of the book's questions, the right one first.
    let asked = {};
    function answers() {
        const chosen = [];
        try {
            for (const id of answered.ids()) chosen.push({ id, chosen: answered.tried(id, asked[id]) });
        } catch {
            // No storage, no answers.
        }
        return chosen.filter(({ chosen }) => chosen.length).sort((a, b) => (a.id < b.id ? -1 : 1));
    }

    // What an imported file has that is not done in these pages, which is exported again: answers in words, labs' records.
    const OTHERS = "warpbook-others";
    const others = () => ({ answer: [], record: [], ...kept(OTHERS) });
    // Of two with one key the later counts.
    const merged = (before, after, key) => [...new Map([...before, ...after].map((one) => [one[key], one])).values()];

    // ---- The file: TOML as crates/submission has it

    const FORMAT = 1;

    // A text in quotation marks; one of several lines as it is, where TOML can have it so.
    function quoted(text) {
        const plain = text.toWellFormed().replaceAll("\r\n", "\n");
        const literal = plain.includes("\n") && !/''|'$|[\0-\x08\x0b-\x1f\x7f]/.test(plain);
        return literal ? `'''\n${plain}'''` : JSON.stringify(plain).replaceAll("\x7f", "\\u007f");
    }
    function written({ name, id, questions, answers, exercises, records }) {
        const { versions } = globalThis.warpbookWork;
        const pair = (key, value) => (value === null || value === undefined ? "" : `${key} = ${Array.isArray(value) ? `[${value.map(quoted).join(", ")}]` : quoted(value)}\n`);
        const tables = (key, list, fields) => list.map((one) => `\n[[${key}]]\n${fields.map((field) => pair(field, one[field])).join("")}`).join("");
        const when = new Date().toISOString().replace(/\.\d+Z$/, "Z");
        const head = "# Work of a student on Warpbook. `grade` reads this file.\n" + `format = ${FORMAT}\n`;
        const of = Object.entries(versions).map(([key, value]) => pair(key, value)).join("");
        return (
            `${head}${pair("name", name)}${pair("id", id || null)}${pair("when", when)}\n[versions]\n${of}` +
            tables("question", questions, ["id", "chosen"]) +
            tables("answer", answers, ["id", "text"]) +
            tables("exercise", exercises, ["name", "state", "found", "source"]) +
            tables("record", records, ["lab", "json"])
        );
    }

    // What is read of such a file: its tables, with texts, numbers and lists of texts.
    function read(text) {
        let at = 0;
        const file = Object.create(null);
        let table = file;
        const take = (pattern) => {
            pattern.lastIndex = at;
            const found = pattern.exec(text);
            if (found) at = pattern.lastIndex;
            return found;
        };
        const fail = () => {
            throw new Error(`line ${text.slice(0, at).split("\n").length} is not of such a file`);
        };
        const unescape = (inside) =>
            inside.replace(/\\(?:u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([btnfre"\\])|\s*\n\s*)/g, (_, four, eight, one) => {
                if (four || eight) return String.fromCodePoint(parseInt(four ?? eight, 16));
                return one ? ({ b: "\b", t: "\t", n: "\n", f: "\f", r: "\r", e: "\x1b" }[one] ?? one) : "";
            });
        const value = () => {
            let found = null;
            if ((found = take(/'''\n?([^]*?)'''(?!')/y))) return found[1];
            if ((found = take(/"""\n?((?:[^\\]|\\[^])*?)"""(?!")/y))) return unescape(found[1]);
            if ((found = take(/'([^'\n]*)'/y))) return found[1];
            if ((found = take(/"((?:[^"\\\n]|\\.)*)"/y))) return unescape(found[1]);
            if ((found = take(/\d+/y))) return Number(found[0]);
            if (!take(/\[\s*/y)) return fail();
            const list = [];
            while (!take(/\s*\]/y)) {
                list.push(value());
                take(/\s*,?\s*/y);
            }
            return list;
        };
        while (take(/(?:\s|#[^\n]*)*/y), at < text.length) {
            let found = null;
            if ((found = take(/\[\[(\w+)\]\]/y))) (file[found[1]] ??= []).push((table = {}));
            else if ((found = take(/\[(\w+)\]/y))) table = file[found[1]] = {};
            else if ((found = take(/(\w+)\s*=\s*/y))) table[found[1]] = value();
            else fail();
        }
        if (file.format === undefined) throw new Error("it has no `format`, so it is not a file of a reader's work");
        if (file.format !== FORMAT) throw new Error(`its format is ${file.format}, but this page reads ${FORMAT}: import it in the book that wrote it`);
        return file;
    }

    async function work(place) {
        const { exercises: known, versions } = globalThis.warpbookWork;
        asked = JSON.parse(document.getElementById("live-work")?.dataset.questions ?? "{}");
        const status = el("p", { role: "status", class: "live-status" });
        const list = el("div", {});
        // What is handed in is the version that has passed, where there is one.
        const mine = () =>
            known.flatMap((one) => {
                const work = workOf(one.name);
                return work ? [{ ...one, ...work, source: work.passed ?? work.source }] : [];
            });
        const draw = () => {
            const rows = known.map((one) => {
                const state = workOf(one.name)?.state;
                const link = el("a", { href: `${one.chapter}.html#${one.name}` }, one.title);
                const points = `${state === "passed" ? one.points : 0} of ${one.points}`;
                return { cells: [link, one.chapter.replaceAll(/(?<=\w\w)-/g, " "), points, { passed: "✓ passed", begun: "begun" }[state] ?? "–"] };
            });
            const points = mine().reduce((sum, one) => sum + (one.state === "passed" ? one.points : 0), 0);
            const most = known.reduce((sum, one) => sum + one.points, 0);
            const next = nextExercise();
            list.replaceChildren(
                el("p", { class: "live-next" }, ...(next ? [workOf(next.name) ? "Continue with: " : "Next: ", el("a", { href: `${next.chapter}.html#${next.name}` }, next.title)] : ["All exercises of the book are passed."])),
                el("p", {}, `${mine().filter((one) => one.state === "passed").length} of ${known.length} exercises passed, ${points} of ${most} points; ${several(answers().length, "question")} answered.`),
                table("Exercises", ["exercise", "chapter", "points", "state"], rows)
            );
        };
        const identity = kept("warpbook-identity") ?? {};
        const entry = (label, key) => {
            const id = fresh(key);
            const input = el("input", { id, value: identity[key] ?? "", maxlength: 200 });
            input.addEventListener("change", () => {
                const fits = keep("warpbook-identity", Object.assign(identity, { [key]: input.value }));
                status.textContent = fits ? "" : "This browser has no room to keep this: it is only in what you export before you leave.";
            });
            return el("div", { class: "live-parameter" }, el("label", { for: id }, label), input);
        };
        const exportFile = () => {
            if (!identity.name?.trim()) return void (status.textContent = "Your name is missing: the file names whose work it is.");
            const text = written({ name: identity.name.trim(), id: (identity.id ?? "").trim(), questions: answers(), answers: others().answer, exercises: mine(), records: others().record });
            const link = el("a", { href: URL.createObjectURL(new Blob([text], { type: "application/toml" })), download: "submission.toml" });
            document.body.append(link);
            link.click();
            link.remove();
            setTimeout(() => URL.revokeObjectURL(link.href), 10000);
            status.textContent = "submission.toml is saved: hand it in, or import it in another browser.";
        };
        const file = el("input", { type: "file", accept: ".toml", "aria-label": "A file that was exported" });
        file.addEventListener("change", async () => {
            const text = await file.files[0]?.text();
            if (text === undefined) return;
            file.value = "";
            let given = null;
            try {
                given = read(text);
            } catch (error) {
                return void (status.textContent = `Not imported: ${error.message}.`);
            }
            const names = new Set(known.map((one) => one.name));
            const rows = (key) => [given[key] ?? []].flat();
            const whole = (key, fields) => rows(key).every((one) => fields.every((field) => typeof one[field] === "string"));
            if (!whole("exercise", ["name", "source", "state"]) || !whole("question", ["id"]) || !whole("answer", ["id", "text"]) || !whole("record", ["lab", "json"])) {
                return void (status.textContent = "Not imported: an entry of the file lacks its name or its text. Nothing was changed.");
            }
            const [exercises, questions, words, records] = ["exercise", "question", "answer", "record"].map(rows);
            const ours = exercises.filter(({ name }) => names.has(name));
            // What has passed here is not replaced, and a draft can be brought back.
            const better = ours.filter(({ name }) => workOf(name)?.state === "passed");
            const taken = ours.filter((one) => !better.includes(one));
            const lost = taken.filter(({ name, state, found, source }) => {
                const before = workOf(name)?.source;
                const work = { source, state, found: found ?? null, ...(state === "passed" ? { passed: source } : {}) };
                return !keep(ofExercise(name), before === undefined || before === source ? work : { ...work, replaced: before });
            }).length;
            const before = others();
            const all = {
                answer: merged(before.answer, words, "id"),
                record: merged(before.record, records, "lab"),
            };
            const fits = keep(OTHERS, all);
            const ofAnother = given.versions?.exercises !== versions.exercises;
            let [unanswered, again] = [0, 0];
            for (const { id, chosen = [] } of questions) {
                try {
                    const list = [chosen].flat();
                    if (list.length && answered.take(id, asked[id], list, ofAnother)) again++;
                } catch {
                    unanswered++;
                }
            }
            const more = words.length + records.length === 0 ? "" : fits ? `, ${several(words.length, "answer")} in words and ${several(records.length, "record")}, which an export has too` : "; this browser has no room for its answers in words and its records, which an export will lack";
            const left = exercises.length - ours.length;
            const unknown = left ? ` ${several(left, "exercise")} of the file ${left === 1 ? "is" : "are"} not in this book.` : "";
            const stays = better.length ? ` ${several(better.length, "exercise")} that you have passed here ${better.length === 1 ? "stays as it is" : "stay as they are"}.` : "";
            const chooseAgain = again ? ` ${several(again, "answer")} of an older version ${again === 1 ? "is its" : "are their"} last choice alone, and ${again === 1 ? "counts" : "count"} once you choose again.` : "";
            const full = lost + unanswered ? ` This browser has no room for ${several(lost, "exercise")} and ${several(unanswered, "answer")} of the file.` : "";
            status.textContent = `Imported: ${several(taken.length - lost, "exercise")}, ${several(questions.length - unanswered, "answer")}${more}.${stays}${chooseAgain}${unknown}${full}`;
            draw();
            progress();
        });
        draw();
        // What is done meanwhile in another window counts here too.
        addEventListener("storage", draw);
        const section = el(
            "section",
            { class: "live-panel", "aria-label": "Your work" },
            list,
            el("div", { class: "live-parameters" }, entry("your name", "name"), entry("your course's number for you", "id")),
            el("div", { class: "live-tools" }, button("Export", exportFile, { class: "live-run" }), el("label", {}, "Import: ", file)),
            status
        );
        place.append(section);
    }

    book.work = work;
})();

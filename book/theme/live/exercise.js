// An exercise in the page: its source, what the device finds in it, hints.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, fresh, table, changes, Device, Editor, Runner, frame, placed, svg, ofExercise, workOf, Draft, nextExercise, progress } = book;

    // The verdict's text in two: what the status says, and the rest, which is below.
    function report({ passed, text }) {
        const lines = (text ?? "").split("\n");
        const at = lines.findIndex((line) => (passed ? /^✓ .*: passed, / : /./).test(line));
        const [line] = at < 0 ? [""] : lines.splice(at, 1);
        const said = passed ? (/: passed(, \d+ cases)$/.exec(line)?.[1] ?? "") : line.replace(/^error(\[[\w-]+\])?: /, "");
        return { said, rest: lines.join("\n").replace(/^\n+|\s+$/g, "").replace(/\n{3,}/g, "\n\n") };
    }

    // A verdict's lines: places in the reader's file lead there, code and the marks below it are not wrapped, as they are one below the
    // other. What is said of a mark may be: it is on its own where there is no room.
    const ROOM = 72;
    function lines(text, file, editor) {
        return text.split("\n").flatMap((line) => {
            const [, code, said = ""] = /^( *\d* *\|(?:(?: *[-^]+(?= |$))+|.*))(.*)$/.exec(line) ?? [];
            if (code !== undefined) return [el("span", { class: "live-source" }, code), said ? el("span", { class: line.length > ROOM ? "live-mark long" : "live-mark" }, `${said}\n`) : "\n"];
            const parts = line.split(new RegExp(`\\b(${file}:\\d+:\\d+)`)).map((part, n) => {
                if (n % 2 === 0) return part;
                const [at, column] = part.split(":").slice(1).map(Number);
                return button(part, () => editor.go(at, column), { class: "live-line" });
            });
            return [...parts, "\n"];
        });
    }

    // The same, with the access in letters scrolling where it is wider than the page.
    function verdict(text, file, editor) {
        let drawn = false;
        const runs = [];
        for (const line of text.split("\n")) {
            drawn = drawn ? /^  (?!Counted|[✓✗])/.test(line) : /^Line \d+, .*:$/.test(line);
            if (runs.at(-1)?.drawn === drawn) runs.at(-1).lines.push(line);
            else runs.push({ drawn, lines: [line] });
        }
        const frame = { class: "live-frame", tabindex: "0", role: "group", "aria-label": "The access in letters" };
        return runs.flatMap((run) => (run.drawn ? el("span", frame, `${run.lines.join("\n")}\n`) : lines(run.lines.join("\n"), file, editor)));
    }

    // What comes after an exercise that has passed: the workbook's solution next to the version that has, with what each costs, and the
    // next exercise. `passed` gives that version.
    function after(name, task, device, passed) {
        const next = el("p", { class: "live-next" });
        const found = el("div", { id: fresh("solution"), role: "group", "aria-label": "The model solution" });
        const note = el("span", { class: "live-note", role: "status" });
        const close = (text) => {
            found.replaceChildren();
            opens.textContent = "Compare with the model solution";
            opens.setAttribute("aria-expanded", "false");
            note.textContent = text;
        };
        const opens = button("", async () => {
            if (found.childElementCount) return close("");
            note.textContent = "Running both …";
            const text = passed();
            try {
                const answer = await device.ask({ do: "compare", exercise: task, text });
                if (!answer.ok) throw new Error(answer.error);
                found.replaceChildren(...beside(answer, text));
                opens.textContent = "Close the model solution";
                opens.setAttribute("aria-expanded", "true");
                note.textContent = "";
            } catch (error) {
                note.textContent = `Not compared: ${error.message}.`;
            }
        }, { "aria-expanded": "false", "aria-controls": found.id });
        close("");
        const dom = el("div", { class: "live-passed" }, next, el("div", { class: "live-tools" }, opens, note), found);
        dom.hidden = true;
        // What was compared is not what has passed now.
        let of = null;
        const follow = () => {
            dom.hidden = passed() === undefined;
            if (dom.hidden) return;
            if (of !== passed()) close("");
            of = passed();
            const one = nextExercise(name);
            next.replaceChildren(...(one ? ["Next: ", el("a", { href: `${one.chapter}.html#${one.name}` }, one.title)] : ["All exercises of the book are passed. ", el("a", { href: "your-work.html" }, "Your work"), " has them in a file."]));
        };
        return { dom, follow };
    }

    // Two versions with what they cost.
    function beside({ solution, case: of, device, yours, solutions, rows }, text) {
        const cells = ({ name, title, unit, yours, solutions }) => ({
            class: yours === solutions ? null : "changed",
            cells: [el("span", { title: name }, title, unit ? el("small", {}, ` ${unit}`) : ""), yours, solutions],
        });
        const time = { class: yours.time === solutions.time ? null : "changed", cells: [el("span", {}, "time ", el("small", {}, `modelled for an ${device.toUpperCase()}`)), yours.time, solutions.time] };
        const limits = yours.limit ? [{ cells: ["limited by", yours.limit, solutions.limit] }] : [];
        const diff = changes(text, solution, "From your version to the model solution");
        return [
            table(`What each costs, with ${of}`, ["what", "yours", "model solution"], [time, ...limits, ...rows.map(cells)]),
            ...(diff ? [el("p", {}, "From your version (−) to the model solution (+):"), diff] : [el("p", {}, "Your version is the model solution, letter by letter.")]),
            el("details", {}, el("summary", {}, "The model solution"), el("pre", { class: "live-source-of", tabindex: "0", "aria-label": "The model solution" }, solution)),
        ];
    }

    async function exercise(place, name) {
        // What the engine is given of it: it knows no exercises of its own, which a reader of other kernels would have to load.
        const task = globalThis.warpbookTasks[name];
        const [{ program }] = task.manifest.exercise;
        // The verdict has what a program prints.
        const device = program ? new Device(() => {}) : new Device();
        const given = await device.ask({ do: "exercise", exercise: task });
        if (!given.ok) throw new Error(given.error);
        const before = workOf(name);
        const draft = new Draft(
            ofExercise(name),
            () => workOf(name),
            (a, b) => a === b,
            (text, said) => {
                editor.text = text;
                panel.say(said);
            }
        );
        const passed = () => workOf(name)?.passed;
        // What has passed stays so, whatever becomes of the draft.
        const found = (of) => (passed() === undefined ? { state: "begun", found: of ?? null } : {});
        // What the verdict that is shown is about.
        let checked = null;
        const narrow = () => panel.section.clientWidth < 600;
        // What has passed is checked with new numbers each time, and with the same again where it fails.
        let seed = null;
        const request = (text) => ({ do: "check", exercise: task, text, language: "cuda", narrow: narrow(), seed });
        const check = () => {
            // The reader may continue writing while it is checked.
            const text = editor.text;
            if (passed() !== undefined) seed ??= Math.floor(Math.random() * 2 ** 32);
            return runner.of("Checking …", request(text), (answer, time) => {
                draft.put({ source: editor.text, ...(answer.passed ? { state: "passed", found: null, passed: text } : found(answer.found)) });
                checked = text;
                if (answer.passed) seed = null;
                const messages = placed(answer.messages ?? []);
                editor.tell(messages);
                editor.mark(messages.map(({ line }) => line));
                if (messages.length) editor.reveal(messages[0].line);
                const { said, rest } = report(answer);
                const counts = passed() === undefined ? "" : " Your version that has passed is kept, and counts.";
                panel.say(answer.passed ? `Passed: ${given.title}${said}. (${Math.round(time)} ms)` : `Not yet: ${said}${counts}`, answer.passed ? "same" : "bad");
                panel.results.replaceChildren(
                    ...[
                        rest ? el("pre", { class: answer.passed ? "live-same" : "live-differs", tabindex: "0", "aria-label": "Verdict" }, ...verdict(rest, `${name}.cu`, editor)) : null,
                        answer.svg ? svg(answer.svg, "The access that the verdict is about", !narrow()) : null,
                        answer.passed ? null : hints(answer.hints ?? []),
                    ].filter(Boolean)
                );
                panel.stale(false);
                follow();
                progress();
            });
        };
        // What depends on the draft, whatever has changed it.
        const follow = () => {
            panel.stale(checked !== null && checked !== editor.text);
            shows.hidden = passed() === undefined || passed() === editor.text;
            done.follow();
        };
        // Another source in the place of the draft, which stays.
        const put = (text, said) => {
            draft.replace(text);
            editor.text = text;
            panel.say(said);
        };
        const editor = new Editor({
            text: before?.source ?? given.skeleton,
            label: `Your source of ${given.title}`,
            run: check,
            tall: true,
            changed: () => {
                if (editor.text !== draft.last) draft.put({ source: editor.text });
                follow();
            },
        });
        const checks = button("Check", check, { class: "live-run", "aria-keyshortcuts": "Control+Enter" });
        const stops = button("Stop", null, { class: "live-stop" });
        let sure = null;
        const reset = button("Start over", () => {
            if (sure) {
                clearTimeout(sure);
                sure = null;
                reset.textContent = "Start over";
                put(given.skeleton, "The skeleton is back. The button for the other draft brings yours back.");
                return;
            }
            reset.textContent = "Press again to start over";
            sure = setTimeout(() => ((sure = null), (reset.textContent = "Start over")), 4000);
        });
        const shows = button("Show the version that has passed", () => put(passed(), "This version has passed. Your draft is kept."));
        const tools = el("div", { class: "live-tools" }, checks, stops, reset, shows, draft.back);
        const panel = frame(given.title, tools, [], editor);
        panel.status.after(draft.unkept);
        const done = after(name, task, device, passed);
        panel.section.append(done.dom);
        const runner = new Runner(device, panel.say, checks, stops);
        place.append(panel.section);
        device.warm(request(given.skeleton));
        draft.put({ source: editor.text, ...(before ? {} : found(null)) });
        draft.watch(
            () => !panel.section.isConnected,
            (text) => {
                editor.text = text;
                panel.say("This is your draft as another window has changed it.");
                follow();
            }
        );
        follow();
        const again = passed() === editor.text ? "It has passed before." : "A version has passed before, and counts; this is your draft.";
        panel.say(passed() !== undefined ? again : `Control and Enter check it.${draft.unkept.textContent ? "" : " Your work is kept in this browser."}`);
        editor.view.focus();
    }

    // Tier by tier.
    function hints(tiers) {
        if (!tiers.length) return null;
        const list = el("ol", { class: "live-hints" });
        const more = button("Hint", () => {
            list.append(el("li", {}, tiers[list.childElementCount]));
            if (list.childElementCount < tiers.length) more.textContent = "Next hint";
            else more.hidden = true;
        });
        return el("div", {}, el("div", { role: "status" }, list), more);
    }

    book.exercise = exercise;
})();

// The panel of a live kernel: its source in an editor, its parameters, and what a run of it on the embedded device found.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, number, fresh, Device, Editor, Runner, frame, parameters, shapes, summary, show, hash, brought, copyLink, kept, ofKernel, Draft } = book;

    // Lines that go and come, from one text to the other.
    function difference(before, after) {
        const [a, b] = [before.split("\n"), after.split("\n")];
        let [start, enda, endb] = [0, a.length, b.length];
        while (start < enda && start < endb && a[start] === b[start]) start++;
        while (enda > start && endb > start && a[enda - 1] === b[endb - 1]) (enda--, endb--);
        const [n, m] = [enda - start, endb - start];
        const longest = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
        for (let i = n - 1; i >= 0; i--)
            for (let j = m - 1; j >= 0; j--)
                longest[i][j] = a[start + i] === b[start + j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
        const lines = a.slice(Math.max(0, start - 2), start).map((line) => [" ", line]);
        for (let i = 0, j = 0; i < n || j < m; ) {
            if (i < n && j < m && a[start + i] === b[start + j]) lines.push([" ", a[start + i]]), i++, j++;
            else if (j >= m || (i < n && longest[i + 1][j] >= longest[i][j + 1])) lines.push(["-", a[start + i++]]);
            else lines.push(["+", b[start + j++]]);
        }
        lines.push(...a.slice(enda, enda + 2).map((line) => [" ", line]));
        if (before === after) return el("p", {}, "The code is as it came.");
        const kinds = { "-": "gone", "+": "new", " ": "" };
        const pre = el("pre", { class: "live-diff", tabindex: "0", "aria-label": "What you changed" });
        for (const [sign, line] of lines) pre.append(el("span", { class: kinds[sign] }, `${sign} ${line}\n`));
        return pre;
    }

    // The question that a kernel's result answers, if the reader has not.
    function unanswered(place) {
        const question = place.dataset.asked ? document.getElementById(place.dataset.asked) : null;
        return question && !question.querySelector("input:checked") ? question : null;
    }

    async function kernel(place, name, fragment) {
        const { entry, source: original } = globalThis.warpbookLive[name];
        const values = Object.fromEntries((entry.parameters ?? []).map((one) => [one.name, one.value]));
        const came = { text: original, parameters: { ...values } };
        const value = fragment ? await brought(fragment) : null;
        const device = new Device();
        let last = null;
        let seen = false;
        const request = (text) => ({ do: "run", live: entry, parameters: values, contents: contents(), shapes: shape.list(), text, language: "cuda", original, pinned: pinned?.asked });
        // What the counters are compared with: where the reader began, until they choose another run. A baseline that moved with the
        // sliders would show no difference.
        let pinned = null;
        const setting = (text) => structuredClone({ text, parameters: values, contents: contents(), shapes: shape.list() });
        const report = (parameters) => (entry.parameters ?? []).map(({ name, title, choices, from, multiple = 1 }) => `${title} ${choices?.[(parameters[name] - from) / multiple] ?? number(parameters[name])}`).join(", ");
        const beside = (text) => {
            const now = setting(text);
            const words = pinned.words + (report(pinned.asked.parameters) ? ` (${report(pinned.asked.parameters)})` : "");
            const pins = same(now, pinned.asked) ? null : button("Take this run as the baseline", () => {
                pinned = { asked: now, words: "the run that you chose" };
                run();
                panel.section.querySelector(".live-counters > summary").focus();
            });
            return { words, button: pins };
        };
        // What the results that are shown are of.
        let ran = null;
        const run = () => {
            const text = editor.text;
            pinned ??= { asked: setting(original), words: "the book's source as you first ran it" };
            return runner.of("Running …", request(text), (answer, time) => {
                last = answer;
                ran = text;
                const done = () => {
                    seen = true;
                    looking = book.look?.({ device, editor, text, answer, lines: answer.lines ?? [], say: panel.say, before: looking, open: entry.central });
                    panel.say(...summary(answer, time));
                    show(answer, editor, panel, device, looking ? [looking.dom] : [], beside(text));
                    panel.stale(false);
                    panel.stale(editor.text !== text);
                };
                const question = answer.outcome === "done" && !seen ? unanswered(place) : null;
                if (!question) return done();
                panel.say("It has run. Predict first: its result answers a question.");
                editor.tell(answer.messages ?? []);
                const shown = button("Show the result", () => {
                    question.removeEventListener("change", uncover);
                    done();
                    panel.results.querySelector("summary")?.focus();
                });
                const uncover = () => done();
                question.addEventListener("change", uncover, { once: true });
                const link = el("a", { href: `#${question.id}` }, "the question");
                panel.results.replaceChildren(el("p", { class: "live-covered" }, "The result is covered until ", link, " is answered. ", shown));
            });
        };
        let looking = null;
        const editor = new Editor({
            text: original,
            label: `Source of ${entry.title}`,
            run,
            access: (line) => looking?.access(line),
            changed: () => {
                panel.stale(ran !== null && editor.text !== ran);
                save();
            },
        });
        const state = () => ({ text: editor.text, parameters: { ...values }, hand: hand?.state(), moved: moving?.state(), shapes: shape.state() });
        const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
        const put = ({ text, ...given }) => {
            putting = true;
            editor.text = text;
            for (const [parameter, to] of Object.entries(given.parameters ?? {})) form.put(parameter, to);
            hand?.put(given.hand);
            moving?.put(given.moved);
            shape.put(given.shapes);
            putting = false;
        };
        // What the reader changes is kept, not what a link brings or the book has.
        let putting = true;
        const draft = new Draft(
            ofKernel(name),
            () => kept(ofKernel(name)),
            same,
            (source, said) => {
                put(source);
                panel.stale(ran !== null && editor.text !== ran);
                panel.say(said);
            },
            Boolean(fragment)
        );
        const save = () => putting || same(state(), draft.last) || draft.put({ source: state() });
        let later = null;
        // A handle that is moved runs the kernel, once the reader has run it.
        const moved = () => {
            save();
            if (!last) return;
            clearTimeout(later);
            later = setTimeout(() => (runner.busy ? moved() : run()), 200);
        };
        // A button that lets a time pass, run by run, from where it is to its end.
        let playing = false;
        const play = ({ name, from, to, multiple = 1 }) => {
            const plays = button("Play", async () => {
                playing = !playing;
                if (!playing) return;
                plays.textContent = "Pause";
                if (values[name] >= to) form.put(name, from);
                for (let n = 0; playing && n < 200 && runner.busy; n++) await new Promise((done) => setTimeout(done, 50));
                while (playing && plays.isConnected) {
                    clearTimeout(later);
                    await run();
                    if (last?.outcome !== "done" || panel.results.querySelector(".live-covered") || values[name] >= to) break;
                    if (!playing) break;
                    form.put(name, values[name] + multiple);
                }
                playing = false;
                plays.textContent = "Play";
            });
            return plays;
        };
        const form = parameters(
            entry.parameters ?? [],
            values,
            () => {
                hand?.draw();
                shape?.draw();
                moving?.draw();
                moved();
            },
            play
        );
        const hand = entry.hand ? book.hand(entry, values, moved) : null;
        const moving = entry.move ? await book.moving(entry, values, device, moved) : null;
        const shape = shapes(entry, values, moved);
        const contents = () => (hand || moving ? { ...hand?.contents(), ...moving?.contents() } : undefined);
        const runs = button("Run", run, { class: "live-run", "aria-keyshortcuts": "Control+Enter" });
        const stops = button("Stop", null, { class: "live-stop" });
        const diff = el("div", { class: "live-difference", id: fresh("difference") });
        const compare = (open) => {
            diff.replaceChildren(...(open ? [difference(original, editor.text)] : []));
            compares.setAttribute("aria-expanded", open);
        };
        const compares = button("Compare with the original", () => compare(!diff.childElementCount), { "aria-expanded": "false", "aria-controls": diff.id });
        const tools = el(
            "div",
            { class: "live-tools" },
            runs,
            stops,
            button("Reset", () => {
                const before = state();
                put(came);
                if (!same(before, state())) draft.put({ source: state(), replaced: before });
                playing = false;
                clearTimeout(later);
                last = ran = pinned = null;
                compare(false);
                panel.results.replaceChildren();
                panel.stale(false);
                panel.say("The code and the parameters are as they came.");
            }),
            compares,
            button("Copy a link", () => copyLink(name, state(), panel.say)),
            draft.back,
            button("Open in Any kernel", async () => {
                try {
                    location.href = `any-kernel.html${await hash("any", book.anything(shape.entry(), values, editor.text, contents()))}`;
                } catch (error) {
                    panel.say(`It cannot be opened there: ${error.message}.`);
                }
            })
        );
        const panel = frame(entry.title, tools, [form.set, hand?.dom, moving?.dom, shape.dom].filter(Boolean), editor);
        moving?.on(panel.results);
        panel.status.before(diff);
        panel.status.after(draft.unkept);
        const runner = new Runner(device, panel.say, runs, stops);
        place.append(panel.section);
        // The book's code, whatever a link brings.
        device.warm(request(original));
        const first = entry.steps.find((step) => step.launch);
        // A kernel that a macro makes of a template has the template's name, and a number.
        if (first) editor.show(`${first.launch.kernel}(`) || editor.show(`${first.launch.kernel.replace(/_[^_]*$/, "")}(`);
        if (fragment) {
            if (value && typeof value.text === "string") {
                put(value);
                panel.say("This is the code that the link brought. It runs when you say so.");
            } else {
                panel.say("The link is damaged; this is the code of the book.");
            }
        } else if (typeof draft.last?.text === "string" && !same(draft.last, state())) {
            put(draft.last);
            panel.say("This is your code from before; Reset brings the book's. Control and Enter run it.");
        } else {
            panel.say("Control and Enter run it.");
        }
        putting = false;
        (fragment ? runs : editor.view).focus();
    }

    Object.assign(book, { kernel });
})();

// A figure that is alive: its source in an editor, and what a run of it on the embedded device found, next to the run that the reader
// began with or has pinned.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, number, fresh, table, Device, Editor, Runner, voice, shapes, summary, show, difference, hash, brought, copyLink, kept, ofKernel, Draft, lines, sweep, shownLines, changes } = book;

    const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

    // Parameters in words.
    function named({ parameters = [] }) {
        const one = (name, value) => {
            const { choices, from, multiple = 1 } = parameters.find((parameter) => parameter.name === name);
            return choices?.[(value - from) / multiple] ?? number(value);
        };
        return { one, all: (values) => parameters.map(({ name, title }) => `${title} ${one(name, values[name])}`).join(", ") };
    }

    // What is pinned, A, beside what is shown, B: all that differs between them, with its unit.
    function beside(entry, pinned, answer, now) {
        const words = named(entry);
        const rows = (entry.parameters ?? [])
            .filter(({ name }) => pinned.parameters[name] !== now.parameters[name])
            .map(({ name, title }) => ({ cells: [title, words.one(name, pinned.parameters[name]), words.one(name, now.parameters[name]), ""] }));
        if (pinned.text !== now.text) rows.push({ cells: ["code", "A's", "another", ""] });
        const { time, before } = answer.modelled ?? {};
        if (time && before && time !== before) rows.push({ cells: ["time, modelled", before, time, ""] });
        for (const { title, name, value, before: was, unit } of answer.counters ?? []) {
            if (typeof was === "number" && value !== was) rows.push({ cells: [el("span", { title: name }, title), was, value, difference(value, was, unit)] });
        }
        if (!rows.length) return el("p", {}, "B, which is now, is the same: move a handle, or change the code.");
        return table("What differs from A, which is pinned, to B, which is now", ["what", "A", "B", "difference"], rows);
    }

    // What the counters are compared with: what the figure showed at first, until the reader pins another run. A baseline that moved with
    // the handles would show no difference.
    function baselines(figure, first) {
        const { entry, section, pinned: place, drawn } = figure;
        const differs = el("div", { class: "live-compared" });
        figure.drawings.after(differs);
        const began = { asked: { text: figure.data.source, parameters: first, contents: undefined, shapes: null }, words: "the book's source with its first values" };
        let now = began;
        const words = named(entry);
        return {
            asked: () => now.asked,
            is: (asked) => now !== began && same(asked, now.asked),
            words: () => now.words + (words.all(now.asked.parameters) ? ` (${words.all(now.asked.parameters)})` : ""),
            compare: (answer, asked) => now !== began && differs.replaceChildren(beside(entry, now.asked, answer, asked)),
            shapes: () => now.shapes ?? null,
            pin(asked) {
                now = { asked, words: "the run that you pinned", shapes: drawn.shapes() };
                const of = words.all(asked.parameters);
                place.replaceChildren(el("p", {}, el("strong", {}, "A"), `, pinned${of ? `: ${of}` : ""}`), drawn.copy() ?? "");
                section.classList.add("pinned");
            },
            unpin() {
                now = began;
                section.classList.remove("pinned");
                place.replaceChildren();
                differs.replaceChildren();
            },
        };
    }

    // Buttons for the changes that come with an entry: each is one of the book's source with its first values. `put` shows it and runs it.
    function breakages({ breakages }, original, first, put) {
        if (!breakages?.length) return null;
        const one = ({ title, set, replace = "", with: instead = "" }) =>
            button(title, () => put({ text: replace ? original.replace(replace, () => instead) : original, parameters: { ...first, ...set } }, replace && original.slice(0, original.indexOf(replace)).split("\n").length));
        return el("div", { class: "live-breaks", role: "group", "aria-label": "Changes to try" }, el("span", {}, "Try:"), ...breakages.map(one));
    }

    // Runs for what the handles and the code are now, and again where that is asked for meanwhile.
    function follower(section, runner, stops, run) {
        let [again, following] = [false, false];
        stops.addEventListener("click", () => (again = false));
        return async function follow() {
            again = true;
            if (following) return;
            following = true;
            while (again && section.isConnected) {
                await runner.idle();
                again = false;
                await run();
            }
            following = false;
        };
    }

    // Makes a figure alive. `fragment` is what a link brought. What it gives runs it, unless it brought or kept code of someone's own.
    async function kernel(figure, fragment) {
        const { name, entry, values, data, section, hand } = figure;
        const { source: original } = data;
        const first = Object.fromEntries((entry.parameters ?? []).map((one) => [one.name, one.value]));
        const came = { text: original, parameters: first };
        const value = fragment ? await brought(fragment) : null;
        const device = new Device();
        const panel = voice(section);
        const pinned = baselines(figure, first);
        figure.kept = pinned.shapes;
        let [last, ran, looking] = [null, null, null];
        // Code of someone's own runs when the reader says so.
        let waits = Boolean(fragment);
        // While what is there is put, nothing of it is kept or runs.
        let putting = true;

        const editor = new Editor({
            text: original,
            label: `Source of ${entry.title}`,
            run: () => start(),
            access: (line) => looked?.open(line) || looking?.access(line),
            line: (line) => looked?.open(line, true),
            shown: data.listing?.length ? shownLines(data) : null,
            changed: () => {
                panel.stale(ran !== null && editor.text !== ran);
                save();
            },
        });
        // A picture is drawn instead of an access; its accesses are below.
        const looked = entry.drawn ? null : lines(figure, device, editor, panel.say);
        const moving = entry.move ? await book.moving(entry, values, device, () => moved()) : null;
        const shape = shapes(entry, values, () => moved());

        // ---- Runs
        const contents = () => (hand || moving ? { ...hand?.contents(), ...moving?.contents() } : undefined);
        const setting = (text) => structuredClone({ text, parameters: values, contents: contents(), shapes: shape.list() });
        const request = (text, more) => ({ do: "run", live: entry, ...setting(text), language: "cuda", ...more });
        const done = (text, asked, answer, time) => {
            looking = book.look?.({ device, editor, text, answer, lines: answer.lines ?? [], say: panel.say, before: looking, figure: Boolean(looked) });
            panel.say(...summary(answer, time));
            if (answer.outcome === "done") figure.show({ ...answer, access: null });
            else figure.numbers?.say(answer.outcome === "fault" ? `a fault: ${answer.fault?.kind}` : "no result");
            looked?.update(answer, text);
            show(answer, editor, panel, device, looking ? [looking.dom] : [], pinned.words(), entry.drawn);
            pinned.compare(answer, asked);
            panel.stale(false);
            panel.stale(editor.text !== text);
            pins.hidden = answer.outcome !== "done" || pinned.is(asked);
            sweeps?.hide(answer.outcome !== "done");
        };
        const run = () => {
            const text = editor.text;
            const asked = setting(text);
            return runner.of("Running …", request(text, { original, pinned: pinned.asked(), look: looked?.look() }), (answer, time) => {
                [last, ran] = [answer, text];
                figure.moved();
                if (!figure.covered || answer.outcome !== "done") return done(text, asked, answer, time);
                panel.say("It has run. Predict first: its result answers a question.");
                editor.tell(answer.messages ?? []);
                figure.uncovered = () => done(text, asked, answer, time);
            });
        };
        const start = () => {
            waits = false;
            follow();
        };

        // ---- What is kept: what the reader changes, not what a link brings or the book has
        const state = () => ({ text: editor.text, parameters: { ...values }, hand: hand?.state(), moved: moving?.state(), shapes: shape.state() });
        const put = ({ text, ...given }) => {
            putting = true;
            editor.text = text;
            for (const [parameter, to] of Object.entries(given.parameters ?? {})) figure.form.put(parameter, to);
            hand?.put(given.hand);
            moving?.put(given.moved);
            shape.put(given.shapes);
            putting = false;
            panel.stale(ran !== null && editor.text !== ran);
        };
        const draft = new Draft(
            ofKernel(name),
            () => kept(ofKernel(name)),
            same,
            (source, said) => {
                put(source);
                panel.say(said);
            },
            Boolean(fragment)
        );
        const save = () => putting || same(state(), draft.last) || draft.put({ source: state() });
        // Puts what replaces the reader's own, which stays for a button to bring back.
        const instead = (of) => {
            const before = state();
            put(of);
            if (!same(before, state())) draft.put({ source: state(), replaced: before });
        };

        // ---- Tools
        const runs = button(figure.running(), start, { class: "live-run", "aria-keyshortcuts": "Control+Enter" });
        const stops = button("Stop", null, { class: "live-stop" });
        const runner = new Runner(device, panel.say, runs, stops);
        const follow = follower(section, runner, stops, run);
        const moved = () => {
            save();
            if (!waits && !putting) follow();
        };
        const pins = button("Pin this run", () => {
            pinned.pin(setting(ran));
            unpins.hidden = false;
            unpins.focus();
            follow();
        });
        const unpins = button("Unpin", () => {
            pinned.unpin();
            unpins.hidden = true;
            runs.focus();
            follow();
        });
        pins.hidden = unpins.hidden = true;
        const sweeps = entry.number && entry.parameters?.length ? sweep(figure, (parameters) => ({ ...request(editor.text), parameters }), (parameter, to) => figure.form.put(parameter, to)) : null;
        sweeps?.hide(true);
        const tries = breakages(entry, original, first, (of, line) => {
            instead(of);
            if (line) editor.reveal(line);
            waits = false;
            follow();
        });
        const diff = el("div", { class: "live-difference", id: fresh("difference") });
        const compare = (open) => {
            diff.replaceChildren(...(open ? [changes(original, editor.text, "What you changed") ?? el("p", {}, "The code is as it came.")] : []));
            compares.setAttribute("aria-expanded", open);
        };
        const compares = button("Compare with the original", () => compare(!diff.childElementCount), { "aria-expanded": "false", "aria-controls": diff.id });
        const resets = button("Reset", () => {
            instead(came);
            [last, ran, playing] = [null, null, false];
            pinned.unpin();
            pins.hidden = unpins.hidden = true;
            compare(false);
            sweeps?.clear();
            panel.results.replaceChildren();
            panel.stale(false);
            figure.show(data.still);
            panel.say("The code and the parameters are as they came.");
        });
        const links = button("Copy a link", () => copyLink(name, state(), panel.say));
        const opens = button("Open in Any kernel", async () => {
            try {
                location.href = `any-kernel.html${await hash("any", book.anything(shape.entry(), values, editor.text, contents()))}`;
            } catch (error) {
                panel.say(`It cannot be opened there: ${error.message}.`);
            }
        });

        // A button that lets a time pass, run by run, from where it is to its end.
        let playing = false;
        figure.play = async ({ name, from, to, multiple = 1 }, plays) => {
            playing = !playing;
            if (!playing) return;
            plays.textContent = "Pause";
            const set = (value) => {
                putting = true;
                figure.form.put(name, value);
                putting = false;
                save();
            };
            if (values[name] >= to) set(from);
            while (playing && plays.isConnected) {
                await runner.idle();
                await run();
                if (last?.outcome !== "done" || figure.covered || values[name] >= to || !playing) break;
                set(values[name] + multiple);
            }
            playing = false;
            plays.textContent = "Play";
        };

        // ---- All of it in its place
        figure.run = runs;
        figure.changed = moved;
        figure.redraw = () => {
            runs.textContent = figure.running();
            shape.draw();
            moving?.draw();
        };
        if (moving) {
            figure.controls.append(moving.dom);
            moving.on(figure.drawn.dom);
        }
        figure.listing.replaceWith(editor.dom);
        figure.tools.replaceChildren(...[runs, stops, pins, unpins, sweeps?.tool, resets, draft.back].filter(Boolean));
        figure.tools.after(...[tries, sweeps?.dom, panel.status, draft.unkept].filter(Boolean));
        section.append(...[looked?.dom, shape.dom, panel.of, panel.results].filter(Boolean), el("div", { class: "live-tools" }, compares, links, opens), diff);
        section.classList.add("live-panel");
        if (fragment) {
            figure.code.open = true;
            const whole = value && typeof value.text === "string";
            if (whole) put(value);
            panel.say(whole ? "This is the code that the link brought. It runs when you say so." : "The link is damaged; this is the code of the book.");
        } else if (typeof draft.last?.text === "string" && draft.last.text !== original) {
            waits = true;
            const touched = Object.entries(values).filter(([parameter, to]) => to !== first[parameter]);
            put({ ...draft.last, parameters: { ...draft.last.parameters, ...Object.fromEntries(touched) } });
            figure.code.open = true;
            panel.say("This is your code from before; Reset brings the book's. Control and Enter run it.");
        } else {
            panel.say("Control and Enter run it.");
        }
        putting = false;
        figure.redraw();
        return { runs, editor, waits: () => waits, follow, moved };
    }

    Object.assign(book, { kernel });
})();

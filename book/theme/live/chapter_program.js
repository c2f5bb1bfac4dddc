// The panel of a chapter's program: its files, changes to try, and what a run of it printed, did wrong, and copied.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, Device, Files, Runner, frame, hash, kept, ofKernel, Draft, Program, programSummary } = book;

    async function program(place, name) {
        const { title, files, arguments: given, changes } = globalThis.warpbookChapters[name];
        const device = new Device((part) => ran.pane.add(part));
        const ran = new Program({ arguments: given, check: true });
        const key = ofKernel(`program-${name}`);
        const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
        const texts = () => editor.list.map(({ text }) => text);
        const came = files.map(({ text }) => text);
        // Which of the changes is in the editor.
        const choose = (chosen) => tries.forEach((one) => one.setAttribute("aria-pressed", String(one === chosen)));
        const put = (all) => editor.put(all);
        const draft = new Draft(key, () => kept(key), same, (source, said) => {
            put(source);
            panel.say(said);
        });
        let shown = null;
        const run = () => {
            const asked = texts();
            ran.begin(panel, editor);
            panel.stale(false);
            return runner.of("Compiling and running …", ran.request(editor.list), async (answer, time) => {
                await ran.show(answer, editor, panel, device);
                panel.say(...programSummary(answer, time));
                shown = asked;
                panel.stale(!same(texts(), shown));
            });
        };
        const editor = new Files({
            files,
            fixed: true,
            label: `Source of ${title}`,
            run,
            changed: () => {
                const now = texts();
                if (!same(now, draft.last)) draft.put({ source: now });
                choose(tries.find((one) => same(now, one.texts)) ?? null);
                panel.stale(shown !== null && !same(now, shown));
            },
        });
        const tries = [{ title: "As it is in the book", edits: [] }, ...changes].map(({ title, edits }) => {
            const changed = files.map(({ name, text }) => edits.filter((one) => one.file === name).reduce((text, { from, to }) => text.replace(from, () => to), text));
            const one = button(
                title,
                () => {
                    if (runner.busy) return;
                    const before = texts();
                    if (!tries.some((other) => same(before, other.texts))) draft.replace(changed);
                    put(changed);
                    return run();
                },
                { "aria-pressed": "false" }
            );
            one.texts = changed;
            return one;
        });
        const choices = el("div", { class: "live-tools live-tries", role: "group", "aria-label": "Changes to try" }, el("span", {}, "Try:"), ...tries);
        const runs = button("Run", run, { class: "live-run", "aria-keyshortcuts": "Control+Enter" });
        const stops = button("Stop", null, { class: "live-stop" });
        const open = button("Open in Any kernel", async () => {
            const [first, ...others] = editor.list;
            const none = { language: "cuda", buffers: [], textures: [], launches: [] };
            location.href = `any-kernel.html${await hash("any", { ...none, name: first.name, text: first.text, program: ran.state, files: others })}`;
        });
        const tools = el("div", { class: "live-tools" }, runs, stops, draft.back, open);
        const panel = frame(title, tools, [choices], editor);
        panel.status.after(draft.unkept);
        const runner = new Runner(device, panel.say, runs, stops);
        place.append(panel.section);
        device.warm({ ...ran.request(files), run: false });
        const own = draft.last;
        const fits = Array.isArray(own) && own.length === files.length && own.every((text) => typeof text === "string") && !same(own, came);
        if (fits) put(own);
        choose(tries.find((one) => same(texts(), one.texts)) ?? null);
        runs.focus();
        if (fits) panel.say("This is your text from before; the first button brings the book's. Control and Enter run it.");
        // The button that was pressed says that it runs.
        else run();
    }

    book.program = program;
})();

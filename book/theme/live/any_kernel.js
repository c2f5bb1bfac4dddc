// The page "Any kernel": an editor for whole programs, and for kernels alone with buffers, textures and launches that the reader
// describes.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, fresh, Device, Files, wrongFileName, Runner, frame, summary, show, copyLink, brought, kept, ofKernel, Draft, Program, programSummary, isProgram } = book;

    // A kernel alone, for those who want no host code.
    const ALONE = {
        text: `extern "C" __global__ void twice(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i];
}
`,
        buffers: [
            { name: "in", type: "f32", length: 256, init: "index" },
            { name: "out", type: "f32", length: 256, init: "poison" },
        ],
        textures: [],
        launches: [{ kernel: "twice", grid: [2, 1, 1], block: [128, 1, 1], shared: 0, args: ["in", "out", "int 256"] }],
    };
    // What the first file is called unless the reader calls it something else.
    const NAME = "program.cu";
    // The programs that the book brings, by name.
    const PROGRAMS = globalThis.warpbookPrograms;
    const BEGIN = { ...ALONE, text: PROGRAMS["vector-sum"].text };
    const INITS = { zeros: "zeros", index: "0, 1, 2, …", random: "random", poison: "nothing (an output)", numbers: "these numbers", chapter: "what the chapter's has" };

    // A list whose rows are forms: each a group of fields, with a button that takes it away.
    function rows(title, one, list, fields, blank) {
        const items = el("div", { class: "live-rows" });
        // A list of thousands is drawn part by part.
        let drawn = PART;
        const draw = (focus) => {
            if (focus === true) drawn = Math.max(drawn, list.length);
            const rest = list.length - drawn;
            const more = button(`Show ${Math.min(PART, rest)} more of ${list.length}`, () => {
                const first = drawn;
                drawn += PART;
                draw();
                items.children[first]?.querySelector("input")?.focus();
            });
            items.replaceChildren(
                ...list.slice(0, drawn).map((row, n) => {
                    const name = `${one} ${n + 1}`;
                    const parts = fields.map(({ label, get, put, choices, wide }) => {
                        const id = fresh("field");
                        const input = choices
                            ? el("select", { id }, ...Object.entries(choices).map(([value, text]) => el("option", { value, selected: value === get(row) }, text)))
                            : el("input", { id, value: get(row), class: wide ? "wide" : null, spellcheck: "false" });
                        input.addEventListener("change", () => {
                            try {
                                put(row, input.value);
                                input.setCustomValidity("");
                                // What was taken, which may not be what was written.
                                if (!choices) input.value = get(row);
                            } catch (error) {
                                input.setCustomValidity(error.message);
                                input.reportValidity();
                            }
                        });
                        return el("div", { class: "live-field" }, el("label", { for: id }, label), input);
                    });
                    const away = button("Remove", () => {
                        list.splice(n, 1);
                        draw();
                        // To what is there now, or to what adds another.
                        (items.children[Math.min(n, list.length - 1)]?.querySelector("input") ?? add).focus();
                    }, { "aria-label": `Remove ${name}` });
                    return el("fieldset", {}, el("legend", {}, name), ...parts, away);
                }),
                ...(rest > 0 ? [more] : [])
            );
            if (focus) items.lastElementChild?.querySelector("input")?.focus();
        };
        draw();
        const add = button(`Add a ${one}`, () => (list.push(blank()), draw(true)));
        return el("details", { open: list.length > 0, class: "live-described" }, el("summary", {}, title), items, add);
    }

    // What a texture may be, by CUDA's numbers: what it is called there, and what each number means.
    const TEXTURE = {
        flags: ["which are", { 0: "slices", 1: "layers", 4: "the 6 faces of a cube", 5: "6 faces of each of several cubes" }],
        surface: ["read by", { 0: "tex1D, tex2D, …", 1: "surf2Dread, and written: a surface" }],
        array: ["texels in", { 0: "rows of the buffer, where it has no more", 1: "a CUDA array, copied from it" }],
        filter_mode: ["filter", { 0: "the nearest texel", 1: "linear" }],
        address_mode: ["beyond its edges", { 0: "wrapped", 1: "clamped", 2: "mirrored", 3: "a border of zeros" }],
        read_mode: ["read as", { 0: "its type", 1: "fractions of it" }],
        normalized_coords: ["coordinates", { 0: "in texels", 1: "fractions of its size" }],
    };
    const CLAMPED = { flags: 0, surface: 0, array: 0, filter_mode: 0, address_mode: 1, read_mode: 0, normalized_coords: 0 };

    const PART = 32;
    const numeric = (text) => {
        const found = text.trim() === "" ? NaN : Number(text);
        if (!Number.isFinite(found)) throw new Error(`“${text}” is not a number`);
        return found;
    };
    // An element: what a number of the page would round stays as it is written.
    const element = (text) => {
        const found = numeric(text);
        return /^-?\d+$/.test(text) && !Number.isSafeInteger(found) ? text : found;
    };
    const whole = (text) => {
        const found = numeric(text);
        if (!Number.isSafeInteger(found) || found < 0) throw new Error(`“${text}” is not a whole number from 0 on`);
        return found;
    };
    const wholeOrNone = (text) => (text.trim() ? whole(text) || null : null);
    const three = (text) => {
        const numbers = text.split(/[\s,×x]+/).filter(Boolean).map(whole);
        if (numbers.length > 3) throw new Error("a launch has three dimensions at the most: x y z");
        return [0, 1, 2].map((at) => numbers[at] ?? 1);
    };

    // Copies to variables, as text: those that say `now` copy what a launch before has left in the buffer.
    const copyText = ({ symbol, from, first, count, current }) => `${symbol} = ${from}[${first} : ${count}]${current ? " now" : ""}`;
    const copies = (text) =>
        text.split(",").filter((one) => one.trim()).map((one) => {
            const found = /^\s*(\w+)\s*=\s*(\w+)\s*\[\s*(\d+)\s*:\s*(\d+)\s*\](\s*now)?\s*$/.exec(one);
            if (!found) throw new Error(`“${one.trim()}” is no copy: write variable = buffer[first : count]`);
            return { symbol: found[1], from: found[2], first: Number(found[3]), count: Number(found[4]), current: Boolean(found[5]) };
        });

    // Launches in CUDA's words, for a sentence.
    const LAUNCHES = 3;
    function inWords(launches) {
        const size = (dimensions) => dimensions.slice(0, 1 + dimensions.findLastIndex((n, at) => at === 0 || n !== 1)).join(" × ");
        const some = launches.slice(0, LAUNCHES).map(({ kernel, grid, block }) => `\`${kernel}<<<${size(grid)}, ${size(block)}>>>\``);
        const more = launches.length > LAUNCHES ? ` and ${launches.length - LAUNCHES} more` : "";
        return some.length ? `${some.join(", ")}${more}, as the list of launches says` : "nothing, since the list of launches is empty";
    }

    // What a link brings, if it is what such a page writes.
    const text = (one) => typeof one === "string";
    const numbers = (one) => Array.isArray(one) && one.every(Number.isFinite);
    const elements = (one) => Array.isArray(one) && one.every((element) => Number.isFinite(element) || text(element));
    const all = (list, of) => Array.isArray(list) && list.every((one) => one !== null && typeof one === "object" && of(one));
    const LISTS = {
        buffers: ({ name, type, length, init, numbers: own }) => text(name) && text(type) && Number.isFinite(length) && text(init) && (own === undefined || elements(own)),
        textures: ({ name, buffer }) => text(name) && text(buffer),
        launches: ({ kernel, grid, block, args, copies }) => text(kernel) && numbers(grid) && numbers(block) && Array.isArray(args) && args.every(text) && (copies === undefined || all(copies, () => true)),
    };
    // Files next to the first: earlier pages had none.
    const file = ({ name, text: own, base64 }) => text(name) && !wrongFileName(name) && (text(own) || text(base64));
    const fits = (given) =>
        text(given?.text) && Object.entries(LISTS).every(([name, of]) => all(given[name], of)) && (given.files === undefined || all(given.files, file)) && (given.name === undefined || (text(given.name) && !wrongFileName(given.name)));

    // One of the page's examples, by its name.
    const example = (name) => (name === "alone" ? ALONE : Object.hasOwn(PROGRAMS, name) ? { ...ALONE, text: PROGRAMS[name].text } : null);

    async function any(place, fragment) {
        const asked = /^#example=([\w-]+)$/.exec(fragment ?? "")?.[1];
        const linked = asked ? example(asked) : fragment ? await brought(fragment) : null;
        const given = fits(linked) ? linked : null;
        const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
        const again = async (said) => {
            device.stop();
            panel.section.remove();
            (await any(place)).say(said);
        };
        const draft = new Draft(
            ofKernel("any"),
            () => kept(ofKernel("any")),
            same,
            (_, said) => again(said),
            Boolean(fragment)
        );
        const own = !fragment && fits(draft.last) ? draft.last : null;
        const { buffers, launches, ...start } = structuredClone(given ?? own ?? BEGIN);
        const program = new Program(start.program ?? {});
        // Those that the engine knows, as the book's build has put them there.
        const types = place.dataset.types.split(" ");
        const textures = start.textures.map((one) => ({ channels: 1, ...CLAMPED, ...one }));
        // Two engines, of which each is loaded when it is needed: that of kernels alone is smaller.
        const devices = new Map();
        const device = {
            get now() {
                const host = hasHost();
                if (!devices.has(host)) devices.set(host, host ? new Device((part) => program.pane.add(part)) : new Device());
                return devices.get(host);
            },
            stop: () => devices.forEach((one) => one.stop()),
        };
        const language = el("select", { id: fresh("language") }, el("option", { value: "cuda" }, "CUDA C"), el("option", { value: "ptx" }, "PTX"));
        language.value = start.language === "ptx" ? "ptx" : "cuda";
        let looking = null;
        // Whether there is host code, which then describes all else.
        const hasHost = () => language.value === "cuda" && editor.sources.some(isProgram);
        const request = ({ text, language, buffers, textures, launches }) => {
            const given = buffers.map(({ numbers, chapter, pixels, ...rest }) => ({
                ...rest,
                init: { numbers: numbers ?? [], chapter: chapter ?? "zeros" }[rest.init] ?? rest.init,
                // Bytes are four a pixel: red, green, blue, opacity.
                picture: pixels ? { width: pixels, height: Math.floor(rest.length / (rest.type === "u8" ? 4 : 1) / pixels) } : null,
            }));
            return { do: "any", text, language, buffers: given, textures, launches };
        };
        const state = () => {
            const [{ name, text }, ...files] = editor.list;
            return { text, language: language.value, buffers, textures, launches, program: program.state, ...(name === NAME ? {} : { name }), ...(files.length ? { files } : {}) };
        };
        const run = () => {
            // What a field shows and what would run differ until it is mended.
            const wrong = panel.section.querySelector("input:invalid");
            if (wrong) {
                for (let fold = wrong.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
                wrong.focus();
                panel.say(`Not run: ${wrong.validationMessage}`, "bad");
                return;
            }
            const asked = structuredClone(state());
            runner.device = device.now;
            const shown = () => {
                ran = asked;
                panel.stale(false);
                panel.stale(!same(state(), ran));
            };
            if (hasHost()) {
                program.begin(panel, editor);
                panel.stale(false);
                return runner.of("Compiling and running …", program.request(editor.list), async (answer, time) => {
                    looking = null;
                    await program.show(answer, editor, panel, runner.device);
                    panel.say(...programSummary(answer, time));
                    shown();
                });
            }
            return runner.of("Running …", request(asked), (answer, time) => {
                const { device } = runner;
                looking = book.look?.({ device, editor, text: asked.text, answer, lines: answer.lines ?? [], say: panel.say });
                panel.say(...summary(answer, time, inWords(asked.launches)));
                show(answer, editor, panel, device, looking ? [looking.dom] : []);
                shown();
            });
        };
        // What the results that are shown are of, and what of the state is kept or need not be.
        let ran = null;
        let known = null;
        const changed = () => {
            const now = state();
            if (!panel.section.isConnected || same(now, known)) return;
            arrange();
            draft.put({ source: structuredClone(now) });
            known = structuredClone(now);
            panel.stale(ran !== null && !same(now, ran));
        };
        const editor = new Files({
            files: [{ name: start.name ?? NAME, text: start.text }, ...(start.files ?? [])],
            say: (...said) => panel.say(...said),
            label: "Source",
            run,
            tall: true,
            access: (line) => looking?.access(line),
            changed: () => changed(),
        });
        const described = [
            rows(
                "Buffers",
                "buffer",
                buffers,
                [
                    { label: "name", get: (one) => one.name, put: (one, text) => (one.name = text.trim()) },
                    { label: "type", choices: Object.fromEntries(types.map((type) => [type, type])), get: (one) => one.type, put: (one, text) => (one.type = text) },
                    { label: "elements", get: (one) => one.length, put: (one, text) => (one.length = whole(text)) },
                    {
                        label: "holds at first",
                        choices: INITS,
                        get: (one) => one.init,
                        put: (one, text) => (one.init = text),
                    },
                    {
                        label: "numbers, where these are chosen",
                        wide: true,
                        get: (one) => (one.numbers ?? []).join(" "),
                        put: (one, text) => (one.numbers = text.split(/[\s,]+/).filter(Boolean).map(element)),
                    },
                    { label: "copied to the variable", get: (one) => one.symbol ?? "", put: (one, text) => (one.symbol = text.trim() || null) },
                    { label: "pixels a row, of a picture", get: (one) => one.pixels ?? "", put: (one, text) => (one.pixels = wholeOrNone(text)) },
                ],
                () => ({ name: `b${buffers.length}`, type: "f32", length: 256, init: "zeros" })
            ),
            rows(
                "Textures and surfaces",
                "texture",
                textures,
                [
                    { label: "name", get: (one) => one.name, put: (one, text) => (one.name = text.trim()) },
                    { label: "of the buffer", get: (one) => one.buffer, put: (one, text) => (one.buffer = text.trim()) },
                    { label: "texels a row", get: (one) => one.width, put: (one, text) => (one.width = whole(text)) },
                    { label: "rows; none for one dimension", get: (one) => one.height ?? "", put: (one, text) => (one.height = wholeOrNone(text)) },
                    { label: "slices, layers or faces; none for fewer than three dimensions", get: (one) => one.depth ?? "", put: (one, text) => (one.depth = wholeOrNone(text)) },
                    { label: "elements of a texel", choices: { 1: "1", 2: "2", 4: "4" }, get: (one) => String(one.channels), put: (one, text) => (one.channels = Number(text)) },
                    ...Object.entries(TEXTURE).map(([name, [label, choices]]) => ({ label, choices, get: (one) => String(one[name] ?? 0), put: (one, text) => (one[name] = Number(text)) })),
                ],
                () => ({ name: `t${textures.length}`, buffer: buffers[0]?.name ?? "", width: 16, height: 16, channels: 1, ...CLAMPED })
            ),
            rows(
                "Launches, in order",
                "launch",
                launches,
                [
                    { label: "kernel", get: (one) => one.kernel, put: (one, text) => (one.kernel = text.trim()) },
                    { label: "blocks (x y z)", get: (one) => one.grid.join(" "), put: (one, text) => (one.grid = three(text)) },
                    { label: "threads of a block (x y z)", get: (one) => one.block.join(" "), put: (one, text) => (one.block = three(text)) },
                    { label: "dynamic shared memory, bytes", get: (one) => one.shared, put: (one, text) => (one.shared = whole(text)) },
                    {
                        label: "arguments: buffers, textures, “int 5”, “float 0.5”, “half 2”",
                        wide: true,
                        get: (one) => one.args.join(", "),
                        put: (one, text) => (one.args = text.split(",").map((arg) => arg.trim()).filter(Boolean)),
                    },
                    {
                        label: "copied before it: variable = buffer[first : count]",
                        wide: true,
                        get: (one) => (one.copies ?? []).map(copyText).join(", "),
                        put: (one, text) => (one.copies = copies(text)),
                    },
                ],
                () => ({ ...structuredClone(BEGIN.launches[0]), args: [], copies: [] })
            ),
        ];
        // What is described is of a kernel alone; a program describes it itself.
        const arrange = () => {
            const host = hasHost();
            program.dom.hidden = !host;
            for (const one of described) one.hidden = host;
        };
        const EXAMPLES = { "": "Choose an example …", ...Object.fromEntries(Object.entries(PROGRAMS).map(([name, { title }]) => [name, title.split(":")[0]])), alone: "A kernel alone, without host code" };
        const examples = el("select", { id: fresh("example"), class: "live-examples" }, ...Object.entries(EXAMPLES).map(([value, text]) => el("option", { value }, text)));
        examples.addEventListener("change", () => {
            const chosen = example(examples.value);
            if (!chosen) return;
            draft.replace({ ...chosen, language: "cuda" });
            again(`This is the example “${EXAMPLES[examples.value]}”. Control and Enter run it.`);
        });
        const runs = button("Run", run, { class: "live-run", "aria-keyshortcuts": "Control+Enter" });
        const stops = button("Stop", null, { class: "live-stop" });
        const tools = el(
            "div",
            { class: "live-tools" },
            runs,
            stops,
            el("label", {}, "Language: ", language),
            button("Copy a link", () => copyLink("any", state(), panel.say)),
            button("Reset", () => {
                draft.replace({ ...BEGIN, language: "cuda" });
                again("This is the example again.");
            }),
            draft.back
        );
        const panel = frame("Any kernel", tools, [el("p", { class: "live-example" }, el("label", {}, "Example: ", examples))], editor);
        panel.status.after(draft.unkept);
        for (const event of ["change", "click"]) panel.section.addEventListener(event, changed);
        editor.dom.after(program.dom, ...described);
        arrange();
        const runner = new Runner(device.now, panel.say, runs, stops);
        place.append(panel.section);
        // The book's code, whatever a link brings.
        device.now.warm(hasHost() ? { ...program.request([{ name: NAME, text: BEGIN.text }]), run: false } : request({ ...ALONE, language: "cuda" }));
        known = structuredClone(state());
        panel.say(own ? "This is your code from before. Control and Enter run it." : !fragment ? "Control and Enter run it." : given && asked ? `This is the example “${EXAMPLES[asked]}”. Control and Enter run it.` : given ? "This is the code that the link brought. It runs when you say so." : "The link is damaged; this is an example.");
        (fragment ? runs : editor.view).focus();
        return panel;
    }

    book.any = any;
})();

// The panel of a live kernel: its source in an editor, its parameters, and what a run of it on the embedded device found.
//
// What all panels share is here too: the device in its worker, the editor, and small helpers. It knows nothing of how the
// device works: it asks in JSON (crates/web says what) and shows the answers.
"use strict";
(() => {
    const E = globalThis.WarpbookEditor;
    const book = (globalThis.warpbook ??= {});

    // An element with attributes, listeners (`onclick`) and children.
    function el(tag, attributes = {}, ...children) {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) {
            if (value === undefined || value === null || value === false) continue;
            if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
            else if (name === "class") element.className = value;
            else if (value === true) element.setAttribute(name, "");
            else element.setAttribute(name, value);
        }
        element.append(...children.filter((child) => child !== null && child !== undefined));
        return element;
    }
    const button = (label, onclick, attributes = {}) => el("button", { type: "button", onclick, ...attributes }, label);
    const number = (value) => (typeof value === "number" ? value.toLocaleString("en-US") : String(value));

    let ids = 0;
    const fresh = (of) => `live-${of}-${++ids}`;

    // Replaces what lies in an element. Folds that the reader has opened or closed stay as they are.
    function replace(holder, ...children) {
        const name = (fold) => {
            const names = [];
            for (let one = fold; one !== holder; one = one.parentElement) if (one.matches("details")) names.push(one.firstElementChild.textContent.split(" (")[0]);
            return names.join();
        };
        const chosen = new Map([...holder.querySelectorAll("details[data-chosen]")].map((fold) => [name(fold), fold.dataset.chosen]));
        holder.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
        for (const fold of holder.querySelectorAll("details")) {
            const before = chosen.get(name(fold));
            if (before) {
                fold.dataset.chosen = before;
                fold.open = before === "open";
            }
            fold.firstElementChild.addEventListener("click", () => (fold.dataset.chosen = fold.open ? "closed" : "open"));
        }
    }

    // ---- The device in its worker

    const WORKER = `"use strict";
let wasm;
onmessage = async ({ data }) => {
    if (data.module) {
        wasm = WebAssembly.instantiate(data.module, {});
        return;
    }
    try {
        const { memory, reserve, respond } = (await wasm).exports;
        const request = new TextEncoder().encode(data.request);
        const at = reserve(request.length) >>> 0;
        new Uint8Array(memory.buffer, at, request.length).set(request);
        const out = respond(at, request.length) >>> 0;
        const length = new DataView(memory.buffer).getUint32(out, true);
        const answer = new TextDecoder().decode(new Uint8Array(memory.buffer, out + 4, length));
        postMessage({ id: data.id, answer });
    } catch (error) {
        postMessage({ id: data.id, error: String(error) });
    }
};`;

    function started(source) {
        const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
        const worker = new Worker(url);
        URL.revokeObjectURL(url);
        return worker;
    }

    // Unpacks and compiles the module: in a worker, whose text this becomes, and in the page where a worker cannot pass it on.
    const compile = ({ wasm, size }, unpack) => WebAssembly.compile(unpack(Uint8Array.from(atob(wasm), (c) => c.charCodeAt(0)), size));
    let compiled = null;
    // The module, made once a page, in a worker.
    function moduleOnce() {
        compiled ??= new Promise((resolve, reject) => {
            const { wasm, size, unpack } = globalThis.warpbookEngine;
            const worker = started(`onmessage = async ({ data }) => postMessage(await (${compile})(data, ${unpack}));`);
            const here = () => (worker.terminate(), compile({ wasm, size }, unpack).then(resolve, reject));
            worker.onerror = worker.onmessageerror = here;
            worker.onmessage = ({ data }) => (worker.terminate(), resolve(data));
            worker.postMessage({ wasm, size });
        });
        return compiled;
    }

    // A device of its own, which remembers what it ran last.
    class Device {
        #worker = null;
        #waiting = new Map();
        #next = 0;

        async #start() {
            const module = await moduleOnce();
            if (!this.#worker) {
                this.#worker = started(WORKER);
                this.#worker.onmessage = ({ data }) => this.#answered(data);
                this.#worker.onerror = (event) => this.stop(event.message || "its worker failed");
                this.#worker.postMessage({ module });
            }
            return this.#worker;
        }

        #answered({ id, answer, error }) {
            const waiting = this.#waiting.get(id);
            this.#waiting.delete(id);
            if (error === undefined) return waiting?.resolve(JSON.parse(answer));
            waiting?.reject(new Error(`the device stopped: ${error}`));
            // What it holds in memory cannot be relied on any more.
            this.stop("the device was started anew");
        }

        // The answer to a request.
        async ask(request) {
            const worker = await this.#start();
            const id = ++this.#next;
            return new Promise((resolve, reject) => {
                this.#waiting.set(id, { resolve, reject });
                worker.postMessage({ id, request: JSON.stringify(request) });
            });
        }

        // Ends what runs; the next request starts another worker.
        stop(why = "stopped") {
            this.#worker?.terminate();
            this.#worker = null;
            const waiting = [...this.#waiting.values()];
            this.#waiting.clear();
            for (const { reject } of waiting) reject(new Error(why));
        }
    }

    // ---- The editor

    // A line's counters, the most telling first: what it asks for more than its share of.
    const TELLING = ["shared_load_bank_conflicts", "shared_store_bank_conflicts", "const_replays", "global_load_sectors", "global_store_sectors"];
    const rank = ({ name }) => (TELLING.indexOf(name) + 1 || TELLING.length + 1);
    const ranked = (counters) => [...counters].sort((a, b) => rank(a) - rank(b));

    // What a line's memory accesses cost, in the gutter.
    class Cost extends E.GutterMarker {
        constructor(line) {
            super();
            this.line = line;
        }
        eq(other) {
            return other.line === this.line;
        }
        toDOM() {
            const counters = ranked(this.line.counters);
            const told = counters.map(({ title, value, before }) => `${title}: ${number(value)}${was(value, before)}`);
            const first = counters[0];
            const differs = counters.some(changed);
            return el(
                "span",
                { class: `live-cost${differs ? " changed" : ""}`, title: told.join("\n") },
                first ? `${differs ? "≠ " : ""}${short(first.value)}` : "•"
            );
        }
    }
    // Whether a counter is not what the original's is, where that is known.
    const changed = ({ value, before }) => before !== null && before !== undefined && before !== value;
    const was = (value, before) => (changed({ value, before }) ? `, was ${number(before)}` : "");
    const short = (n) => (n < 10000 ? String(n) : n < 1e6 ? `${Math.round(n / 1e3)}k` : `${Math.round(n / 1e5) / 10}M`);

    const setCosts = E.StateEffect.define();
    const costs = E.StateField.define({
        create: () => new Map(),
        update(value, transaction) {
            for (const effect of transaction.effects) if (effect.is(setCosts)) value = effect.value;
            return transaction.docChanged ? new Map() : value;
        },
    });
    const setMarked = E.StateEffect.define();
    const marked = E.StateField.define({
        create: () => E.Decoration.none,
        update(value, transaction) {
            value = value.map(transaction.changes);
            for (const effect of transaction.effects) {
                if (!effect.is(setMarked)) continue;
                const { doc } = transaction.state;
                const lines = [...new Set(effect.value)].filter((line) => line >= 1 && line <= doc.lines).sort((a, b) => a - b);
                const line = E.Decoration.line({ class: "live-marked" });
                value = E.Decoration.set(lines.map((n) => line.range(doc.line(n).from)));
            }
            return value;
        },
        provide: (field) => E.EditorView.decorations.from(field),
    });

    // Those messages that have a place: one without stands at the beginning, and is as wide as nothing.
    const placed = (messages) => messages.filter(({ line, column, endLine, endColumn }) => line > 1 || line !== endLine || column !== endColumn);

    class Editor {
        constructor({ text, label, run, changed, access, tall }) {
            const keys = [
                { key: "Ctrl-Enter", run: () => (run(), true), preventDefault: true },
                { key: "Cmd-Enter", run: () => (run(), true), preventDefault: true },
            ];
            const gutter = E.gutter({
                class: "live-costs",
                lineMarker: (view, block) => {
                    const line = view.state.field(costs).get(view.state.doc.lineAt(block.from).number);
                    return line ? new Cost(line) : null;
                },
                lineMarkerChange: (update) => update.startState.field(costs) !== update.state.field(costs),
                domEventHandlers: {
                    click: (view, block) => {
                        const line = view.state.doc.lineAt(block.from).number;
                        if (!view.state.field(costs).has(line)) return false;
                        access?.(line);
                        return true;
                    },
                },
            });
            this.view = new E.EditorView({
                doc: text,
                extensions: [
                    E.lineNumbers(),
                    access ? [costs, gutter] : costs,
                    marked,
                    E.history(),
                    E.drawSelection(),
                    E.EditorState.tabSize.of(4),
                    E.indentUnit.of("    "),
                    E.indentOnInput(),
                    E.bracketMatching(),
                    E.highlightActiveLine(),
                    E.highlightActiveLineGutter(),
                    E.search({ top: true }),
                    E.cuda,
                    E.keymap.of([...keys, ...E.searchKeymap, ...E.lintKeymap, ...E.historyKeymap, ...E.defaultKeymap, E.indentWithTab]),
                    E.EditorView.contentAttributes.of({
                        "aria-label": `${label}. Control and Enter run it; Escape, then Tab, leaves the editor.`,
                        tabindex: "0",
                        autocapitalize: "off",
                        spellcheck: "false",
                    }),
                    E.EditorView.updateListener.of((update) => update.docChanged && changed?.()),
                ],
            });
            this.dom = el("div", { class: `live-editor${tall ? " tall" : ""}` }, this.view.dom);
        }

        get text() {
            return this.view.state.doc.toString();
        }

        set text(text) {
            this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
        }

        // Goes to a line, from 1.
        go(line, column = 1, focus = true) {
            const { doc } = this.view.state;
            const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
            this.view.dispatch({
                selection: { anchor: Math.min(at.from + column - 1, at.to) },
                effects: E.EditorView.scrollIntoView(at.from, { y: "center" }),
            });
            if (focus) this.view.focus();
        }

        // Scrolls to the line in which a text begins, without taking the focus. Gives whether there is one.
        show(text) {
            const at = this.text.indexOf(text);
            if (at < 0) return false;
            const { from } = this.view.state.doc.lineAt(at);
            this.view.dispatch({ effects: E.EditorView.scrollIntoView(from, { y: "start", yMargin: 30 }) });
            return true;
        }

        // Underlines what the compiler said.
        tell(messages) {
            const { doc } = this.view.state;
            const place = (line, column) => {
                if (line < 1 || line > doc.lines) return null;
                const at = doc.line(line);
                return Math.min(at.from + column - 1, at.to);
            };
            const diagnostics = placed(messages).flatMap((message) => {
                const from = place(message.line, message.column);
                if (from === null) return [];
                const to = Math.max(place(message.endLine, message.endColumn) ?? from, from);
                const text = message.help ? `${message.text}\nhelp: ${message.help}` : message.text;
                return [{ from, to, severity: message.severity === "error" ? "error" : "warning", message: text }];
            });
            diagnostics.sort((a, b) => a.from - b.from);
            this.view.dispatch(E.setDiagnostics(this.view.state, diagnostics));
        }

        costs(lines) {
            this.view.dispatch({ effects: setCosts.of(new Map(lines.map((line) => [line.line, line]))) });
        }

        mark(lines) {
            this.view.dispatch({ effects: setMarked.of(lines) });
        }

        // Scrolls a line into view, if it is not in it.
        reveal(line) {
            const { doc } = this.view.state;
            if (line >= 1 && line <= doc.lines) this.view.dispatch({ effects: E.EditorView.scrollIntoView(doc.line(line).from, { yMargin: 30 }) });
        }
    }

    // ---- What a run found, as elements

    // What a panel's status has said is not said again below it.

    // The compiler's messages as a list whose lines lead to their places.
    function messages(list, editor) {
        if (!list?.length) return null;
        const items = list.map((message) =>
            el(
                "li",
                { class: `live-${message.severity}` },
                el("strong", {}, message.severity === "error" ? "Error" : "Warning"),
                ...(placed([message]).length ? [" in ", button(`line ${message.line}`, () => editor.go(message.line, message.column), { class: "live-line" })] : []),
                `: ${message.text}`,
                message.help ? el("div", { class: "live-help" }, `Help: ${message.help}`) : null
            )
        );
        return el("ul", { class: "live-messages" }, ...items);
    }

    // Where a fault is, with the thread or both of them, and what helps. `words` are what the status has not said.
    function fault({ places, help, words }, editor) {
        const items = (places ?? []).map(({ line, what }) =>
            el("li", {}, line ? button(`Line ${line}`, () => editor.go(line), { class: "live-line" }) : "A line that is not known", what ? `: ${what}` : "")
        );
        return el("div", { class: "live-fault" }, el("ul", {}, ...items), words ? el("p", {}, words) : null, help ? el("div", { class: "live-help" }, `Help: ${help}`) : null);
    }

    function table(caption, heads, rows, attributes = {}) {
        const cell = (content, at) =>
            at === 0
                ? el("th", { scope: "row" }, content)
                : el("td", { class: typeof content === "number" ? "number" : null }, typeof content === "number" ? number(content) : content);
        return el(
            "div",
            { class: "live-table", tabindex: "0", role: "group", "aria-label": caption },
            el(
                "table",
                attributes,
                el("caption", {}, caption),
                el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
                el("tbody", {}, ...rows.map(({ class: kind, cells }) => el("tr", { class: kind }, ...cells.map(cell))))
            )
        );
    }

    function verdict({ first }) {
        if (!first?.length) return null;
        const rows = first.map((one) => ({ cells: [`${one.buffer}[${[one.index].flat().join("][")}]`, one.is, one.was] }));
        return table("First elements that differ", ["element", "now", "original"], rows);
    }

    function picture({ width, height, rgba }, label) {
        const canvas = el("canvas", { width, height, role: "img", "aria-label": label });
        const bytes = Uint8ClampedArray.from(atob(rgba), (c) => c.charCodeAt(0));
        canvas.getContext("2d").putImageData(new ImageData(bytes, width, height), 0, 0);
        return canvas;
    }

    // `wide` says that it is not made for narrow screens, where it scrolls.
    function svg(text, label = "Drawing", wide = false) {
        const holder = el("div", { class: wide ? "live-svg wide" : "live-svg", tabindex: "0", role: "group", "aria-label": label });
        holder.innerHTML = text;
        return holder;
    }

    // Elements that a press of a button adds.
    const MORE = 256;
    // A buffer's elements as numbers: the first of them, and a button for those that follow.
    function numbers({ buffer, length, head = [] }, device, say) {
        let shown = head.length;
        const pre = el("pre", { tabindex: "0", "aria-label": `Elements of ${buffer}` }, head.join("  "));
        const label = () => `Next ${Math.min(MORE, length - shown)} of ${number(length - shown)} more`;
        const next = button(label(), async () => {
            try {
                const answer = await device.ask({ do: "output", buffer, from: shown, count: MORE });
                if (!answer.ok) throw new Error(answer.error);
                pre.append(`  ${answer.values.join("  ")}`);
                shown += answer.values.length;
                next.textContent = label();
                next.hidden = shown >= length;
                say(`Elements of ${buffer} up to ${number(shown - 1)} are shown.`);
            } catch (error) {
                say(`Not shown: ${error.message}`);
            }
        });
        next.hidden = shown >= length;
        return [pre, next];
    }

    function outputs(list, { device, say }) {
        return (list ?? []).map((one) => {
            const name = `${one.buffer} (${one.type}, ${number(one.length)} elements)`;
            const drawn = one.picture || one.plot;
            const parts = numbers(one, device, say);
            const canvas = one.picture ? picture(one.picture, `Picture in ${one.buffer}`) : null;
            if (canvas) canvas.dataset.buffer = one.buffer;
            const plot = one.plot ? svg(one.plot, `Plot of ${one.buffer}`) : null;
            // What the plot spans: it has no axes.
            const spans = plot ? el("p", { class: "live-spans" }, plot.querySelector("title").textContent) : null;
            return el(
                "details",
                { class: "live-output", open: Boolean(drawn) },
                el("summary", {}, name),
                canvas,
                plot,
                spans,
                ...(drawn ? [el("details", {}, el("summary", {}, "As numbers"), ...parts)] : parts)
            );
        });
    }

    function counters(list) {
        if (!list?.length) return null;
        const compared = list.some((one) => one.before !== undefined && one.before !== null);
        const rows = list.map(({ title, name, unit, value, before }) => {
            const label = el("span", { title: name }, title ?? name, unit ? el("small", {}, ` ${unit}`) : "");
            if (!compared) return { cells: [label, value] };
            const changed = value !== before;
            const ratio = before ? value / before : null;
            const change = !changed ? "=" : ratio === null ? "new" : ratio === 0 ? "none" : `× ${ratio.toPrecision(3)}`;
            return { class: changed ? "changed" : null, cells: [label, value, before ?? 0, changed ? el("strong", {}, `≠ ${change}`) : change] };
        });
        return table("Counters of all launches", compared ? ["counter", "now", "original", "change"] : ["counter", "count"], rows);
    }

    // What the gutter shows, as a table.
    function ofLines(list, editor) {
        const rows = (list ?? []).flatMap(({ line, counters }) =>
            ranked(counters).map((one) => {
                const { name, title, value, before } = one;
                return { class: changed(one) ? "changed" : null, cells: [button(`line ${line}`, () => editor.go(line), { class: "live-line" }), title ?? name, value, before ?? ""] };
            })
        );
        return rows.length ? table("Counters of each line", ["line", "counter", "now", "original"], rows) : null;
    }

    // The counters of each kernel beside each other, where a run has several.
    function kernels(list) {
        if (!list?.length) return null;
        const titles = new Map(list.flatMap(({ counters }) => counters).map(({ name, title, unit }) => [name, { title, unit }]));
        const rows = ranked([...titles].map(([name, one]) => ({ name, ...one }))).map(({ name, title, unit }) => ({
            cells: [
                el("span", { title: name }, title ?? name, unit ? el("small", {}, ` ${unit}`) : ""),
                ...list.map(({ counters }) => counters.find((one) => one.name === name)?.value ?? 0),
            ],
        }));
        const heads = list.map(({ kernel, launches }) => (launches > 1 ? `${kernel}, ${number(launches)} launches` : kernel));
        return el("details", { class: "live-kernels", open: true }, el("summary", {}, "Counters of each kernel"), table("Counters of each kernel", ["counter", ...heads], rows));
    }

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

    // ---- Links that hold code

    const url = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    async function through(bytes, stream) {
        return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
    }
    async function pack(value) {
        const bytes = new TextEncoder().encode(JSON.stringify(value));
        return url(await through(bytes, new CompressionStream("deflate-raw")));
    }
    const MOST = 1 << 22;
    async function unpack(text) {
        const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
        const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
        const parts = [];
        let length = 0;
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
            length += part.value.length;
            if (length > MOST) throw new Error("the link holds too much");
            parts.push(part.value);
        }
        return JSON.parse(await new Blob(parts).text());
    }
    const hash = async (name, value) => `#live=${name}&${await pack(value)}`;
    // What a fragment holds, or nothing where it is damaged.
    async function brought(fragment) {
        try {
            return await unpack(fragment.slice(fragment.indexOf("&") + 1));
        } catch {
            return null;
        }
    }

    async function copyLink(name, value, say) {
        const link = location.href.split("#")[0] + (await hash(name, value));
        try {
            await navigator.clipboard.writeText(link);
            say("The link is copied: it holds the code and the parameters.");
        } catch {
            history.replaceState(null, "", link);
            say("The link is in the address bar: it holds the code and the parameters.");
        }
    }

    // ---- The panel of a kernel

    // Elements for the parameters: a slider and a number each.
    function parameters(list, values, changed, play = null) {
        const set = el("div", { class: "live-parameters" });
        const inputs = new Map();
        for (const parameter of list) {
            const { name, title, from, to, multiple = 1, choices } = parameter;
            const id = fresh(name);
            if (choices) {
                const choose = el("select", { id }, ...choices.map((text, n) => el("option", { value: from + n * multiple }, text)));
                const put = (value) => {
                    choose.value = value;
                    if (!choose.value) choose.value = values[name];
                    values[name] = Number(choose.value);
                };
                put(values[name]);
                choose.addEventListener("change", () => (put(choose.value), changed()));
                inputs.set(name, (value) => (put(value), changed()));
                set.append(el("div", { class: "live-parameter" }, el("label", { for: id }, title), choose));
                continue;
            }
            const shared = { min: from, max: to, step: multiple, value: values[name] };
            const range = el("input", { type: "range", ...shared, "aria-label": title, tabindex: "-1" });
            const entry = el("input", { type: "number", ...shared, id });
            const take = (text) => {
                let value = text === "" ? NaN : Math.round((Number(text) - from) / multiple) * multiple + from;
                if (!Number.isFinite(value)) value = values[name];
                values[name] = Math.min(Math.max(value, from), to);
                range.value = entry.value = values[name];
                changed();
            };
            range.addEventListener("input", () => take(range.value));
            entry.addEventListener("change", () => take(entry.value));
            inputs.set(name, take);
            const plays = play && parameter.play ? play(parameter) : null;
            set.append(el("div", { class: "live-parameter" }, el("label", { for: id }, title), range, entry, plays));
        }
        return { set, put: (name, value) => inputs.get(name)?.(value) };
    }

    // The launches' shapes, which a reader may change; otherwise they are as the parameters say.
    function shapes(entry, values, changed) {
        const launches = entry.steps.map(({ launch }) => launch).filter(Boolean);
        const own = launches.map(() => ({}));
        const usual = (list) => {
            const all = { ...values, pass: 0 };
            const derived = Object.entries(entry.let ?? {});
            for (let round = 0; round < derived.length; round++) for (const [name, formula] of derived) all[name] = book.evaluate(formula, all);
            return { numbers: list.map((formula) => book.evaluate(formula, all)), all };
        };
        const draws = [];
        const forms = launches.map((launch, n) => {
            const legend = el("legend", {});
            draws.push(() => {
                const { all } = usual([]);
                legend.textContent = `launch of ${launch.kernel.replace(/\{([^}]*)\}/g, (_, formula) => book.evaluate(formula, all))}`;
            });
            const fields = [["grid", "blocks"], ["block", "threads of a block"]].map(([part, label]) => {
                const id = fresh(part);
                const input = el("input", { id, size: 12, spellcheck: "false" });
                const draw = () => {
                    input.value = (own[n][part] ?? usual(launch[part]).numbers).join(" × ");
                    input.classList.toggle("own", Boolean(own[n][part]));
                };
                draws.push(draw);
                input.addEventListener("change", () => {
                    const numbers = input.value.split(/[\s,×x*]+/).filter(Boolean).map(Number);
                    const fits = numbers.length <= 3 && numbers.every((one) => Number.isInteger(one) && one >= 0 && one < 2 ** 32);
                    input.setCustomValidity(fits ? "" : "Write one to three whole numbers, such as 4 × 2; nothing is as the parameters say.");
                    if (!fits) return void input.reportValidity();
                    const same = numbers.join() === usual(launch[part]).numbers.join();
                    if (numbers.length && !same) own[n][part] = numbers;
                    else delete own[n][part];
                    draw();
                    changed();
                });
                return el("div", { class: "live-field" }, el("label", { for: id }, label), input);
            });
            return el("fieldset", {}, legend, ...fields);
        });
        const draw = () => draws.forEach((one) => one());
        draw();
        const changedOnes = () => own.some((one) => Object.keys(one).length);
        return {
            dom: el("details", { class: "live-shapes live-rows" }, el("summary", {}, "Launch shape"), ...forms),
            draw,
            list: () => (changedOnes() ? own : null),
            state: () => (changedOnes() ? own : undefined),
            put(state) {
                const numbers = (list) => (Array.isArray(list) && list.length && list.length <= 3 && list.every((one) => Number.isInteger(one) && one >= 0) ? list : undefined);
                own.forEach((one, n) => {
                    for (const part of ["grid", "block"]) {
                        const given = numbers(state?.[n]?.[part]);
                        if (given) one[part] = given;
                        else delete one[part];
                    }
                });
                draw();
            },
            // The entry with these shapes in its launches.
            entry() {
                let n = 0;
                return { ...entry, steps: entry.steps.map((step) => (step.launch ? { ...step, launch: { ...step.launch, ...own[n++] } } : step)) };
            },
        };
    }

    // The question that a kernel's result answers, if the reader has not.
    function unanswered(place) {
        const question = place.dataset.asked ? document.getElementById(place.dataset.asked) : null;
        return question && !question.querySelector("input:checked") ? question : null;
    }

    // A panel's frame: a title, tools, a line that says what happened, the editor, and results.
    function frame(title, tools, before, editor) {
        const status = el("p", { class: "live-status", role: "status" });
        const results = el("div", { class: "live-results" });
        const heading = el("p", { class: "live-title" }, el("strong", {}, title));
        const section = el("section", { class: "live-panel", "aria-label": title }, heading, ...before, editor.dom, tools, status, results);
        // The book turns pages with the arrow keys, and helps with “?”, wherever no field has the focus; an editor is none to it.
        section.addEventListener("keydown", (event) => event.stopPropagation());
        // `kind` is what it is a case of, for the style sheet.
        const say = (text, kind = "") => {
            status.textContent = text;
            status.className = `live-status ${kind}`;
        };
        return { section, status, results, say };
    }

    // Runs what `ask` asks for, with the buttons for it, and hands the answer on.
    class Runner {
        constructor(device, say, run, stop) {
            Object.assign(this, { device, say, run, stop });
            stop.hidden = true;
            stop.addEventListener("click", () => device.stop());
        }
        async of(doing, request, then) {
            if (this.busy) return;
            this.busy = true;
            // A button that is disabled would lose the focus.
            this.run.setAttribute("aria-disabled", "true");
            // So that the same words are said again.
            this.say("");
            // Only what takes long needs a button to stop it.
            const slow = setTimeout(() => {
                this.stop.hidden = false;
                this.say(doing);
            }, 150);
            const begun = performance.now();
            try {
                const answer = await this.device.ask(request);
                if (!answer.ok) throw new Error(answer.error);
                await then(answer, performance.now() - begun);
            } catch (error) {
                // The reader has given it no name.
                const why = error.message.replace(/^live kernel `any`: /, "");
                this.say(why === "stopped" ? "Stopped." : `Not run: ${why}`);
            } finally {
                clearTimeout(slow);
                const focused = document.activeElement === this.stop;
                this.stop.hidden = true;
                this.run.removeAttribute("aria-disabled");
                if (focused) this.run.focus();
                this.busy = false;
            }
        }
    }

    // One line that says what a run found, and what it is a case of.
    function summary(answer, milliseconds) {
        const { outcome, verdict } = answer;
        const bad = { compile: "bad", refused: "bad", fault: "bad", budget: "bad" }[outcome];
        return [sentence(answer, milliseconds), bad ?? (verdict ? (verdict.same ? "same" : "differs") : "")];
    }
    function sentence(answer, milliseconds) {
        const time = `${Math.round(milliseconds)} ms`;
        const counted = answer.instructions ? `, ${number(answer.instructions)} instructions of threads` : "";
        switch (answer.outcome) {
            case "compile": {
                const errors = answer.messages.filter((one) => one.severity === "error").length;
                return `It does not compile: ${errors} error${errors === 1 ? "" : "s"}.`;
            }
            case "fault":
                return `A fault (${answer.fault?.kind}): ${answer.fault?.message}`;
            case "refused":
                return `Not run: ${answer.fault?.message}`;
            case "budget": {
                // A loop without an end takes what one block may have.
                const why = answer.spent === "launch" ? "It has too many blocks for a page, or too much work in each." : "Is there a loop without an end?";
                return `Ended: the run took more instructions than it may${counted}. ${why}`;
            }
            default:
                return `${answer.verdict ? `${answer.verdict.text} ` : "It has run. "}(${time}${counted}, as on an ${String(answer.device ?? "h200").toUpperCase()})`;
        }
    }

    function show(answer, editor, { results, say }, device, more = []) {
        const all = answer.messages ?? [];
        const found = answer.fault;
        const ofFault = all.find(({ text }) => text === found?.message);
        editor.tell(all);
        editor.costs(answer.lines ?? []);
        const lines = (found?.places ?? []).map((place) => place.line);
        editor.mark(lines);
        const wrong = lines[0] ?? placed(all).find(({ severity }) => severity === "error")?.line;
        if (wrong) editor.reveal(wrong);
        // What is below does not jump while the results change.
        results.style.minHeight = `${results.offsetHeight}px`;
        setTimeout(() => (results.style.minHeight = ""), 500);
        replace(
            results,
            messages(all.filter((one) => one !== ofFault), editor),
            found ? fault({ ...found, help: ofFault?.help, words: answer.outcome === "budget" ? found.message : null }, editor) : null,
            answer.verdict ? verdict(answer.verdict) : null,
            answer.printed ? el("pre", { class: "live-printed", tabindex: "0", "aria-label": "Printed" }, answer.printed) : null,
            ...outputs(answer.outputs, { device, say }),
            ...more,
            kernels(answer.kernels),
            answer.counters?.length ? el("details", { class: "live-counters", open: answer.counters.some(changed) }, el("summary", {}, "Counters"), counters(answer.counters), ofLines(answer.lines, editor)) : null
        );
    }

    async function kernel(place, name, fragment) {
        const entry = globalThis.warpbookLive.entries[name];
        const original = globalThis.warpbookLive.sources[entry.file];
        const values = Object.fromEntries((entry.parameters ?? []).map((one) => [one.name, one.value]));
        const value = fragment ? await brought(fragment) : null;
        const device = new Device();
        let last = null;
        let seen = false;
        const run = () => {
            const request = { do: "run", live: entry, parameters: values, contents: contents(), shapes: shape.list(), text: editor.text, language: "cuda", original };
            return runner.of("Running …", request, (answer, time) => {
                last = answer;
                const done = () => {
                    seen = true;
                    looking = book.look?.({ device, editor, answer, lines: answer.lines ?? [], say: panel.say, before: looking, open: entry.central });
                    panel.say(...summary(answer, time));
                    show(answer, editor, panel, device, looking ? [looking.dom] : []);
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
        });
        let later = null;
        // A handle that is moved runs the kernel, once the reader has run it.
        const moved = () => {
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
        const stops = button("Stop", null);
        const diff = el("div", { class: "live-difference" });
        const tools = el(
            "div",
            { class: "live-tools" },
            runs,
            stops,
            button("Reset", () => {
                editor.text = original;
                for (const one of entry.parameters ?? []) form.put(one.name, one.value);
                hand?.put(null);
                moving?.put(null);
                shape.put(null);
                playing = false;
                clearTimeout(later);
                last = null;
                diff.replaceChildren();
                panel.results.replaceChildren();
                panel.say("The code and the parameters are as they came.");
            }),
            button("Compare with the original", () => diff.replaceChildren(...(diff.childElementCount ? [] : [difference(original, editor.text)]))),
            button("Copy a link", () => copyLink(name, { text: editor.text, parameters: values, hand: hand?.state(), moved: moving?.state(), shapes: shape.state() }, panel.say)),
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
        const runner = new Runner(device, panel.say, runs, stops);
        place.append(panel.section);
        const first = entry.steps.find((step) => step.launch);
        // A kernel that a macro makes of a template has the template's name, and a number.
        if (first) editor.show(`${first.launch.kernel}(`) || editor.show(`${first.launch.kernel.replace(/_[^_]*$/, "")}(`);
        if (fragment) {
            if (value && typeof value.text === "string") {
                editor.text = value.text;
                for (const [parameter, given] of Object.entries(value.parameters ?? {})) form.put(parameter, given);
                hand?.put(value.hand);
                moving?.put(value.moved);
                shape.put(value.shapes);
                panel.say("This is the code that the link brought. It runs when you say so.");
            } else {
                panel.say("The link is damaged; this is the code of the book.");
            }
        } else {
            panel.say("Control and Enter run it.");
        }
        (fragment ? runs : editor.view).focus();
    }

    Object.assign(book, { el, button, number, fresh, replace, ranked, Device, Editor, Runner, frame, placed, parameters, show, summary, messages, fault, table, svg, picture, copyLink, brought, hash, kernel });
})();

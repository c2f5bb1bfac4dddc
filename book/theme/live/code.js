// The editor of a source: what the compiler says is underlined in it, and lines have their counters in the gutter.
"use strict";
(() => {
    const E = globalThis.WarpbookEditor;
    const book = globalThis.warpbook;
    const { el, number } = book;

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
            const report = counters.map(({ title, value, before }) => `${title}: ${number(value)}${was(value, before)}`);
            const first = counters[0];
            const differs = counters.some(changed);
            return el(
                "span",
                { class: `live-cost${differs ? " changed" : ""}`, title: report.join("\n") },
                first ? `${differs ? "≠ " : ""}${short(first.value)}` : "•",
                first ? el("small", {}, ` ${unit(first)}`) : null
            );
        }
    }
    // Whether a counter is not what the original's is, where that is known.
    const changed = ({ value, before }) => before !== null && before !== undefined && before !== value;
    const was = (value, before) => (changed({ value, before }) ? `, was ${number(before)}` : "");
    // What the number in the gutter counts: the next run's may count something else.
    const unit = ({ name }) => /(conflicts|replays|sectors|requests|wavefronts)$/.exec(name)?.[1] ?? "";
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

    // Lines that are folded away, each stretch of them as a button that brings it back.
    const setFolded = E.StateEffect.define();
    class Fold extends E.WidgetType {
        constructor(lines) {
            super();
            this.lines = lines;
        }
        eq(other) {
            return other.lines === this.lines;
        }
        toDOM(view) {
            const open = (event) => {
                event.preventDefault();
                view.dispatch({ effects: setFolded.of([]) });
                view.focus();
            };
            const label = `${this.lines} more line${this.lines === 1 ? "" : "s"} of the file`;
            return el("div", { class: "live-fold" }, el("button", { type: "button", onclick: open }, label));
        }
        ignoreEvent() {
            return true;
        }
    }
    // The stretches of a document outside of the lines that are shown.
    function outside(doc, shown) {
        const all = [];
        let next = 1;
        for (const [from, to] of [...shown, [doc.lines + 1, doc.lines]]) {
            if (from > next) all.push([next, from - 1]);
            next = to + 1;
        }
        // A line or two take as much room as the button.
        return all.filter(([from, to]) => to - from > 1);
    }
    const folded = E.StateField.define({
        create: () => E.Decoration.none,
        update(value, transaction) {
            // What is changed or selected is seen.
            let within = false;
            const look = (from, to) => value.between(from, to, () => void (within = true));
            transaction.changes.iterChangedRanges(look);
            const { from, to, empty } = transaction.newSelection.main;
            if (!transaction.docChanged && !empty) look(from, to);
            value = within ? E.Decoration.none : value.map(transaction.changes);
            const { doc } = transaction.state;
            for (const effect of transaction.effects) {
                if (!effect.is(setFolded)) continue;
                const fold = ([from, to]) => E.Decoration.replace({ widget: new Fold(to - from + 1), block: true }).range(doc.line(from).from, doc.line(to).to);
                value = E.Decoration.set(effect.value.map(fold));
            }
            return value;
        },
        provide: (field) => [E.EditorView.decorations.from(field), E.EditorView.atomicRanges.of((view) => view.state.field(field))],
    });

    // Those messages that have a place: one without is at the beginning, and is as wide as nothing.
    const placed = (messages) => messages.filter(({ line, column, endLine, endColumn }) => line > 1 || line !== endLine || column !== endColumn);

    class Editor {
        // `access` is called with a line whose counters are pressed, `line` with one that the caret or the pointer comes to; `shown` are the
        // lines of `text` that are not folded away.
        constructor({ text, label, run, changed, access, line, shown, tall }) {
            this.shown = shown && { text, lines: shown };
            let pointed = 0;
            let waits = null;
            const at = (n) => {
                if (n === pointed) return;
                pointed = n;
                clearTimeout(waits);
                waits = setTimeout(() => line(n), 120);
            };
            const pointer = E.EditorView.domEventHandlers({
                mousemove: (event, view) => {
                    const place = event.buttons ? null : view.posAtCoords({ x: event.clientX, y: event.clientY });
                    if (place !== null) at(view.state.doc.lineAt(place).number);
                },
            });
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
                    line ? pointer : [],
                    shown ? [folded, E.EditorView.lineWrapping] : folded,
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
                    E.EditorView.updateListener.of((update) => {
                        if (update.docChanged) changed?.();
                        // Where the reader puts it, not where a step or a message does.
                        else if (line && update.transactions.some((one) => one.isUserEvent("select"))) at(update.state.doc.lineAt(update.state.selection.main.head).number);
                    }),
                ],
            });
            this.#fold();
            this.dom = el("div", { class: `live-editor${tall ? " tall" : ""}` }, this.view.dom);
        }

        get text() {
            // Half of a pair of code units, which a paste may leave, is not text that could be sent.
            return this.view.state.doc.toString().toWellFormed();
        }

        set text(text) {
            this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
            this.#fold();
        }

        // Folds what is not shown of the text that it began with, and puts the caret where that begins.
        #fold() {
            if (!this.shown || this.shown.text !== this.text) return;
            const { doc } = this.view.state;
            this.view.dispatch({ selection: { anchor: doc.line(this.shown.lines[0][0]).from }, effects: setFolded.of(outside(doc, this.shown.lines)) });
        }

        // Brings back what is folded, if a place is in it.
        #unfold(at) {
            let within = false;
            this.view.state.field(folded).between(at, at, () => void (within = true));
            if (within) this.view.dispatch({ effects: setFolded.of([]) });
        }

        // Goes to a line, from 1.
        go(line, column = 1, focus = true) {
            const { doc } = this.view.state;
            this.#unfold(doc.line(Math.min(Math.max(line, 1), doc.lines)).from);
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
            const mark = ({ line, column, endLine, endColumn }, severity, message) => {
                const from = place(line, column);
                return from === null ? [] : [{ from, to: Math.max(place(endLine, endColumn) ?? from, from), severity, message }];
            };
            // With the other pieces that a message is about, each with what is said of it.
            const diagnostics = placed(messages).flatMap((message) => [
                ...mark(message, message.severity === "error" ? "error" : "warning", message.help ? `${message.text}\nhelp: ${message.help}` : message.text),
                ...(message.related ?? []).flatMap((one) => mark(one, "info", one.text)),
            ]);
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
            if (line < 1 || line > doc.lines) return;
            this.#unfold(doc.line(line).from);
            this.view.dispatch({ effects: E.EditorView.scrollIntoView(doc.line(line).from, { yMargin: 30 }) });
        }
    }

    // Lines that go and come, from one text to the other; nothing where none do.
    function changes(before, after, label) {
        if (before === after) return null;
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
        const kinds = { "-": "gone", "+": "new", " ": "" };
        const pre = el("pre", { class: "live-diff", tabindex: "0", "aria-label": label });
        for (const [sign, line] of lines) pre.append(el("span", { class: kinds[sign] }, `${sign} ${line}\n`));
        return pre;
    }

    Object.assign(book, { ranked, changed, placed, changes, Editor });
})();

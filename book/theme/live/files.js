// The files of a program as tabs, each text with an editor of its own. To those who show what a run found, all of them together are
// one editor, whose places may name a file.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, number, fresh, Editor } = book;

    // Bytes of all files at the most: what a link and a browser's storage can hold is less.
    const MOST = 8 << 20;
    const isSource = (name) => /\.(cu|cpp|cc|cxx|c\+\+|C|c)$/.test(name);
    // What a program may be told of a name before it runs.
    const wrong = (name) => (!name || /[\\\0\n]/.test(name) || name.split("/").some((part) => ["", ".", ".."].includes(part)) ? `“${name}” is not a file's name: write one such as kernels.cuh` : "");

    // A file of the reader's disk: its text, or its bytes where they are none.
    async function read(file) {
        const bytes = new Uint8Array(await file.arrayBuffer());
        try {
            if (bytes.includes(0)) throw new Error();
            return { name: file.name, text: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
        } catch {
            let text = "";
            for (let at = 0; at < bytes.length; at += 1 << 15) text += String.fromCharCode(...bytes.subarray(at, at + (1 << 15)));
            return { name: file.name, base64: btoa(text) };
        }
    }

    class Files {
        #all = [];
        #now = null;
        #options;

        // `files` are { name, text } or { name, base64 }; where they are `fixed`, none can be added, renamed or removed. The rest is
        // an editor's.
        constructor({ files, label, fixed = false, say = () => {}, ...options }) {
            this.#options = { ...options, label };
            this.fixed = fixed;
            this.say = say;
            this.tabs = el("div", { class: "live-tabs", role: "tablist", "aria-label": "Files of the program" });
            this.panes = el("div", {});
            const id = fresh("file");
            this.name = el("input", { id, spellcheck: "false", autocapitalize: "off" });
            this.name.addEventListener("change", () => this.#rename());
            this.remove = button("Remove this file", () => this.#remove());
            this.upload = el("input", { type: "file", multiple: true, hidden: true, "aria-label": "Files from your disk" });
            this.upload.addEventListener("change", () => this.#bring([...this.upload.files]));
            this.tools = el(
                "div",
                { class: "live-tools live-file-tools", hidden: fixed },
                el("label", { for: id }, "File: "),
                this.name,
                this.remove,
                button("Add a file", () => this.add({ name: this.#free("kernels.cuh"), text: "" }, true)),
                button("Add files from your disk …", () => this.upload.click()),
                this.upload
            );
            this.dom = el("div", { class: "live-of-files" }, this.tabs, this.panes, this.tools);
            for (const file of files) this.add(file);
            this.select(this.#all[0]);
        }

        get several() {
            return this.#all.length > 1;
        }
        // All files, the first of which is what is compiled first.
        get list() {
            return this.#all.map(({ name, editor, base64 }) => (editor ? { name, text: editor.text } : { name, base64 }));
        }
        get first() {
            return this.#all[0].name;
        }
        // Texts of what may be compiled.
        get sources() {
            return this.#all.filter(({ name, editor }, n) => editor && (n === 0 || isSource(name))).map(({ editor }) => editor.text);
        }
        get text() {
            return this.#all[0].editor.text;
        }
        set text(text) {
            this.#all[0].editor.text = text;
        }
        get view() {
            return (this.#now.editor ?? this.#all[0].editor).view;
        }

        #of(name) {
            return this.#all.find((one) => one.name === name) ?? this.#all[0];
        }
        #free(name) {
            const [, stem, end] = /^(.*?)(\.[^./]*)?$/.exec(name);
            for (let n = 1; ; n++) {
                const free = n === 1 ? name : `${stem}${n}${end ?? ""}`;
                if (!this.#all.some((one) => one.name === free)) return free;
            }
        }

        add({ name, text, base64 }, show = false) {
            const editor = base64 === undefined ? new Editor({ ...this.#options, label: `${this.#options.label}, ${name}`, text }) : null;
            const id = fresh("tab");
            const pane = editor?.dom ?? el("p", { class: "live-bytes" }, `${number(Math.floor((base64.length * 3) / 4))} bytes that are not text: the program can read them.`);
            const holder = el("div", { role: "tabpanel", "aria-labelledby": id, hidden: true }, pane);
            const tab = button(name, () => this.select(one), { id, role: "tab", class: "live-tab" });
            tab.addEventListener("keydown", ({ key }) => {
                const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
                if (!step) return;
                const next = this.#all[(this.#all.indexOf(one) + step + this.#all.length) % this.#all.length];
                this.select(next);
                next.tab.focus();
            });
            const one = { name, editor, base64, tab, holder };
            this.#all.push(one);
            this.tabs.append(tab);
            this.panes.append(holder);
            this.#arrange();
            if (show) {
                this.select(one);
                this.name.focus();
                this.name.select();
                this.#options.changed?.();
            }
            return one;
        }
        #arrange() {
            this.tabs.hidden = !this.several;
        }
        select(one) {
            this.#now = one;
            for (const other of this.#all) {
                other.holder.hidden = other !== one;
                other.tab.setAttribute("aria-selected", String(other === one));
                other.tab.tabIndex = other === one ? 0 : -1;
            }
            this.name.value = one.name;
            this.name.setCustomValidity("");
            this.remove.hidden = one === this.#all[0];
        }
        #rename() {
            const name = this.name.value.trim();
            const taken = this.#all.some((one) => one !== this.#now && one.name === name) ? `another file is called “${name}”` : "";
            this.name.setCustomValidity(wrong(name) || taken);
            if (!this.name.reportValidity()) return;
            this.#now.name = this.#now.tab.textContent = name;
            this.#options.changed?.();
        }
        #remove() {
            const at = this.#all.indexOf(this.#now);
            if (at === 0) return;
            const [{ tab, holder }] = this.#all.splice(at, 1);
            tab.remove();
            holder.remove();
            this.#arrange();
            this.select(this.#all[at - 1]);
            this.name.focus();
            this.#options.changed?.();
        }
        async #bring(files) {
            this.upload.value = "";
            const there = this.list.reduce((sum, { text, base64 }) => sum + (text ?? base64).length, 0);
            if (files.reduce((sum, { size }) => sum + size, there) > MOST) return this.say(`Not added: all files together may have ${number(MOST)} bytes`, "bad");
            try {
                for (const file of await Promise.all(files.map(read))) {
                    const same = this.#all.find((one) => one.name === file.name && one.editor && file.text !== undefined);
                    // One of a name that is there is that file, changed.
                    if (same) same.editor.text = file.text;
                    this.select(same ?? this.add({ ...file, name: this.#free(file.name) }));
                }
                this.#options.changed?.();
            } catch (error) {
                this.say(`Not added: ${error.message}`, "bad");
            }
        }

        // What an editor does, for the file that a place names.
        go(line, column, focus, name) {
            const one = this.#of(name);
            this.select(one);
            one.editor?.go(line, column, focus);
        }
        reveal(line, name) {
            const one = this.#of(name);
            this.select(one);
            one.editor?.reveal(line);
        }
        show(text) {
            return this.#all[0].editor.show(text);
        }
        // Other texts for all files, in their order.
        put(texts) {
            this.#all.forEach(({ editor }, n) => editor && editor.text !== texts[n] && (editor.text = texts[n]));
        }
        tell(messages) {
            for (const { name, editor } of this.#all) {
                const own = (one) => this.#of(one.file).name === name;
                editor?.tell(messages.filter(own).map((one) => ({ ...one, related: (one.related ?? []).filter(own) })));
            }
        }
        // Lines of the first file, or places.
        mark(places) {
            for (const { name, editor } of this.#all) editor?.mark(places.filter((one) => this.#of(one.file).name === name).map((one) => one.line ?? one));
        }
        costs(lines) {
            this.#all[0].editor.costs(lines);
        }
    }

    Object.assign(book, { Files, wrongFileName: wrong });
})();

// Whole programs: what they print while they run, how they end, what they did wrong, what their streams did and how their rows were
// copied, and the files that they write.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, number, fresh, table, replace, messages, placed, drawnTimeline, drawnRows, timeInWords: time } = book;

    // Whether a source has a `main`, comments and texts aside.
    const bare = (text) => text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*|R"\((?:[^)]|\)(?!"))*\)"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, " ");
    const isProgram = (text) => /\b(?:int|void|auto)\s+main\s*\(/.test(bare(text));

    // A pane for what a program prints: what came last of it, however much there is.
    const SHOWN = 100000;
    class Pane {
        constructor() {
            this.pre = el("pre", { class: "live-printed live-terminal", tabindex: "0", role: "log", "aria-label": "Standard output and error" });
            this.more = el("p", { class: "live-left-out", hidden: true });
            this.dom = el("div", { hidden: true }, this.more, this.pre);
            this.clear();
        }
        clear() {
            Object.assign(this, { all: [], waiting: [], frame: null, held: 0, left: 0, decoders: [new TextDecoder(), new TextDecoder()] });
            this.pre.replaceChildren();
            this.dom.hidden = this.more.hidden = true;
        }
        // Bytes of standard output or error.
        add({ error, bytes }) {
            this.all.push(bytes);
            this.waiting.push({ error, text: this.decoders[Number(error)].decode(bytes, { stream: true }) });
            // What would not be shown is not kept for it.
            let length = this.waiting.reduce((sum, one) => sum + one.text.length, 0);
            while (length > 2 * SHOWN && this.waiting.length > 1) {
                const { text } = this.waiting.shift();
                length -= text.length;
                this.left += text.length;
            }
            this.frame ??= setTimeout(() => this.draw(), 50);
        }
        draw() {
            clearTimeout(this.frame);
            this.frame = null;
            const { pre } = this;
            const atEnd = pre.scrollTop + pre.clientHeight >= pre.scrollHeight - 8;
            for (const { error, text } of this.waiting.splice(0)) {
                const last = pre.lastChild;
                const kind = error ? "live-standard-error" : "live-standard-output";
                if (last?.className === kind && last.textContent.length < SHOWN / 8) last.append(text);
                else pre.append(el("span", { class: kind }, text));
                this.held += text.length;
            }
            while (this.held > SHOWN && pre.firstChild) {
                const first = pre.firstChild;
                const length = first.textContent.length;
                const excess = this.held - SHOWN;
                if (length <= excess) first.remove();
                else first.textContent = first.textContent.slice(excess);
                this.held -= Math.min(length, excess);
                this.left += Math.min(length, excess);
            }
            this.dom.hidden = this.held === 0;
            this.more.hidden = this.left === 0;
            if (this.left) this.more.replaceChildren(`The first ${number(this.left)} characters are not shown here. `, button("Save all of it", () => save("output.txt", this.all)));
            if (atEnd) pre.scrollTop = pre.scrollHeight;
        }
    }

    // Hands a file to the browser's downloads.
    function save(name, parts) {
        const url = URL.createObjectURL(new Blob(parts));
        const link = el("a", { href: url, download: name.split("/").at(-1) });
        link.click();
        setTimeout(() => URL.revokeObjectURL(url), 60000);
    }

    // A picture in one of Netpbm's forms, P2, P3, P5 or P6; nothing where the bytes are none.
    function netpbm(bytes) {
        let at = 2;
        const kind = String.fromCharCode(...bytes.subarray(0, 2));
        const word = () => {
            const space = (byte) => byte === 32 || (byte >= 9 && byte <= 13);
            for (; at < bytes.length && (space(bytes[at]) || bytes[at] === 35); at++) if (bytes[at] === 35) while (at < bytes.length && bytes[at] !== 10) at++;
            let value = 0;
            let digits = 0;
            for (; bytes[at] >= 48 && bytes[at] <= 57; at++, digits++) value = 10 * value + bytes[at] - 48;
            return digits ? value : NaN;
        };
        if (!/^P[2356]$/.test(kind)) return null;
        const [width, height, most] = [word(), word(), word()];
        const channels = kind === "P3" || kind === "P6" ? 3 : 1;
        const text = kind === "P2" || kind === "P3";
        const wide = !text && most > 255 ? 2 : 1;
        if (!text) at++;
        const count = width * height * channels;
        if (!(count > 0 && count <= 1 << 26 && most > 0) || (!text && at + count * wide > bytes.length)) return null;
        const rgba = new Uint8ClampedArray(width * height * 4);
        for (let n = 0; n < count; n++) {
            const value = text ? word() : wide === 2 ? 256 * bytes[at++] + bytes[at++] : bytes[at++];
            const level = (value * 255) / most;
            const pixel = 4 * Math.floor(n / channels);
            if (channels === 3) rgba[pixel + (n % 3)] = level;
            else rgba.fill(level, pixel, pixel + 3);
            rgba[pixel + 3] = 255;
        }
        const canvas = el("canvas", { width, height, role: "img" });
        canvas.getContext("2d").putImageData(new ImageData(rgba, width, height), 0, 0);
        return canvas;
    }
    // What browsers draw themselves.
    const IMAGES = { bmp: "image/bmp", png: "image/png", jpg: "image/jpeg", gif: "image/gif" };
    function picture(name, bytes) {
        const type = IMAGES[name.split(".").at(-1).toLowerCase()];
        const drawn = type ? el("img", { src: URL.createObjectURL(new Blob([bytes], { type })) }) : netpbm(bytes);
        drawn?.setAttribute(type ? "alt" : "aria-label", `Picture in ${name}`);
        drawn?.addEventListener("load", () => URL.revokeObjectURL(drawn.src));
        return drawn;
    }

    // Files that the program has written: pictures are drawn, all can be saved.
    const DRAWN = 8;
    async function files(list, device, say) {
        const bytesOf = async ({ name }) => {
            const answer = await device.ask({ do: "file", file: name });
            if (!answer.ok) throw new Error(answer.error);
            return Uint8Array.from(atob(answer.bytes), (c) => c.charCodeAt(0));
        };
        const isPicture = ({ name }) => /\.(ppm|pgm|pnm|bmp|png|jpg|gif)$/i.test(name);
        let drawn = 0;
        const items = [];
        for (const one of list) {
            const saves = button(`Save ${one.name}`, () => bytesOf(one).then((bytes) => save(one.name, [bytes]), (error) => say(`Not saved: ${error.message}`)));
            const shown = isPicture(one) && drawn < DRAWN ? picture(one.name, await bytesOf(one)) : null;
            if (shown) drawn++;
            items.push(el("figure", { class: "live-file" }, shown, el("figcaption", {}, saves, ` ${number(one.bytes)} bytes`)));
        }
        return items.length ? el("details", { class: "live-files", open: true }, el("summary", {}, `Files that it wrote (${number(items.length)})`), ...items) : null;
    }

    // Times as nvprof prints them.
    function times(caption, list) {
        if (!list?.length) return null;
        const sum = list.reduce((sum, one) => sum + one.total_ns, 0);
        const rows = list.map((one) => ({ cells: [one.name, sum ? `${Math.round((100 * one.total_ns) / sum)} %` : "", time(one.total_ns), one.calls, time(one.average_ns), time(one.min_ns), time(one.max_ns)] }));
        return table(caption, ["name", "share", "time", "calls", "average", "least", "most"], rows);
    }

    // One line that says how a program ended, and what it is a case of.
    function summary({ compiled, ended, messages, operations }, milliseconds) {
        const errors = messages.filter((one) => one.severity === "error").length;
        if (!compiled) return [`It does not compile: ${errors} error${errors === 1 ? "" : "s"}.`, "bad"];
        const took = ` (${number(operations)} operations of the host; ${number(Math.round(milliseconds))} ms in this browser)`;
        if (ended.signal) return [`Ended by ${ended.signal}: ${ended.why}.${took}`, "bad"];
        if (ended.limit) return [`Ended: ${ended.limit}.${took}`, "bad"];
        const wrong = errors ? ` It did ${number(errors)} thing${errors === 1 ? "" : "s"} wrong, see below.` : "";
        return [`It has run, with exit code ${ended.exit}.${wrong}${took}`, errors ? "bad" : ""];
    }

    const words = (text) => text.split(/\s+/).filter(Boolean);

    // What a program is given, as fields, and what runs it.
    class Program {
        constructor({ arguments: given = "", input = "", check = false, relocatable = false } = {}) {
            const ids = [fresh("arguments"), fresh("input"), fresh("check"), fresh("relocatable")];
            this.given = el("input", { id: ids[0], value: given, class: "wide", spellcheck: "false", autocapitalize: "off" });
            this.input = el("textarea", { id: ids[1], rows: 3, spellcheck: "false", autocapitalize: "off" });
            this.input.value = input;
            this.check = el("input", { id: ids[2], type: "checkbox", checked: check });
            this.relocatable = el("input", { id: ids[3], type: "checkbox", checked: relocatable });
            this.dom = el(
                "details",
                { class: "live-described", open: Boolean(given || input || check || relocatable) },
                el("summary", {}, "Arguments, input and checks"),
                el("div", { class: "live-field" }, el("label", { for: ids[0] }, "arguments of the program"), this.given),
                el("div", { class: "live-field" }, el("label", { for: ids[1] }, "standard input"), this.input),
                el("div", { class: "live-check" }, this.check, " ", el("label", { for: ids[2] }, "report races, values that nothing has set, and leaks: takes longer")),
                el("div", { class: "live-check" }, this.relocatable, " ", el("label", { for: ids[3] }, "link device code of several files, as nvcc -rdc=true does"))
            );
            this.pane = new Pane();
        }
        get state() {
            return { arguments: this.given.value, input: this.input.value, check: this.check.checked, relocatable: this.relocatable.checked };
        }
        // Of all files, the first of which is the source that the program is called by.
        request([{ name, text }, ...files]) {
            const { arguments: given, input, ...rest } = this.state;
            return { do: "program", name, text, files, arguments: words(given), input, ...rest };
        }
        // Shows that it runs: what it prints appears where the results will be.
        begin({ results }, editor) {
            editor.tell([]);
            editor.costs([]);
            editor.mark([]);
            this.pane.clear();
            replace(results, this.pane.dom);
        }
        async show(answer, editor, { results, say, status }, device) {
            const all = answer.messages;
            editor.tell(all);
            const wrong = placed(all).filter(({ severity }) => severity === "error");
            editor.mark(answer.compiled ? wrong : []);
            if (wrong.length) editor.reveal(wrong[0].line, wrong[0].file);
            this.pane.draw();
            const profile = [times("The device, modelled", answer.activities), times("Calls of the CUDA runtime, modelled", answer.calls)].filter(Boolean);
            replace(
                results,
                messages(all, editor),
                this.pane.dom,
                answer.compiled ? await files(answer.files, device, say) : null,
                drawnRows(answer.copies, answer.copies_left_out, editor),
                drawnTimeline(answer.timeline, answer.timeline_left_out, editor),
                profile.length ? el("details", { class: "live-profile" }, el("summary", {}, "Times"), ...profile) : null
            );
            // Below a long editor, what it printed would be out of sight.
            for (const one of [this.pane.dom, status]) one.scrollIntoView({ block: "nearest" });
        }
    }

    Object.assign(book, { Program, programSummary: summary, isProgram });
})();

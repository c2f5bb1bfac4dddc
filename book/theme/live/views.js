// Views of a run: one access of a warp as the book draws it, and a warp step by step.
//
// Both ask the device that ran last what it saw; the drawing and every number are the device's.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, number, fresh, replace, svg, table } = book;

    // What has a number in CUDA begins with 0, as there; what is counted begins with 1.
    const COUNTED = ["launch", "iteration", "index"];
    // A row of sliders, each with its number; `changed` is called with the values by name, which all begin with 0.
    function sliders(names, changed) {
        const values = {};
        const rows = new Map();
        const set = el("div", { class: "live-parameters" });
        for (const [name, title] of names) {
            const id = fresh(name);
            values[name] = 0;
            const first = COUNTED.includes(name) ? 1 : 0;
            const shared = { min: first, max: first, value: first };
            const range = el("input", { type: "range", ...shared, "aria-label": title, tabindex: "-1" });
            const entry = el("input", { type: "number", id, ...shared });
            const last = el("small", {});
            const take = (text) => {
                const shown = Math.min(Math.max(Math.round(Number(text)) || 0, first), Number(entry.max));
                range.value = entry.value = shown;
                values[name] = shown - first;
            };
            range.addEventListener("input", () => (take(range.value), changed(name)));
            entry.addEventListener("change", () => (take(entry.value), changed(name)));
            const row = el("div", { class: "live-parameter" }, el("label", { for: id }, title), range, el("span", {}, entry, last));
            rows.set(name, { row, take, range, entry, last, first });
            set.append(row);
        }
        return {
            set,
            values,
            // How many there are; one needs no slider.
            bound(name, count) {
                const { row, take, range, entry, last, first } = rows.get(name);
                const most = Math.max(0, (count ?? 1) - 1) + first;
                range.max = entry.max = most;
                last.textContent = first ? ` of ${most}` : ` of 0 to ${most}`;
                row.hidden = most === first;
                take(values[name] + first);
            },
            put: (name, value) => rows.get(name).take(value + rows.get(name).first),
            hide: (name) => (rows.get(name).row.hidden = true),
            // As another row of them is.
            like(other) {
                for (const [name] of names) {
                    this.bound(name, other.count(name));
                    this.put(name, other.values[name]);
                }
            },
            count: (name) => Number(rows.get(name).entry.max) + 1 - rows.get(name).first,
        };
    }

    const WHERE = [
        ["launch", "launch"],
        ["x", "block x"],
        ["y", "block y"],
        ["z", "block z"],
        ["warp", "warp"],
    ];
    const place = ({ launch, x, y, z, warp }) => ({ launch, block: [x, y, z], warp });
    function bound(slide, answer) {
        const [x, y, z] = answer.blocks ?? [1, 1, 1];
        const counts = { launch: answer.launches, x, y, z, warp: typeof answer.warps === "number" ? answer.warps : answer.warps?.length };
        for (const [name, count] of Object.entries(counts)) if (count) slide.bound(name, count);
    }

    // Only the last of several questions is asked while one is on its way.
    function latest(ask) {
        let running = false;
        let again = false;
        return async function next() {
            if (running) return void (again = true);
            running = true;
            do {
                again = false;
                await ask();
            } while (again);
            running = false;
        };
    }

    // `before` is the view of the run before, from which this one continues.
    function accesses({ device, editor, lines, say, answer: { line: costliest } }, before) {
        const with_accesses = lines.filter((line) => line.accesses);
        if (!with_accesses.length) return null;
        const drawing = el("div", {});
        const report = el("p", { role: "status" });
        const slide = sliders([...WHERE, ["iteration", "iteration of the loop"], ["index", "access of the line"]], () => draw());
        const source = () => editor.text.split("\n");
        const choose = el("select", { "aria-label": "Line whose access is drawn" });
        const text = source();
        for (const { line } of with_accesses) choose.append(el("option", { value: line }, `line ${line}: ${(text[line - 1] ?? "").trim().slice(0, 60)}`));
        const kept = with_accesses.find(({ line }) => line === before?.line());
        choose.value = kept?.line ?? costliest?.line ?? with_accesses[0].line;
        // The launch that gets to the line; the device reports how many more there are.
        const begin = () => {
            const launch = with_accesses.find(({ line }) => line === Number(choose.value))?.launch ?? 0;
            for (const name of ["iteration", "index"]) slide.put(name, 0);
            slide.bound("launch", Math.max(slide.count("launch"), launch + 1));
            slide.put("launch", launch);
        };
        if (kept) slide.like(before.slide);
        else begin();
        const draw = latest(async () => {
            const { iteration, index, ...where } = slide.values;
            try {
                const form = dom.clientWidth < 600 ? "narrow" : undefined;
                const answer = await device.ask({ do: "access", line: Number(choose.value), ...place(where), iteration, index, form });
                if (!answer.ok) throw new Error(answer.error);
                bound(slide, answer);
                slide.bound("iteration", answer.iterations);
                slide.bound("index", answer.of);
                report.textContent = answer.text;
                const letters = answer.letters
                    ? el("details", {}, el("summary", {}, "In letters"), el("pre", { class: "live-letters", tabindex: "0", "aria-label": "The access in letters" }, answer.letters))
                    : null;
                replace(drawing, answer.svg ? svg(answer.svg, answer.text) : null, letters);
            } catch (error) {
                // Where it was looked before, there may be nothing any more.
                if (Object.values(slide.values).some(Boolean) && error.message !== "stopped" && !draw.again) {
                    for (const name of Object.keys(slide.values)) slide.put(name, 0);
                    begin();
                    draw.again = true;
                    return void draw();
                }
                drawing.replaceChildren();
                report.textContent = error.message;
            }
            draw.again = false;
        });
        choose.addEventListener("change", () => {
            begin();
            editor.mark([Number(choose.value)]);
            draw();
        });
        const dom = el("details", { class: "live-access" }, el("summary", {}, "See one access"), choose, slide.set, report, drawing);
        let drawn = false;
        dom.addEventListener("toggle", () => dom.open && !drawn && ((drawn = true), draw()));
        if (before) {
            // What was drawn stays until the new drawing is there.
            drawing.append(...before.drawing.childNodes);
            report.textContent = before.report.textContent;
        }
        dom.open = Boolean(before?.dom.open);
        return {
            dom,
            drawing,
            report,
            slide,
            line: () => Number(choose.value),
            open(line) {
                choose.value = line;
                dom.open = true;
                begin();
                editor.mark([line]);
                draw();
                dom.scrollIntoView({ block: "nearest" });
                say(`The access of line ${line} is drawn below.`);
            },
        };
    }

    // The lanes of a mask.
    function of(mask) {
        const bits = parseInt(mask, 16) || 0;
        return [...Array(32).keys()].filter((lane) => (bits >>> lane) & 1);
    }

    // 32 lanes, of which those in the mask are active.
    function lanes(mask) {
        const active = of(mask);
        const cells = [...Array(32).keys()].map((lane) => el("span", { class: active.includes(lane) ? "on" : null }, String(lane)));
        return el("div", { class: "live-lanes", role: "img", "aria-label": `${active.length} of 32 lanes active: ${ranges(active)}` }, ...cells);
    }
    function ranges(list) {
        const parts = [];
        for (const n of list) {
            const last = parts.at(-1);
            if (last && last[1] === n - 1) last[1] = n;
            else parts.push([n, n]);
        }
        return parts.map(([a, b]) => (a === b ? a : `${a} to ${b}`)).join(", ") || "none";
    }

    // What an instruction was made from, where it is neither the whole line nor a mere name.
    function part(code, line) {
        const bare = (text) => text.trim().replace(/[;{]+$/, "").replace(/\s+/g, " ").trim();
        const tells = code && !/^\w+$/.test(code) && bare(code) !== bare(line ?? "");
        return tells ? `In “${code.length > 80 ? `${code.slice(0, 79)}…` : code}”.` : null;
    }

    // Milliseconds for a line while steps go on by themselves.
    const PACE = 350;
    function steps({ device, editor }, before) {
        const at = el("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step" });
        const report = el("p", { role: "status" });
        const shown = el("div", {});
        const slide = sliders(WHERE, () => {
            at.value = 0;
            go({ instruction: 0 });
        });
        const whole = el("select", { id: fresh("whole") }, el("option", { value: "" }, "one warp"), el("option", { value: "all" }, "all warps of the block, in the order in which they run"));
        whole.addEventListener("change", () => go({ instruction: 0 }));
        let to = null;
        let here = null;
        const ask = latest(async () => {
            const asked = to;
            try {
                const { warp, ...block } = place(slide.values);
                const all = whole.value === "all";
                const answer = await device.ask({ do: "step", ...block, ...(all ? { warps: "all" } : { warp }), to: asked });
                if (!answer.ok) throw new Error(answer.error);
                here = answer;
                bound(slide, answer);
                if (all) slide.hide("warp");
                at.max = Math.max(0, answer.of - 1);
                at.value = answer.at;
                editor.mark(answer.line ? [answer.line] : []);
                if (answer.line) editor.go(answer.line, 1, false);
                report.textContent = [all && answer.warp !== undefined ? `Warp ${answer.warp}.` : null, answer.text, part(answer.code, editor.text.split("\n")[answer.line - 1]), answer.fault && `Then: ${answer.fault.message}`].filter(Boolean).join(" ");
                replace(shown, ...(answer.active ? state(answer, all ? answer.warp : slide.values.warp) : []));
            } catch (error) {
                report.textContent = error.message;
            }
        });
        function go(where) {
            to = where;
            ask();
        }
        const step = (by) => go({ instruction: Math.max(0, (here?.at ?? 0) + by) });
        // The end of the line before, or of the next.
        const line = (which) => go({ [which]: here?.at ?? 0 });
        at.addEventListener("input", () => go({ instruction: Number(at.value) }));
        // Goes on by itself, line by line, until it is paused or has come to the end.
        let playing = false;
        const plays = button("Play", async () => {
            playing = !playing;
            if (!playing) return;
            plays.textContent = "Pause";
            if (here && here.at >= here.of - 1) ((to = { instruction: 0 }), await ask());
            while (playing && dom.isConnected && dom.open) {
                const before = here?.at;
                to = { next: before ?? 0 };
                await Promise.all([ask(), new Promise((done) => setTimeout(done, PACE))]);
                if (!here || here.at === before || here.at >= here.of - 1) break;
            }
            playing = false;
            plays.textContent = "Play";
        });
        const tools = el(
            "div",
            { class: "live-tools" },
            plays,
            button("First step", () => go({ instruction: 0 })),
            button("◀ Line", () => line("previous")),
            button("◀ Instruction", () => step(-1)),
            button("Instruction ▶", () => step(1)),
            button("Line ▶", () => line("next")),
            button("Last step", () => go({ end: true }))
        );
        const dom = el("details", { class: "live-steps" }, el("summary", {}, "Step through a warp or a block"), el("div", { class: "live-parameter" }, el("label", { for: whole.id }, "step through"), whole), slide.set, at, tools, report, shown);
        dom.addEventListener("toggle", () => dom.open && !here && go({ instruction: before?.at() ?? 0 }));
        if (before?.dom.open) {
            slide.like(before.slide);
            whole.value = before.whole();
            dom.open = true;
        }
        return { dom, slide, at: () => here?.at ?? 0, whole: () => whole.value };
    }

    function state(answer, warp) {
        const parts = [lanes(answer.active)];
        if (answer.shared?.words?.length) parts.push(heat(answer.shared));
        const warps = Array.isArray(answer.warps) ? answer.warps : [];
        if (warps.length > 1) {
            const rows = warps.map((one, n) => ({
                class: n === warp ? "changed" : null,
                cells: [`warp ${n}`, one.line ? `line ${one.line}` : "", one.done ? "done" : one.waits ? `waits at ${one.waits}` : "runs"],
            }));
            parts.push(table("Warps of the block", ["warp", "at", "state"], rows));
        }
        for (const { line, expected, arrived } of answer.meetings ?? []) {
            parts.push(el("p", {}, `Lanes that parted meet again${line ? ` before line ${line}` : ""}: ${names(expected)} are awaited, ${names(arrived)} have come.`));
        }
        const variables = answer.variables ?? [];
        if (variables.length) parts.push(el("details", { open: true }, el("summary", {}, "Variables"), values("Variables of the lanes", "variable", variables)));
        const registers = answer.registers ?? [];
        if (registers.length) {
            const open = !variables.length;
            parts.push(el("details", { open }, el("summary", {}, "Registers"), values("Registers of the lanes", "register", registers)));
        }
        const words = answer.shared?.words ?? [];
        if (words.length) {
            const rows = [];
            for (let n = 0; n < Math.min(words.length, HELD); n += 32) rows.push({ cells: [String(n), ...words.slice(n, n + 32).map(String)] });
            const heads = ["word", ...Array(32).keys()].map(String);
            parts.push(
                el("details", {}, el("summary", {}, `Shared memory (${number(answer.shared.bytes)} bytes)`), table("Shared memory: a column for each bank", heads, rows, { class: "live-registers" }))
            );
        }
        const events = answer.events ?? [];
        if (events.length) {
            const items = events.slice(-12).map(({ line, text }) => el("li", {}, line ? `line ${line}: ${text}` : text));
            parts.push(el("details", {}, el("summary", {}, `Accesses so far (${number(events.length + (answer.eventsLeftOut ?? 0))})`), el("ul", {}, ...items)));
        }
        return parts;
    }
    // Words of shared memory that are shown, the first of them: a table of all 48 KiB would be slow.
    const HELD = 4096;
    // Shared memory as a map: a column for each bank, a row for each 32 words; the greater a number, the stronger its colour, and what
    // has not been written has none.
    function heat({ words, bits, variables }) {
        const shown = words.slice(0, HELD);
        // Of a type that is not known, a word is its bits.
        const known = (n) => variables.some(({ first, bytes, type }) => type !== "bits" && first <= 4 * n && 4 * n < first + bytes);
        const value = (word, n) => (known(n) && Number.isFinite(Number(word)) ? Number(word) : parseInt(bits[n], 16));
        const numbers = shown.map((word, n) => (word === "" ? null : value(word, n)));
        const there = numbers.filter((one) => one !== null);
        const [least, most] = [there.reduce((a, b) => Math.min(a, b), Infinity), there.reduce((a, b) => Math.max(a, b), -Infinity)];
        const rows = Math.ceil(shown.length / 32);
        const written = `${number(there.length)} of ${number(shown.length)} words written`;
        const range = there.length ? `, from ${shown[numbers.indexOf(least)]} to ${shown[numbers.indexOf(most)]}` : "";
        const canvas = el("canvas", { class: "live-heat", width: 32, height: rows, role: "img", "aria-label": `Shared memory, a column for each bank: ${written}${range}` });
        const paint = canvas.getContext("2d");
        paint.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--links").trim() || "#0a5394";
        numbers.forEach((one, n) => {
            if (one === null) return;
            paint.globalAlpha = most > least ? 0.15 + (0.85 * (one - least)) / (most - least) : 0.6;
            paint.fillRect(n % 32, Math.floor(n / 32), 1, 1);
        });
        canvas.style.aspectRatio = `32 / ${Math.max(rows, 4)}`;
        return el("figure", { class: "live-heat-map" }, canvas, el("figcaption", {}, `Shared memory: a column for each of the 32 banks; ${written}${range}.`));
    }
    const names = (mask) => `lanes ${ranges(of(mask))}`;
    // A row for each variable or register; where all lanes have the same everywhere, a column for all of them.
    function values(caption, what, list) {
        const wide = list.some((one) => alike(one.values).length > 1);
        const heads = wide ? [what, ...Array(32).keys()].map(String) : [what, "all lanes"];
        const rows = list.map(({ name, type, line, variable, values }) => {
            const about = [type, variable, line && `line ${line}`].filter(Boolean).join(", ");
            return { cells: [el("span", {}, name, el("small", {}, ` ${about}`)), ...(wide ? values : alike(values))] };
        });
        return table(caption, heads, rows, { class: "live-registers" });
    }
    const alike = (values) => (values?.every((value) => value === values[0]) ? [values[0]] : (values ?? []));

    // The editor as it was when the run was asked for: of another source, no line is marked or gone to.
    const ran = (editor, text) => ({
        text,
        mark: (lines) => editor.text === text && editor.mark(lines),
        go: (...where) => editor.text === text && editor.go(...where),
    });

    // The views of a run of `text`, and what to do when a line's cost is pressed. `before` are the views of the run before.
    book.look = (given) => {
        const run = { ...given, editor: ran(given.editor, given.text) };
        const { outcome } = run.answer;
        // A figure draws the access itself.
        const views = [run.figure ? null : accesses(run, run.before?.views[0]), outcome === "done" || outcome === "fault" ? steps(run, run.before?.views[1]) : null];
        const dom = el("div", { class: "live-looks" }, ...views.filter(Boolean).map((view) => view.dom));
        return { dom, views, access: (line) => views[0]?.open(line) };
    };
    Object.assign(book, { sliders, latest, boundTo: bound, placeOf: place, WHERE });
})();

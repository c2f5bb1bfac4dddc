// The figure of a live kernel: its handles, one large number, the drawing, the code's lines. All of it is there before anything has
// run, from what the book was built with; the first touch of a handle wakes what runs the kernel.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, number, words, svg, picture, parameters, evaluate } = book;

    // Width of the figure from which on the code is beside it.
    const BESIDE = 860;

    // The sum of counters of a run, or of one of its kernels, and what it was in the run that it is compared with.
    function sum({ counters = [] }, names) {
        const found = counters.filter((one) => names.includes(one.name));
        const before = found.some((one) => typeof one.before === "number") ? found.reduce((all, one) => all + (one.before ?? 0), 0) : null;
        return { value: found.reduce((all, one) => all + one.value, 0), before };
    }

    // The large number, from before to after, and the modelled time with what it is limited by.
    function headline({ number: of }) {
        const large = el("p", { class: "live-large", "aria-live": "polite" });
        const time = el("p", { class: "live-time" });
        const strong = (value) => el("strong", {}, number(value));
        function show(run) {
            const { value, before: was } = sum(run, of.counters);
            const pair = of.kernels?.map((name) => [name, run.kernels?.find(({ kernel }) => kernel === name)]);
            if (pair?.length === 2 && pair.every(([, one]) => one)) {
                const [[a, first], [b, second]] = pair.map(([name, one]) => [name, sum(one, of.counters).value]);
                large.replaceChildren(el("span", {}, `${a} `), strong(first), " → ", el("span", {}, `${b} `), strong(second), ` ${of.title}`);
            } else if (was !== null && was !== value) {
                large.replaceChildren(el("span", { class: "live-was" }, number(was)), " → ", strong(value), ` ${of.title}`);
            } else {
                large.replaceChildren(strong(value), ` ${of.title}`);
            }
            const { time: now, before: then, limit } = run.modelled ?? {};
            time.textContent = now ? `modelled ${then && then !== now ? `${then} → ` : ""}${now}, limited by ${limit}` : "";
        }
        // What there is to say instead of a number.
        const say = (text) => {
            large.replaceChildren(el("strong", {}, text));
            time.textContent = "";
        };
        return { dom: el("div", { class: "live-headline" }, large, time), show, say };
    }

    // What an output looks like, if it is a picture or a plot.
    function image(output) {
        if (output?.picture) {
            const canvas = picture(output.picture, `Picture in ${output.buffer}`);
            canvas.dataset.buffer = output.buffer;
            return canvas;
        }
        return output?.plot ? svg(output.plot, `Plot of ${output.buffer}`) : null;
    }

    // ---- The drawing of an access, whose lanes can be asked

    // Columns of a compact drawing, as crates/render/src/figure/lanes.rs has them: the room before them, and how many there are.
    const [LEFT, LANES] = [66, 32];

    function drawing(told) {
        const holder = el("div", { class: "live-drawing" });
        let lanes = [];
        let lane = null;
        let before = null;
        const within = () => holder.querySelector("svg.lab-plot");
        const column = (drawn, n) => {
            const { width } = drawn.viewBox.baseVal;
            const left = (LEFT / 360) * width;
            return [left + ((width - left) / LANES) * n, (width - left) / LANES];
        };
        const of = (n) => lanes.filter((one) => one.lane === n);
        const say = (n) => {
            const here = of(n);
            if (!here.length) return `Lane ${n} takes no part.`;
            return `Lane ${n}, thread (${here[0].thread.join(", ")}): ${here.map(({ address }) => address).join("; ")}.`;
        };
        // The lane that is asked has its lines drawn stronger, and says its address and thread.
        function choose(n) {
            lane = n;
            const drawn = within();
            if (!drawn || n === null) return;
            const [x, wide] = column(drawn, n);
            for (const line of drawn.querySelectorAll(":scope > polyline")) {
                const [from] = line.points;
                line.classList.toggle("live-asked", Boolean(from) && Math.abs(from.x - x - wide / 2) < 2 && line.points.length === 4);
            }
            drawn.querySelector(".live-lane-asked")?.remove();
            const box = document.createElementNS("http://www.w3.org/2000/svg", "rect");
            for (const [name, value] of Object.entries({ class: "live-lane-asked", x, y: 0, width: wide, height: 22 * 4 })) box.setAttribute(name, value);
            drawn.append(box);
            told.replaceChildren(...words(say(n)));
            const part = holder.firstElementChild;
            part.setAttribute("aria-valuenow", n);
            part.setAttribute("aria-valuetext", say(n));
        }
        const under = (event) => {
            const drawn = within();
            if (!drawn || !lanes.length) return null;
            const { left, width } = drawn.getBoundingClientRect();
            const at = (((event.clientX - left) / width) * 360 - LEFT) / ((360 - LEFT) / LANES);
            return at >= 0 && at < LANES ? Math.floor(at) : null;
        };
        for (const kind of ["pointermove", "pointerdown"]) holder.addEventListener(kind, (event) => {
            const n = under(event);
            if (n !== null && n !== lane) choose(n);
        });
        holder.addEventListener("keydown", (event) => {
            const by = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 }[event.key];
            const to = { Home: 0, End: LANES - 1 }[event.key] ?? (by && (lane === null ? 0 : (lane + by + LANES) % LANES));
            if (to === undefined || !lanes.length) return;
            event.preventDefault();
            choose(to);
        });
        // What the drawing before had, below the new one: its lines and areas, without their words.
        function ghost(drawn, shapes) {
            const group = document.createElementNS("http://www.w3.org/2000/svg", "g");
            group.setAttribute("class", "live-ghost");
            group.setAttribute("aria-hidden", "true");
            group.append(...shapes.map((one) => one.cloneNode()));
            drawn.querySelector(":scope > style")?.after(group);
        }
        // A square is of the key.
        const isKey = (one) => {
            if (one.localName === "rect") return one.getAttribute("width") === one.getAttribute("height");
            const { points } = one;
            return points?.length === 5 && points[2].x - points[0].x === points[2].y - points[0].y;
        };
        const shapes = (drawn) => (drawn ? [...drawn.querySelectorAll(":scope > polyline, :scope > rect:not(.live-lane-asked), :scope > circle")].filter((one) => !isKey(one)) : []);

        return {
            dom: holder,
            // An access as the device answered it. `keep` are the shapes that it is drawn over, in the place of those before it.
            access(answer, keep = null) {
                const was = within();
                const text = answer.svg ?? "";
                if (was && holder.dataset.drawn !== text) before = shapes(was);
                holder.dataset.drawn = text;
                lanes = answer.lanes ?? [];
                if (!text) {
                    holder.replaceChildren(el("p", {}, answer.text));
                    return;
                }
                const part = svg(text, answer.text);
                // Its lanes are asked by the arrow keys; what it shows is said by the drawing itself.
                if (lanes.length) for (const [name, value] of Object.entries({ role: "slider", "aria-label": "Lane", "aria-valuemin": 0, "aria-valuemax": LANES - 1, "aria-valuenow": lane ?? 0, "aria-valuetext": lane === null ? `${answer.text} Arrow keys ask a lane.` : say(lane) })) part.setAttribute(name, value);
                holder.replaceChildren(part);
                const over = keep ?? before;
                if (over?.length) ghost(within(), over);
                if (lane !== null && lanes.length) choose(lane);
            },
            image(output) {
                const part = image(output);
                if (part) holder.replaceChildren(part);
            },
            shapes: () => shapes(within()),
            // A copy that stays.
            copy() {
                const copy = holder.firstElementChild?.cloneNode(true);
                if (!copy) return null;
                for (const name of ["role", "tabindex", "aria-label", "aria-valuemin", "aria-valuemax", "aria-valuenow", "aria-valuetext"]) if (copy.matches(".live-svg")) copy.removeAttribute(name);
                copy.querySelectorAll(".live-ghost, .live-lane-asked").forEach((one) => one.remove());
                for (const one of copy.querySelectorAll("[id]")) one.id = `${one.id}-pinned`;
                const drawn = copy.querySelector("svg[aria-labelledby]");
                drawn?.setAttribute("aria-labelledby", drawn.getAttribute("aria-labelledby").split(" ").map((id) => `${id}-pinned`).join(" "));
                const [from, to] = [holder.querySelector("canvas"), copy.matches("canvas") ? copy : copy.querySelector("canvas")];
                if (from && to) to.getContext("2d").drawImage(from, 0, 0);
                return copy;
            },
        };
    }

    // ---- What is said of a launch

    // What runs, as a button says it: the first kernel with its blocks and threads, and how many more there are.
    function running(entry, values) {
        const all = { ...values, pass: 0 };
        const derived = Object.entries(entry.let ?? {});
        for (let round = 0; round < derived.length; round++) for (const [name, formula] of derived) all[name] = evaluate(formula, all);
        const launches = entry.steps.map(({ launch }) => launch).filter(Boolean);
        const [first] = launches;
        const product = (list) => list.reduce((many, formula) => many * evaluate(formula, all), 1);
        const [blocks, threads] = [product(first.grid), product(first.block)];
        const name = first.kernel.replace(/\{([^}]*)\}/g, (_, formula) => evaluate(formula, all));
        const more = new Set(launches.map(({ kernel }) => kernel)).size - 1;
        const size = `${number(blocks)} block${blocks === 1 ? "" : "s"} of ${number(threads)} thread${threads === 1 ? "" : "s"}`;
        return `Run ${name}${more ? ` and ${more} more` : ""}: ${size}`;
    }

    // The lines of a source that are shown, from 1; all of it where it says none.
    const shownLines = ({ source, listing }) => (listing?.length ? listing : [[1, source.split("\n").length]]);
    function code(data) {
        const lines = data.source.split("\n");
        const parts = shownLines(data).map(([from, to]) => lines.slice(from - 1, to));
        const least = (part) => Math.min(...part.filter((line) => line.trim()).map((line) => line.length - line.trimStart().length));
        return parts.map((part) => part.map((line) => line.slice(least(part))).join("\n").trim()).join("\n\n");
    }

    // The question that a kernel's result answers, if the reader has not.
    function unanswered(place) {
        const question = place.dataset.asked ? document.getElementById(place.dataset.asked) : null;
        return question && !question.querySelector("input:checked") ? question : null;
    }

    // Makes the figure of a place. `wake` makes it alive; it is called with what the reader does, as often as they do it.
    book.figure = (place, name, wake) => {
        const data = globalThis.warpbookLive[name];
        const { entry, still } = data;
        const values = Object.fromEntries((entry.parameters ?? []).map((one) => [one.name, one.value]));
        const told = el("p", { class: "live-told" });
        const numbers = entry.number ? headline(entry) : null;
        const drawn = drawing(told);
        const open = button("", () => wake("run"), { class: "live-open" });
        const say = () => {
            const label = running(entry, values);
            open.textContent = label;
            open.setAttribute("aria-label", `${label}: ${entry.title}`);
            return label;
        };
        const figure = { place, name, data, entry, values, told, drawn, numbers, open, running: say };
        // What follows a handle: once it is alive, it runs.
        figure.changed = () => wake("handle");
        figure.play = (parameter, plays) => wake("play", [parameter, plays]);
        const changed = () => {
            figure.hand?.draw();
            say();
            figure.redraw?.();
            figure.changed();
        };
        figure.form = parameters(entry.parameters ?? [], values, changed, (parameter) => {
            const plays = button("Play", () => figure.play(parameter, plays));
            return plays;
        });
        figure.hand = entry.hand ? book.hand(entry, values, () => figure.changed()) : null;
        figure.controls = el("div", { class: "live-controls" }, figure.form.set, figure.hand?.dom);
        const hint = el("small", { class: "live-hint" }, "Move a handle: it runs here.");
        const title = el("p", { class: "live-title" }, el("strong", {}, entry.title), " ", hint);
        // A run that is pinned is drawn beside.
        figure.pinned = el("div", { class: "live-a" });
        figure.drawings = el("div", { class: "live-drawings" }, figure.pinned, drawn.dom);
        figure.shown = el("div", { class: "live-shown" }, numbers?.dom, figure.drawings, told);
        figure.tools = el("div", { class: "live-tools" }, open);
        figure.stage = el("div", { class: "live-stage" }, figure.controls, figure.shown, figure.tools, figure.hand?.more);
        figure.listing = el("pre", { class: "live-listing", tabindex: "0", "aria-label": `Code of ${entry.title}` }, el("code", {}, code(data)));
        const summary = el("summary", {}, "Change the code");
        figure.code = el("details", { class: "live-code" }, summary, figure.listing);
        // Opening it is how one begins to change it; on a wide screen it is open anyway.
        summary.addEventListener("click", () => wake("code"));
        figure.listing.addEventListener("click", () => wake("code"));
        const columns = el("div", { class: "live-columns" }, figure.stage, figure.code);
        figure.section = el("section", { class: "live-figure", "aria-label": entry.title }, title, columns);
        // The book turns pages with the arrow keys, and helps with “?”, wherever no field has the focus; a figure is one to it.
        figure.section.addEventListener("keydown", (event) => event.stopPropagation());
        figure.moved = () => hint.remove();

        // Shows a run, or what the book was built with.
        figure.show = (run, keep) => {
            numbers?.show(run);
            const output = (run.outputs ?? run.drawn)?.find(({ buffer }) => buffer === entry.drawn);
            if (output) drawn.image(output);
            else if (run.access) drawn.access(run.access, keep);
        };
        // Covers what answers a question, until it is answered or the reader chooses to see it.
        figure.covered = false;
        figure.uncovered = () => {};
        const question = unanswered(place);
        if (question) {
            figure.covered = true;
            const cover = el("p", { class: "live-covered" });
            const uncover = (focus) => {
                if (!figure.covered) return;
                figure.covered = false;
                cover.remove();
                figure.shown.hidden = false;
                figure.uncovered();
                if (focus) figure.open.isConnected ? figure.open.focus() : figure.run?.focus();
            };
            const link = el("a", { href: `#${question.id}` }, "the question");
            cover.append("The result is covered until ", link, " is answered: predict first. ", button("Show the result", () => uncover(true)));
            figure.shown.hidden = true;
            figure.shown.before(cover);
            question.addEventListener("change", () => uncover(false), { once: true });
        }
        if (still) figure.show(still);
        say();
        place.append(figure.section);
        figure.code.open = figure.section.clientWidth >= BESIDE;
        place.figure = figure;
        return figure;
    };
    Object.assign(book, { shownLines, sum });
})();

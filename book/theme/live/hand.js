// What a reader chooses for each lane of a warp: an arrow for each, which is dragged or moved by keys, and numbers.
//
// It only makes the contents of a buffer; what they cost is found by the run that follows.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, fresh } = book;

    const LANES = 32;
    // Of the drawing: its height, the lanes' row, the scale's row.
    const [HEIGHT, TOP, BOTTOM] = [104, 24, 80];
    // Values that the scale has room for at least.
    const LEAST = 64;

    function mark(tag, attributes, ...children) {
        const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        element.append(...children);
        return element;
    }

    // Handles for `entry.hand`; `changed` is called where the reader moves one.
    book.hand = (entry, parameters, changed) => {
        const { buffer, title, to, multiple = 1, presets = [] } = entry.hand;
        const usual = entry.buffers.find(({ name }) => name === buffer).init.each;
        const formulas = [usual, ...presets.map(({ each }) => each)];
        // The formula that counts, or none where the values are the reader's own.
        let chosen = 0;
        let own = [];
        let lane = 0;
        const inside = (value) => Math.min(Math.max(Math.round(value / multiple) * multiple || 0, 0), to);
        const values = () => (chosen === null ? own : [...Array(LANES).keys()].map((i) => inside(book.evaluate(formulas[chosen], { ...parameters, i }))));

        const names = ["as the parameters say", ...presets.map((one) => one.title)];
        const choose = el("select", { id: fresh("hand") }, ...names.map((text, n) => el("option", { value: n }, text)), el("option", { value: "own" }, "by hand"));
        const drawing = mark("svg", { "aria-hidden": "true" });
        const holder = el("div", { class: "live-arrows", role: "slider", tabindex: "0", "aria-valuemin": "0", "aria-valuemax": to }, drawing);
        const numbers = [...Array(LANES).keys()].map((n) => {
            const input = el("input", { type: "number", id: fresh("lane"), min: "0", max: to, step: multiple });
            input.addEventListener("change", () => put(n, Number(input.value)));
            return input;
        });

        const scale = () => {
            const all = Math.max(...values());
            let most = LEAST;
            while (most * multiple <= all) most *= 2;
            return most;
        };
        // On a narrow screen it is drawn narrower, with letters as large.
        let span = 640;
        const above = (n) => 10 + ((n + 0.5) * span) / LANES;
        const narrow = () => span < 500;

        function draw() {
            const all = values();
            // While an arrow is held, the scale stays.
            const most = held?.most ?? scale();
            const below = (value) => 10 + ((value / multiple + 0.5) * span) / most;
            const ticks = [0, 0.25, 0.5, 0.75].map((part) => {
                const value = part * most * multiple;
                return mark("text", { x: below(value), y: HEIGHT - 4, "text-anchor": "middle" }, String(value));
            });
            const arrows = all.map((value, n) =>
                mark(
                    "g",
                    { class: n === lane ? "lane chosen" : "lane", "data-lane": n },
                    mark("rect", { x: above(n) - span / LANES / 2 + 1, y: TOP - 20, width: span / LANES - 2, height: 20 }),
                    mark("text", { x: above(n), y: TOP - 6, "text-anchor": "middle" }, narrow() && n % 4 && n !== lane ? "" : String(n)),
                    mark("line", { x1: above(n), y1: TOP, x2: below(value), y2: BOTTOM - 6 }),
                    mark("path", { d: `M${below(value) - 5} ${BOTTOM - 9} L${below(value)} ${BOTTOM} L${below(value) + 5} ${BOTTOM - 9} Z` })
                )
            );
            // The chosen one is on top.
            arrows.push(...arrows.splice(lane, 1));
            drawing.setAttribute("viewBox", `0 0 ${span + 20} ${HEIGHT}`);
            const rule = mark("line", { x1: 10, x2: 10 + span, y1: BOTTOM, y2: BOTTOM });
            drawing.replaceChildren(rule, ...ticks, ...arrows);
            holder.setAttribute("aria-label", `Lane ${lane}: ${title}`);
            holder.setAttribute("aria-valuenow", all[lane]);
            holder.setAttribute("aria-valuetext", `lane ${lane}: ${all[lane]}`);
            numbers.forEach((input, n) => (input.value = all[n]));
            choose.value = chosen ?? "own";
        }
        // A value of a lane, from now on the reader's own as all others are.
        function put(n, value) {
            own = [...values()];
            chosen = null;
            lane = n;
            own[n] = inside(value);
            draw();
            changed();
        }

        choose.addEventListener("change", () => {
            if (choose.value === "own") own = [...values()];
            chosen = choose.value === "own" ? null : Number(choose.value);
            draw();
            changed();
        });
        // By pointer: an arrow follows it from wherever it is taken.
        let held = null;
        const place = (event) => {
            const { left, width } = drawing.getBoundingClientRect();
            return (((event.clientX - left) / width) * (span + 20) - 10) / span;
        };
        drawing.addEventListener("pointerdown", (event) => {
            const taken = event.target.closest("[data-lane]");
            if (!taken) return;
            event.preventDefault();
            holder.focus();
            lane = Number(taken.dataset.lane);
            held = { most: scale() };
            drawing.setPointerCapture(event.pointerId);
            draw();
        });
        drawing.addEventListener("pointermove", (event) => {
            if (!held) return;
            const value = inside(Math.floor(Math.min(Math.max(place(event), 0), 0.9999) * held.most) * multiple);
            if (value !== values()[lane]) put(lane, value);
        });
        for (const end of ["pointerup", "pointercancel"]) {
            drawing.addEventListener(end, () => {
                held = null;
                draw();
            });
        }
        holder.addEventListener("keydown", (event) => {
            const now = values()[lane];
            const by = { ArrowLeft: -1, ArrowRight: 1, PageDown: -LANES, PageUp: LANES }[event.key];
            const next = { ArrowUp: LANES - 1, ArrowDown: 1 }[event.key];
            if (by) put(lane, now + by * multiple);
            else if (event.key === "Home") put(lane, 0);
            else if (event.key === "End") put(lane, (scale() - 1) * multiple);
            else if (next) (lane = (lane + next) % LANES), draw();
            else return;
            event.preventDefault();
        });

        const fold = el(
            "details",
            {},
            el("summary", {}, "All lanes as numbers"),
            el("div", { class: "live-lane-numbers" }, ...numbers.map((input, n) => el("div", {}, el("label", { for: input.id }, `lane ${n}`), input)))
        );
        const how = el("p", { class: "live-how" }, "Drag a lane’s arrow. By keyboard: up and down choose a lane, left and right move its arrow.");
        const label = `each lane: ${title}`;
        const dom = el("div", { class: "live-hand", role: "group", "aria-label": label }, el("div", { class: "live-parameter" }, el("label", { for: choose.id }, label), choose), holder);
        new ResizeObserver(() => {
            const before = span;
            span = holder.clientWidth && holder.clientWidth < 500 ? 320 : 640;
            // In the next frame: what is drawn changes the size that is observed.
            if (span !== before) requestAnimationFrame(draw);
        }).observe(holder);
        draw();
        return {
            dom,
            // How it is used, and the same as fields.
            more: el("div", {}, how, fold),
            draw,
            // What the run gets, where it is not what the kernel comes with.
            contents: () => (chosen === 0 ? undefined : { [buffer]: values() }),
            state: () => ({ chosen, own: chosen === null ? own : undefined }),
            put(state) {
                const numbers = Array.isArray(state?.own) && state.own.length === LANES ? state.own.map((one) => inside(Number(one))) : null;
                own = numbers ?? [];
                chosen = numbers ? null : formulas[state?.chosen] === undefined ? 0 : state.chosen;
                draw();
            },
        };
    };
})();

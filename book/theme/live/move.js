// Things of a picture that a reader moves and resizes: by pointer in the picture that a run has drawn, and by fields.
//
// It only changes numbers of a buffer; the picture is what the kernel makes of them.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, fresh, parameters } = book;

    // Handles for `entry.move`; `changed` is called where the reader moves something.
    book.moving = async (entry, values, device, changed) => {
        const { buffer, each, count, at, radius, span, title } = entry.move;
        const answer = await device.ask({ do: "initial", live: entry, parameters: values, buffer });
        if (!answer.ok) throw new Error(answer.error);
        const usual = answer.numbers;
        const many = () => Math.min(book.evaluate(count, values), Math.floor(usual.length / each));
        // What was moved: its number, with its place and radius.
        let moved = new Map();
        let chosen = 0;
        const place = (n) => moved.get(n) ?? [...at.slice(0, 2), radius].map((part) => Math.round(usual[n * each + part]));
        const half = span / 2;

        const choose = el("select", { id: fresh("moved") });
        const here = { x: 0, y: 0, radius: 0 };
        const rows = [
            { name: "x", title: "to the right", from: -half, to: half },
            { name: "y", title: "downwards", from: -half, to: half },
            { name: "radius", title: "radius", from: 1, to: half },
        ];
        let quiet = false;
        const form = parameters(rows, here, () => {
            if (quiet) return;
            moved.set(chosen, [here.x, here.y, here.radius]);
            changed();
        });
        function draw() {
            const now = many();
            chosen = Math.min(chosen, now - 1);
            if (choose.length !== now) choose.replaceChildren(...[...Array(now).keys()].map((n) => el("option", { value: n }, `${title} ${n}`)));
            choose.value = chosen;
            quiet = true;
            const [x, y, r] = place(chosen);
            for (const [name, value] of Object.entries({ x, y, radius: r })) form.put(name, value);
            quiet = false;
        }
        choose.addEventListener("change", () => ((chosen = Number(choose.value)), draw()));
        const put = (n, x, y) => {
            const inside = (value) => Math.min(Math.max(Math.round(value), -half), half);
            moved.set(n, [inside(x), inside(y), place(n)[2]]);
            draw();
            changed();
        };

        const label = `a ${title} to move`;
        const how = el("p", { class: "live-how" }, `Drag a ${title} in the picture, or choose one and change its numbers.`);
        const dom = el("div", { class: "live-hand", role: "group", "aria-label": label }, el("div", { class: "live-parameter" }, el("label", { for: choose.id }, label), choose), how, form.set);
        draw();

        // By pointer. The picture is replaced by each run; what contains it is not.
        function on(results) {
            let held = null;
            const where = (event, canvas) => {
                const { left, top, width, height } = canvas.getBoundingClientRect();
                return [((event.clientX - left) / width - 0.5) * span, ((event.clientY - top) / height - 0.5) * span];
            };
            const front = (x, y) => {
                const depth = (n) => {
                    const [cx, cy, r] = place(n);
                    const inside = r * r - (x - cx) ** 2 - (y - cy) ** 2;
                    return inside > 0 ? Math.sqrt(inside) + usual[n * each + at[2]] : -Infinity;
                };
                const all = [...Array(many()).keys()].filter((n) => depth(n) > -Infinity);
                return all.reduce((best, n) => (best === null || depth(n) > depth(best) ? n : best), null);
            };
            results.addEventListener("pointerdown", (event) => {
                const canvas = event.target.closest("canvas");
                if (!canvas) return;
                const [x, y] = where(event, canvas);
                const found = front(x, y);
                if (found === null) return;
                event.preventDefault();
                chosen = found;
                const [cx, cy] = place(found);
                held = [x - cx, y - cy];
                results.setPointerCapture(event.pointerId);
                draw();
            });
            results.addEventListener("pointermove", (event) => {
                const canvas = results.querySelector("canvas");
                if (!held || !canvas) return;
                const [x, y] = where(event, canvas);
                put(chosen, x - held[0], y - held[1]);
            });
            for (const end of ["pointerup", "pointercancel"]) results.addEventListener(end, () => (held = null));
            results.classList.add("live-moves");
        }

        return {
            dom,
            draw,
            on,
            // What the run gets, where it is not what the kernel comes with.
            contents() {
                if (!moved.size) return undefined;
                const numbers = [...usual];
                for (const [n, [x, y, r]] of moved) for (const [part, value] of [[at[0], x], [at[1], y], [radius, r]]) numbers[n * each + part] = value;
                return { [buffer]: numbers };
            },
            state: () => (moved.size ? [...moved] : undefined),
            put(state) {
                const fits = ([n, now]) => Number.isInteger(n) && n >= 0 && n * each < usual.length && Array.isArray(now) && now.length === 3 && now.every(Number.isFinite);
                moved = new Map(Array.isArray(state) ? state.filter((one) => Array.isArray(one) && fits(one)) : []);
                draw();
            },
        };
    };
})();

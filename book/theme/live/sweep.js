// A sweep: the figure's number over all values of a handle, or as many as a drawing has room for, drawn as they come.
//
// It has a device of its own, so that what the figure has run last stays there to be looked into.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, number, fresh, table, Device, sum } = book;

    // Values that are tried at the most.
    const MOST = 33;
    // Of the drawing: its size, and the room around what is drawn.
    const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [480, 170, 62, 14, 12, 34];

    function mark(tag, attributes, ...children) {
        const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
        for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
        element.append(...children);
        return element;
    }

    // Values of a parameter, from the least to the greatest.
    function tried({ from, to, multiple = 1 }) {
        const count = Math.floor((to - from) / multiple) + 1;
        const steps = Math.min(count, MOST);
        return [...new Set([...Array(steps).keys()].map((n) => from + Math.round((n * (count - 1)) / Math.max(steps - 1, 1)) * multiple))];
    }

    // The points so far as a drawing; `here` is the handle's own value, `take` is called with one that is pressed.
    function plot(parameter, points, { title }, here, take) {
        const { from, to, choices, multiple = 1 } = parameter;
        const most = Math.max(1, ...points.map(([, y]) => y));
        const x = (value) => LEFT + ((value - from) / Math.max(to - from, 1)) * (WIDTH - LEFT - RIGHT);
        const y = (value) => HEIGHT - BOTTOM - (value / most) * (HEIGHT - TOP - BOTTOM);
        const named = (value) => choices?.[(value - from) / multiple] ?? number(value);
        const text = (words, at, anchor) => mark("text", { x: at[0], y: at[1], "text-anchor": anchor }, words);
        const label = `${title} over ${parameter.title}: ${points.map(([at, value]) => `${number(value)} at ${named(at)}`).join(", ")}`;
        return mark(
            "svg",
            { class: "live-plot", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label },
            mark("path", { class: "axis", d: `M${LEFT} ${TOP}V${HEIGHT - BOTTOM}H${WIDTH - RIGHT}` }),
            mark("path", { class: "here", d: `M${x(here)} ${TOP}V${HEIGHT - BOTTOM}` }),
            text(number(most), [LEFT - 6, TOP + 9], "end"),
            text("0", [LEFT - 6, HEIGHT - BOTTOM], "end"),
            text(named(from), [LEFT, HEIGHT - BOTTOM + 14], "start"),
            text(named(to), [WIDTH - RIGHT, HEIGHT - BOTTOM + 14], "end"),
            text(parameter.title, [(LEFT + WIDTH - RIGHT) / 2, HEIGHT - 4], "middle"),
            mark("polyline", { points: points.map(([at, value]) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`).join(" ") }),
            ...points.map(([at, value]) => {
                const point = mark("circle", { cx: x(at), cy: y(value), r: at === here ? 5 : 3.5 }, mark("title", {}, `${named(at)}: ${number(value)} ${title}`));
                point.addEventListener("click", () => take(at));
                return point;
            })
        );
    }

    // `request` is the run for parameters; `put` moves a handle.
    book.sweep = (figure, request, put) => {
        const { entry, values } = figure;
        const all = entry.parameters;
        const choose = el("select", { id: fresh("sweep"), "aria-label": "Handle to sweep" }, ...all.map(({ title }, n) => el("option", { value: n }, title)));
        const drawn = el("div", { class: "live-sweep", role: "group", "aria-label": "Sweep" });
        let device = null;
        // The sweep that counts: a later one ends those before it.
        let current = 0;
        async function sweep() {
            const mine = ++current;
            const parameter = all[Number(choose.value)];
            const { name } = parameter;
            const at = { ...values };
            const points = [];
            const words = el("p", { role: "status" }, "Sweeping …");
            drawn.replaceChildren(words);
            device ??= new Device();
            const draw = () => drawn.querySelector("svg") ? drawn.querySelector("svg").replaceWith(plot(parameter, points, entry.number, values[name], take)) : drawn.prepend(plot(parameter, points, entry.number, values[name], take));
            const take = (value) => {
                put(name, value);
                draw();
            };
            for (const value of tried(parameter)) {
                try {
                    const answer = await device.ask(request({ ...at, [name]: value }));
                    if (mine !== current) return;
                    if (!answer.ok) throw new Error(answer.error);
                    if (answer.outcome === "done") points.push([value, sum(answer, entry.number.counters).value]);
                } catch (error) {
                    words.textContent = `The sweep ended: ${error.message}.`;
                    return;
                }
                draw();
            }
            const others = all.filter((one) => one.name !== name).map((one) => `${one.title} ${one.choices?.[(at[one.name] - one.from) / (one.multiple ?? 1)] ?? number(at[one.name])}`);
            const few = points.length < Math.floor((parameter.to - parameter.from) / (parameter.multiple ?? 1)) + 1 ? `, at ${points.length} of its values` : "";
            words.textContent = `${entry.number.title} over ${parameter.title}${few}${others.length ? `, with ${others.join(", ")}` : ""}. A point that is pressed moves the handle there.`;
            const rows = points.map(([x, y]) => ({ cells: [parameter.choices?.[(x - parameter.from) / (parameter.multiple ?? 1)] ?? number(x), y] }));
            drawn.append(el("details", {}, el("summary", {}, "As numbers"), table(`${entry.number.title} over ${parameter.title}`, [parameter.title, entry.number.title], rows)));
        }
        const go = button("Sweep", sweep);
        if (all.length === 1) go.textContent = `Sweep ${all[0].title}`;
        const tool = el("span", { class: "live-sweep-tool" }, go, all.length > 1 ? choose : null);
        return {
            tool,
            dom: drawn,
            hide: (is) => (tool.hidden = is),
            clear() {
                current++;
                drawn.replaceChildren();
            },
        };
    };
})();

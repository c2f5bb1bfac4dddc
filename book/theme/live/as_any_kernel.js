// A live kernel as the page "Any kernel" has it: its formulas become numbers.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { number, evaluate } = book;

    // Launches at the most: what a page can hold.
    const MOST = 1 << 14;

    // What "Any kernel" makes of an entry: its buffers, textures and launches, as far as they can be said there.
    book.anything = (entry, parameters, text, given = {}) => {
        const values = { ...parameters, pass: 0 };
        const derived = Object.entries(entry.let ?? {});
        for (let round = 0; round < derived.length; round++) for (const [name, formula] of derived) values[name] = evaluate(formula, values);
        const value = (formula, real) => {
            const found = evaluate(formula, values, real);
            if (!Number.isFinite(found)) throw new Error(`“${formula}” has no value`);
            return found;
        };
        const defines = Object.entries(entry.define ?? {}).map(([name, formula]) => `#define ${name} ${value(formula)}\n`).join("");
        const pictures = new Map((entry.show ?? []).filter((one) => one.picture).map((one) => [one.buffer, value(one.picture.width)]));
        // Formulas of contents, whose names become numbers; `i` is the element's place.
        const plain = (formula) => String(formula).replace(/[A-Za-z_]\w*/g, (name) => (name in values ? `(${values[name]})` : name));
        const contents = (init) => {
            if (init.each !== undefined) return { each: plain(init.each) };
            return init.integers ? { integers: init.integers.map(value) } : init;
        };
        const buffers = entry.buffers.map(({ name, type, len, init, symbol }) => {
            const length = value(len);
            const points = (entry.show ?? []).find((one) => one.buffer === name && one.points)?.points ?? null;
            const more = { symbol: symbol ?? null, pixels: pictures.get(name) ?? null, points };
            if (given[name]) return { name, type, length, init: "numbers", numbers: given[name], ...more };
            if (!init) return { name, type, length, init: "poison", ...more };
            return { name, type, length, init: "chapter", chapter: contents(init), ...more };
        });
        const textures = (entry.textures ?? []).map(({ name, buffer, ...rest }) => ({
            name,
            buffer,
            ...Object.fromEntries(Object.entries(rest).map(([field, formula]) => [field, value(formula)])),
        }));
        const plainly = (arg) => arg.replace(/^(int|size_t|unsigned|float) (.*)$/, (_, type, formula) => `${type} ${/^-?[\d.]+(e-?\d+)?$/.test(formula) ? formula : value(formula, type === "float")}`);
        const argument = (arg) =>
            arg.startsWith("struct") ? arg.replace(/(int|size_t|unsigned|float) ([^;{}]+)/g, (part) => plainly(part.trim())) : plainly(arg);
        const launches = [];
        let waiting = [];
        const passes = entry.passes === undefined ? 1 : value(entry.passes);
        const count = passes * entry.steps.filter(({ launch }) => launch).length;
        if (count > MOST) throw new Error(`it has ${number(count)} launches, and no more than ${number(MOST)} can be listed there; fewer passes or steps have fewer`);
        for (values.pass = 0; values.pass < passes; values.pass++) {
            for (const { launch, copy, read } of entry.steps) {
                if (read) throw new Error("it reads a variable back, which cannot be listed there");
                if (copy) waiting.push({ symbol: copy.symbol, from: copy.from, first: value(copy.first), count: value(copy.count), current: Boolean(copy.current) });
                if (!launch) continue;
                const shape = (list) => [0, 1, 2].map((at) => (list[at] === undefined ? 1 : value(list[at])));
                launches.push({
                    kernel: launch.kernel.replace(/\{([^}]*)\}/g, (_, formula) => value(formula)),
                    grid: shape(launch.grid),
                    block: shape(launch.block),
                    shared: launch.shared === undefined || launch.shared === null ? 0 : value(launch.shared),
                    args: launch.args.map(argument),
                    copies: waiting,
                });
                waiting = [];
            }
        }
        return { text: defines + text, language: "cuda", buffers, textures, launches };
    };
})();

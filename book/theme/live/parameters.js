// A live kernel's parameters and the shapes of its launches, as fields that the reader changes.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, fresh, evaluate } = book;

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

    Object.assign(book, { parameters, shapes });
})();

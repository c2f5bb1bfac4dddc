// What a run found, as elements: messages, faults, outputs, counters. It knows nothing of how the device works: it shows its answers.
//
// What a panel's status has said is not said again below it.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, number, words, replace, table, svg, picture, ranked, changed, placed } = book;

    // What to write instead; what is drawn in letters is below it.
    function help(text) {
        const [first, ...drawn] = text.split("\n");
        return el("div", { class: "live-help" }, "Help: ", ...words(first), drawn.length ? el("pre", { class: "live-letters", tabindex: "0", "aria-label": "Drawing in letters" }, drawn.join("\n")) : null);
    }

    // The compiler's messages as a list whose lines lead to their places.
    function messages(list, editor) {
        if (!list?.length) return null;
        const place = (one) => button(editor.several && one.file ? `${one.file}, line ${one.line}` : `line ${one.line}`, () => editor.go(one.line, one.column, true, one.file), { class: "live-line" });
        const items = list.map((message) =>
            el(
                "li",
                { class: `live-${message.severity}` },
                el("strong", {}, message.severity === "error" ? "Error" : "Warning"),
                ...(placed([message]).length ? [" in ", place(message)] : []),
                ": ",
                ...words(message.text),
                message.related?.length ? el("ul", {}, ...message.related.map((one) => el("li", {}, place(one), ": ", ...words(one.text)))) : null,
                message.help ? help(message.help) : null
            )
        );
        return el("ul", { class: "live-messages" }, ...items);
    }

    // Where a fault is, with the thread or both of them, and what helps. `unsaid` is what the status has not said.
    function fault({ places, help: helps, unsaid }, editor) {
        const items = (places ?? []).map(({ line, what }) =>
            el("li", {}, line ? button(`Line ${line}`, () => editor.go(line), { class: "live-line" }) : "A line that is not known", ...words(what ? `: ${what}` : ""))
        );
        return el("div", { class: "live-fault" }, el("ul", {}, ...items), unsaid ? el("p", {}, ...words(unsaid)) : null, helps ? help(helps) : null);
    }

    function verdict({ first }) {
        if (!first?.length) return null;
        const rows = first.map((one) => ({ cells: [`${one.buffer}[${[one.index].flat().join("][")}]`, one.is, one.was] }));
        return table("First elements that differ", ["element", "now", "original"], rows);
    }

    // Elements that a press of a button adds.
    const MORE = 256;
    // A buffer's elements as numbers: the first of them, and a button for those that follow.
    function numbers({ buffer, length, head = [] }, device, say) {
        let shown = head.length;
        const pre = el("pre", { tabindex: "0", "aria-label": `Elements of ${buffer}` }, head.join("  "));
        const label = () => `Next ${Math.min(MORE, length - shown)} of ${number(length - shown)} more`;
        const next = button(label(), async () => {
            try {
                const answer = await device.ask({ do: "output", buffer, from: shown, count: MORE });
                if (!answer.ok) throw new Error(answer.error);
                pre.append(`  ${answer.values.join("  ")}`);
                shown += answer.values.length;
                next.textContent = label();
                next.hidden = shown >= length;
                say(`Elements of ${buffer} up to ${number(shown - 1)} are shown.`);
            } catch (error) {
                say(`Not shown: ${error.message}`);
            }
        });
        next.hidden = shown >= length;
        return [pre, next];
    }

    // `elsewhere` is the buffer that is drawn elsewhere.
    function outputs(list, { device, say }, elsewhere) {
        return (list ?? []).map((given) => {
            const one = given.buffer === elsewhere ? { ...given, picture: null, plot: null } : given;
            const name = `${one.buffer} (${one.type}, ${number(one.length)} elements)`;
            const drawn = one.picture || one.plot;
            const parts = numbers(one, device, say);
            const canvas = one.picture ? picture(one.picture, `Picture in ${one.buffer}`) : null;
            if (canvas) canvas.dataset.buffer = one.buffer;
            const plot = one.plot ? svg(one.plot, `Plot of ${one.buffer}`) : null;
            // What the plot spans: it has no axes.
            const spans = plot ? el("p", { class: "live-spans" }, plot.querySelector("title").textContent) : null;
            return el(
                "details",
                { class: "live-output", open: Boolean(drawn) },
                el("summary", {}, name),
                canvas,
                plot,
                spans,
                ...(drawn ? [el("details", {}, el("summary", {}, "As numbers"), ...parts)] : parts)
            );
        });
    }

    // What a counter has more or less than before, with its unit.
    const difference = (value, before, unit) => {
        const by = Math.abs(value - (before ?? 0));
        return `${value > (before ?? 0) ? "+" : "−"} ${number(by)}${unit ? ` ${unit}${by === 1 ? "" : "s"}` : ""}`;
    };

    function counters(list, modelled) {
        if (!list?.length) return null;
        const compared = list.some((one) => one.before !== undefined && one.before !== null);
        const rows = list.map(({ title, name, unit, value, before }) => {
            const label = el("span", { title: name }, title ?? name, unit ? el("small", {}, ` ${unit}`) : "");
            if (!compared) return { cells: [label, value] };
            const changed = value !== before;
            const ratio = before ? value / before : null;
            const times = ratio && Math.abs(ratio - 1) >= 0.005 ? ` (× ${ratio.toPrecision(3)})` : "";
            const change = changed ? difference(value, before, unit) + times : "=";
            return { class: changed ? "changed" : null, cells: [label, value, before ?? 0, changed ? el("strong", {}, `≠ ${change}`) : change] };
        });
        if (modelled) {
            const { time, before } = modelled;
            const label = el("span", {}, "time ", el("small", {}, "modelled"));
            rows.unshift(compared ? { class: time === before ? null : "changed", cells: [label, time, before ?? "", time === before ? "=" : el("strong", {}, "≠")] } : { cells: [label, time] });
        }
        return table(compared ? "Counters of all launches, compared with the baseline" : "Counters of all launches", compared ? ["counter", "now", "baseline", "change"] : ["counter", "count"], rows);
    }

    // What the gutter shows, as a table.
    function ofLines(list, editor) {
        const rows = (list ?? []).flatMap(({ line, counters }) =>
            ranked(counters).map((one) => {
                const { name, title, value, before } = one;
                return { class: changed(one) ? "changed" : null, cells: [button(`line ${line}`, () => editor.go(line), { class: "live-line" }), title ?? name, value, before ?? ""] };
            })
        );
        return rows.length ? table("Counters of each line", ["line", "counter", "now", "baseline"], rows) : null;
    }

    // The counters of each kernel next to each other, where a run has several.
    function kernels(list) {
        if (!list?.length) return null;
        const titles = new Map(list.flatMap(({ counters }) => counters).map(({ name, title, unit }) => [name, { title, unit }]));
        const rows = ranked([...titles].map(([name, one]) => ({ name, ...one }))).map(({ name, title, unit }) => ({
            cells: [
                el("span", { title: name }, title ?? name, unit ? el("small", {}, ` ${unit}`) : ""),
                ...list.map(({ counters }) => counters.find((one) => one.name === name)?.value ?? 0),
            ],
        }));
        rows.unshift({ cells: [el("span", {}, "time ", el("small", {}, "modelled")), ...list.map(({ time }) => time)] });
        const heads = list.map(({ kernel, launches }) => (launches > 1 ? `${kernel}, ${number(launches)} launches` : kernel));
        return el("details", { class: "live-kernels", open: true }, el("summary", {}, "Counters of each kernel"), table("Counters of each kernel", ["counter", ...heads], rows));
    }

    // What of a source did not run: what the host would do, and what it was that ran.
    function leftOut({ host = [] }, launches) {
        if (!host.length) return "";
        const more = host.length > NAMED ? ` and ${number(host.length - NAMED)} more` : "";
        return ` Host code did not run: ${host.slice(0, NAMED).map((name) => `\`${name}()\``).join(", ")}${more}. What ran: ${launches}.`;
    }
    const NAMED = 5;

    // One line that says what a run found, and what it is a case of. `launches` says what a run launches.
    function summary(answer, milliseconds, launches = "the launches of this page") {
        const { outcome, verdict } = answer;
        const bad = { compile: "bad", refused: "bad", fault: "bad", budget: "bad" }[outcome];
        return [sentence(answer, milliseconds) + leftOut(answer, launches), bad ?? (verdict ? (verdict.same ? "same" : "differs") : "")];
    }
    function sentence(answer, milliseconds) {
        const { instructions, modelled } = answer;
        const chip = String(answer.device ?? "h200").toUpperCase();
        const counted = instructions ? `, ${number(instructions)} instructions of threads` : "";
        switch (answer.outcome) {
            case "compile": {
                const errors = answer.messages.filter((one) => one.severity === "error").length;
                return `It does not compile: ${errors} error${errors === 1 ? "" : "s"}.`;
            }
            case "fault":
                return `A fault (${answer.fault?.kind}): ${answer.fault?.message}`;
            case "refused":
                return `Not run: ${answer.fault?.message}`;
            case "budget": {
                // A loop without an end takes what one block may have.
                const why = answer.spent === "launch" ? "It has too many blocks for a page, or too much work in each." : "Is there a loop without an end?";
                return `Ended: the run took more instructions than it may${counted}. ${why}`;
            }
            default: {
                // Two times: the chip's, which is modelled, and the browser's.
                const was = modelled?.before && modelled.before !== modelled.time ? `, the baseline ${modelled.before}` : "";
                const time = modelled ? ` Modelled time on an ${chip}: ${modelled.time}${was}; limited by ${modelled.limit}.` : "";
                return `${answer.verdict ? answer.verdict.text : "It has run."}${time} (Counted as on an ${chip}${counted}; this browser took ${number(Math.round(milliseconds))} ms to simulate it.)`;
            }
        }
    }

    // What kernels printed, in a pane of its own.
    function printed({ printed, printedLeftOut }) {
        if (!printed) return [];
        const more = printedLeftOut ? el("p", { class: "live-left-out" }, `${number(printedLeftOut)} more line${printedLeftOut === 1 ? " was" : "s were"} printed and left out here: print less, such as from one thread alone.`) : null;
        return [el("pre", { class: "live-printed", tabindex: "0", "aria-label": "Printed" }, printed), more];
    }

    // `baseline` is what the counters are compared with, in words.
    // `drawn` is the output that a figure draws itself.
    function show(answer, editor, { results, say }, device, more = [], baseline = null, drawn = null) {
        const all = answer.messages ?? [];
        const found = answer.fault;
        const ofFault = all.find(({ text }) => text === found?.message);
        editor.tell(all);
        editor.costs(answer.lines ?? []);
        const lines = (found?.places ?? []).map((place) => place.line);
        editor.mark(lines);
        const wrong = lines[0] ?? placed(all).find(({ severity }) => severity === "error")?.line;
        if (wrong) editor.reveal(wrong);
        // What is below does not jump while the results change.
        results.style.minHeight = `${results.offsetHeight}px`;
        setTimeout(() => (results.style.minHeight = ""), 500);
        replace(
            results,
            messages(all.filter((one) => one !== ofFault), editor),
            found ? fault({ ...found, help: ofFault?.help, unsaid: answer.outcome === "budget" ? found.message : null }, editor) : null,
            answer.verdict ? verdict(answer.verdict) : null,
            ...printed(answer),
            ...outputs(answer.outputs, { device, say }, drawn),
            ...more,
            kernels(answer.kernels),
            answer.counters?.length ? el("details", { class: "live-counters" }, el("summary", {}, "Counters"), baseline && el("p", { class: "live-baseline" }, `The baseline is ${baseline}.`), counters(answer.counters, answer.modelled), ofLines(answer.lines, editor)) : null
        );
    }

    Object.assign(book, { summary, show, messages, difference });
})();

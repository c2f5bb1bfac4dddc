// The access that a figure draws: of which line, warp, block and iteration, and what the device answers to these.
//
// A run brings the access that it is asked to look at, so that a handle's next drawing needs no second question.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, sliders, latest, boundTo, placeOf, WHERE, replace } = book;

    // What is looked at of each run of `figure`, in a fold of fields; `device` answers what is asked between two runs.
    book.lines = (figure, device, editor, say) => {
        const choose = el("select", { "aria-label": "Line whose access is drawn" });
        // Which access of the line: at first that which costs most, and then that one, whatever it costs.
        let index = figure.data.still?.access?.index ?? null;
        const slide = sliders([...WHERE, ["iteration", "iteration of the loop"], ["index", "access of the line"]], (name) => {
            if (name === "index") index = slide.values.index;
            draw();
        });
        const report = el("p", { role: "status" });
        const more = el("div", {});
        const fold = el("details", {}, el("summary", {}, "Another line, warp or iteration; in letters"), choose, slide.set, more);
        const dom = el("div", { class: "live-access" }, report, fold);
        let line = figure.data.still?.line?.line ?? null;
        let lines = [];
        let ran = null;
        const look = () => {
            const { iteration, index: _, ...where } = slide.values;
            return { line, ...placeOf(where), iteration, index, form: "compact", id: `live-${figure.name}` };
        };
        function show(answer) {
            boundTo(slide, answer);
            slide.bound("iteration", answer.iterations);
            slide.bound("index", answer.of);
            slide.put("index", answer.index);
            if (answer.svg) index = answer.index;
            report.textContent = answer.text;
            figure.drawn.access(answer, figure.kept?.());
            replace(more, answer.letters ? el("pre", { class: "live-letters", tabindex: "0", "aria-label": "The access in letters" }, answer.letters) : null);
        }
        const draw = latest(async () => {
            try {
                const answer = await device.ask({ do: "access", ...look() });
                if (!answer.ok) throw new Error(answer.error);
                show(answer);
            } catch (error) {
                if (error.message !== "stopped") report.textContent = error.message;
            }
        });
        // The launch that gets to a line; the device reports how many more there are.
        function begin(of) {
            [line, index] = [of, null];
            const launch = lines.find((one) => one.line === of)?.launch ?? 0;
            for (const name of ["iteration", "index"]) slide.put(name, 0);
            slide.bound("launch", Math.max(slide.count("launch"), launch + 1));
            slide.put("launch", launch);
            choose.value = of;
        }
        choose.addEventListener("change", () => {
            begin(Number(choose.value));
            editor.mark([line]);
            draw();
        });
        // Of another line, where it has one.
        function open(of, quiet = false) {
            if (of === line || editor.text !== ran || !lines.some((one) => one.line === of)) return false;
            begin(of);
            draw();
            if (!quiet) say(`The access of line ${of} is drawn.`);
            return true;
        }
        return {
            dom,
            look,
            open,
            line: () => line,
            // What a run of `text` gave. What it was looked at for may not be there any more: then the line that costs most is.
            update(answer, text) {
                ran = text;
                lines = (answer.lines ?? []).filter((one) => one.accesses);
                const source = text.split("\n");
                choose.replaceChildren(...lines.map((one) => el("option", { value: one.line }, `line ${one.line}: ${(source[one.line - 1] ?? "").trim().slice(0, 60)}`)));
                const there = lines.some((one) => one.line === line);
                if (there && answer.access?.svg) {
                    choose.value = line;
                    return show(answer.access);
                }
                if (!lines.length) return;
                for (const name of Object.keys(slide.values)) slide.put(name, 0);
                begin(there ? line : (answer.line?.line ?? lines[0].line));
                draw();
            },
        };
    };
})();

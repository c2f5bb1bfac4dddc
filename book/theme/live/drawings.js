// Drawings of a whole program's run: what its streams did, along a line of time, and the rows of its copies as they lie in both memories.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button, number, words } = book;

    const COLOURS = 6;
    function time(ns) {
        const [value, unit] = ns < 1e3 ? [ns, "ns"] : ns < 1e6 ? [ns / 1e3, "µs"] : ns < 1e9 ? [ns / 1e6, "ms"] : [ns / 1e9, "s"];
        return `${value >= 100 ? Math.round(value) : Number(value.toPrecision(3))} ${unit}`;
    }
    // A button to the line of a call.
    const line = (place, editor) => (place ? button(editor.several ? `${place.file}, line ${place.line}` : `line ${place.line}`, () => editor.go(place.line, 1, true, place.file), { class: "live-line" }) : "");
    const paint = (n) => `live-paint-${(n % COLOURS) + 1}`;
    const percent = (part, whole) => `${Number(((100 * part) / whole).toFixed(3))}%`;

    // A row for each stream, and in it a bar for each piece of work.
    function timeline(list, leftOut, editor) {
        if (!list?.length) return null;
        const first = Math.min(...list.map((one) => one.start_ns));
        const last = Math.max(...list.map((one) => one.end_ns), first + 1);
        const names = [...new Set(list.map(({ name }) => name))];
        const streams = [...new Set(list.map(({ stream }) => stream))].sort((a, b) => (parseInt(a.split(" ").at(-1)) || 0) - (parseInt(b.split(" ").at(-1)) || 0));
        const bar = (one) => {
            const bytes = one.bytes ? `, ${number(one.bytes)} bytes` : "";
            const title = `${one.name}${bytes}: ${time(one.end_ns - one.start_ns)}, from ${time(one.start_ns - first)} on${one.place ? `, line ${one.place.line}` : ""}`;
            const style = `inset-inline-start:${percent(one.start_ns - first, last - first)};width:${percent(one.end_ns - one.start_ns, last - first)}`;
            const said = (90 * (one.end_ns - one.start_ns)) / (last - first) > one.name.length ? one.name : "";
            return el("span", { class: `live-bar ${paint(names.indexOf(one.name))}`, style, title, onclick: () => one.place && editor.go(one.place.line, 1, false, one.place.file) }, said);
        };
        const lanes = streams.flatMap((stream) => {
            const own = list.filter((one) => one.stream === stream);
            const busy = own.reduce((sum, one) => sum + one.end_ns - one.start_ns, 0);
            return [el("span", { class: "live-stream-name" }, stream), el("div", { class: "live-stream", role: "img", "aria-label": `${stream}: ${number(own.length)} pieces of work, ${time(busy)}` }, ...own.map(bar))];
        });
        const key = names.map((name, n) => {
            const own = list.filter((one) => one.name === name);
            const total = own.reduce((sum, one) => sum + one.end_ns - one.start_ns, 0);
            return el("li", {}, el("span", { class: `live-square ${paint(n)}` }), `${name}, ${own.length > 1 ? `${number(own.length)} times, ` : ""}${time(total)}`);
        });
        const more = leftOut ? el("p", { class: "live-left-out" }, `${number(leftOut)} more pieces of work are not drawn.`) : null;
        return el(
            "details",
            { class: "live-timeline", open: true },
            el("summary", {}, `Timeline of the streams: ${time(last - first)}, as modelled`),
            el("div", { class: "live-streams" }, ...lanes, el("span", {}), el("div", { class: "live-axis" }, el("span", {}, "0"), el("span", {}, time((last - first) / 2)), el("span", {}, time(last - first)))),
            el("ul", { class: "live-key" }, ...key),
            more
        );
    }

    // Rows and slices that are drawn, and pieces of a row at the most.
    const [ROWS, SLICES, PIECES] = [5, 3, 64];
    // The memory at one end of a copy: its rows, the gaps after them, and in each byte's place the row of the copy that is there.
    function memory(end, [width, height, depth], widest) {
        // What was not allocated in rows has those that the copy gives it.
        const [pitch, data, rows, slices] = end.rows ?? [end.pitch, width, depth > 1 ? end.height : height, depth];
        const copied = (row) => {
            const pieces = [];
            const from = Math.max(0, Math.floor((row * pitch - end.offset - width) / end.pitch));
            for (let k = from; k * end.pitch + end.offset < (row + 1) * pitch && pieces.length < PIECES; k++) {
                const [slice, at] = depth > 1 ? [Math.floor(k / end.height), k % end.height] : [0, k];
                const start = Math.max(k * end.pitch + end.offset, row * pitch);
                const stop = Math.min(k * end.pitch + end.offset + width, (row + 1) * pitch);
                if (at < height && slice < depth && start < stop) pieces.push({ slice, at, start: start - row * pitch, bytes: stop - start });
            }
            return pieces;
        };
        const row = (n) => {
            const pieces = copied(n);
            const drawn = pieces.map(({ slice, at, start, bytes }) => {
                const wide = bytes / widest > 0.07;
                return el("span", { class: `live-piece ${paint(slice * height + at)}`, style: `inset-inline-start:${percent(start, pitch)};width:${percent(bytes, pitch)}` }, wide ? String(at) : "");
            });
            const gap = data < pitch ? [el("span", { class: "live-gap", style: `inset-inline-start:${percent(data, pitch)};width:${percent(pitch - data, pitch)}` })] : [];
            return el("div", { class: "live-row", style: `width:${percent(pitch, widest)}` }, ...gap, ...drawn);
        };
        const lines = [];
        const shown = slices > 1 ? Math.min(rows, 3) : Math.min(rows, ROWS);
        for (let slice = 0; slice < Math.min(slices, SLICES); slice++) {
            for (let at = 0; at < shown; at++) lines.push(el("span", { class: "live-row-name" }, slices > 1 ? `${slice}, ${at}` : String(at)), row(slice * rows + at));
            if (rows > shown) lines.push(el("span", {}), el("small", {}, `and ${number(rows - shown)} more rows${slices > 1 ? " of this slice" : ""}`));
        }
        if (slices > SLICES) lines.push(el("span", {}), el("small", {}, `and ${number(slices - SLICES)} more slices`));
        const gaps = data < pitch ? `, ${number(data)} of them data` : "";
        return el("div", { class: "live-memory" }, el("p", {}, ...words(end.memory)), el("p", { class: "live-how" }, `${slices > 1 ? "Slice, row: e" : "E"}ach row ${number(pitch)} bytes${gaps}`), el("div", { class: "live-rows-drawn", role: "img", "aria-label": `Rows of ${end.memory.replaceAll("`", "")}` }, ...lines));
    }
    function copy(one, editor) {
        const [width, height, depth] = one.extent;
        const slices = depth > 1 ? `${number(depth)} slices of ` : "";
        const times = one.times > 1 ? `, ${number(one.times)} times` : "";
        const of = (end) => end.rows?.[0] ?? end.pitch;
        const widest = Math.max(of(one.from), of(one.to), 1);
        return el(
            "figure",
            { class: "live-copy" },
            el("figcaption", {}, line(one.place, editor), ": ", el("code", {}, one.call), ` copies ${slices}${number(height)} row${height === 1 ? "" : "s"} of ${number(width)} bytes${times}`),
            el("div", { class: "live-ends" }, memory(one.from, one.extent, widest), el("span", { class: "live-to", "aria-label": "to" }, "→"), memory(one.to, one.extent, widest))
        );
    }
    function rows(list, leftOut, editor) {
        if (!list?.length) return null;
        const more = leftOut ? [el("p", { class: "live-left-out" }, `${number(leftOut)} more copies of rows are not drawn.`)] : [];
        const hint = el("p", { class: "live-how" }, "A colour and a number are a row of the copy; what is hatched is padding, and what is empty the copy leaves as it was.");
        return el("details", { class: "live-copies", open: true }, el("summary", {}, `Rows as they were copied (${number(list.length)})`), hint, ...list.map((one) => copy(one, editor)), ...more);
    }

    Object.assign(book, { drawnTimeline: timeline, drawnRows: rows, timeInWords: time });
})();

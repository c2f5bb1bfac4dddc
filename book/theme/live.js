// Offers the page's live kernels and exercises, and loads what runs them when a reader first asks for it. All of it is in
// the folder `live` of the book, as classic scripts, which also work from a file. Without this script a page is what it
// was.
"use strict";
(() => {
    const folder = (typeof path_to_root === "string" ? path_to_root : "") + "live/";
    const loaded = new Map();
    function load(name) {
        if (!loaded.has(name)) {
            const of = name.endsWith(".css")
                ? Object.assign(document.createElement("link"), { rel: "stylesheet", href: folder + name })
                : Object.assign(document.createElement("script"), { src: folder + name, async: false });
            const done = new Promise((resolve, reject) => {
                of.onload = resolve;
                of.onerror = () => reject(new Error(`${name} could not be loaded`));
            });
            done.catch(() => loaded.delete(name));
            loaded.set(name, done);
            document.head.append(of);
        }
        return loaded.get(name);
    }

    // A module with one SIMD instruction: where it is valid, the engine with SIMD runs.
    const simd = [0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11];
    const assembly = typeof WebAssembly === "object";
    const engine = (host = false) => `live-engine${host ? "-host" : ""}${assembly && WebAssembly.validate(new Uint8Array(simd)) ? "" : "-plain"}.js`;
    Object.assign((globalThis.warpbook ??= {}), { load, engine });
    // What each kind of place needs. Scripts run in this order.
    const panel = () => ["live.css", engine(), "elements.js", "device.js", "editor.js", "code.js", "panel.js", "store.js"];
    const ran = ["results.js", "views.js", "link.js"];
    // What a figure shows before anything runs: it is small.
    const figure = ({ live, needs }) => ["live.css", "elements.js", "formula.js", "parameters.js", ...(needs?.split(" ") ?? []).map((name) => `${name}.js`), `data-${live}.js`, `still-${live}.js`, "figure.js"];
    // Of programs the host's side too, by an engine that has it.
    const host = () => [...panel().filter((name) => name !== engine()), "host.js"];
    const shown = ["files.js", "drawings.js", "program.js"];
    const parts = {
        kernel: (dataset) => [...panel(), ...figure(dataset), ...ran, "lines.js", "sweep.js", "as_any_kernel.js", "kernel.js"],
        // Which engine it needs, the source says.
        any: () => [...host(), ...ran, ...shown, "programs.js", "any_kernel.js"],
        program: ({ program }) => [...host(), engine(true), ...ran, ...shown, `program-${program}.js`, "chapter_program.js"],
        exercise: (program) => [...(program ? host() : panel()), "tasks.js", "exercises.js", "exercise.js"],
        work: () => ["live.css", "exercises.js", "elements.js", "store.js", "work.js"],
    };
    // Loads all of a list. Where one fails, those after it have run without it.
    const loadAll = (names) => Promise.all(names.map(load)).catch((error) => (loaded.clear(), Promise.reject(error)));

    // What a link brings in its fragment: the name of a kernel, and code for it. Some who pass links on encode their signs.
    function link() {
        let hash = location.hash;
        try {
            hash = decodeURIComponent(hash);
        } catch {
            // It has a percent sign that encodes nothing.
        }
        return { hash, name: /^#live=([\w-]+)(?:&|$)/.exec(hash)?.[1], example: /^#example=[\w-]+$/.test(hash) };
    }

    // `first` puts it before what the place has.
    function offer(place, label, needed, open, first = false) {
        for (const before of place.querySelectorAll(":scope > :is(.live-open, .live-note)")) before.remove();
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
        button.className = "live-open";
        const note = document.createElement("span");
        note.setAttribute("role", "status");
        note.className = "live-note";
        if (!assembly && needed.includes("device.js")) {
            note.textContent = `“${label}” needs WebAssembly, which this browser does not have or has turned off.`;
            place.append(note);
            return button;
        }
        let loading = false;
        button.addEventListener("click", async () => {
            if (loading) return;
            loading = true;
            note.textContent = needed.includes("device.js") ? "Loading the compiler and the device …" : "Loading …";
            try {
                await loadAll(needed);
                await open(globalThis.warpbook);
                note.textContent = "";
                button.hidden = true;
            } catch (error) {
                note.textContent = `This does not run here: ${error.message}.`;
            }
            loading = false;
        });
        if (first) place.prepend(button, note);
        else place.append(button, note);
        return button;
    }

    // Wakes a figure: what the reader does first decides how it begins, and what they do meanwhile is not lost, as its handles have it.
    function wakes(place, brought) {
        let begun = null;
        let wanted = [];
        async function begin() {
            const { figure } = place;
            const note = figure.note;
            note.textContent = "Loading the compiler and the device …";
            try {
                const all = parts.kernel(place.dataset);
                // The engine is compiled while the editor comes.
                load(engine()).then(() => load("device.js")).then(() => globalThis.warpbook.prepare?.(), () => {});
                await loadAll(all);
                const alive = await globalThis.warpbook.kernel(figure, brought);
                note.textContent = "";
                const first = wanted.findLast(([kind]) => kind !== "handle") ?? wanted[0];
                if (first[0] === "code") {
                    figure.code.open = true;
                    alive.editor.view.focus();
                    if (wanted.some(([kind]) => kind === "handle")) alive.moved();
                } else if (first[0] === "run") {
                    alive.runs.focus();
                    if (!alive.waits()) alive.follow();
                } else if (first[0] === "play") figure.play(...first[1]);
                else alive.moved();
            } catch (error) {
                [begun, wanted] = [null, []];
                note.textContent = `This does not run here: ${error.message}.`;
            }
        }
        return (kind, args) => {
            wanted.push([kind, args]);
            begun ??= begin();
        };
    }

    // Puts the figure of a place there, once it is about to come into view; what a link brings takes the place of it.
    async function put(place, brought = null) {
        const { live } = place.dataset;
        if (!assembly) return;
        await loadAll(figure(place.dataset));
        if (place.figure && !brought) return;
        place.querySelector(".live-stop")?.click();
        place.querySelector(".live-figure")?.remove();
        const made = globalThis.warpbook.figure(place, live, wakes(place, brought));
        made.note = Object.assign(document.createElement("span"), { className: "live-note" });
        made.note.setAttribute("role", "status");
        made.tools.append(made.note);
    }

    // Offers what a place has, or what a link brings for it. What it has stays until the reader asks for another.
    function offered(place, brought = null) {
        const { live, page, program } = place.dataset;
        const labels = { any: "Open the editor", work: "Show your work" };
        const example = brought?.startsWith("#example=");
        const label = example ? "Open the example" : brought ? "Open the code that this link brings" : (labels[page] ?? `Run this ${program ? "program" : place.classList.contains("central") ? "experiment" : "kernel"} here`);
        const button = offer(place, label, parts[page ?? (program ? "program" : "kernel")](place.dataset), async (book) => {
            if (!live) {
                place.querySelector(".live-stop")?.click();
                place.querySelector(".live-panel")?.remove();
                return program ? book.program(place, program) : book[page](place, brought);
            }
            await put(place, brought);
            for (const before of place.querySelectorAll(":scope > :is(.live-open, .live-note)")) before.remove();
            await book.kernel(place.figure, brought);
            place.figure.run.focus();
        }, Boolean(brought));
        if (live || program) button.setAttribute("aria-label", `${label}: ${place.dataset.title}`);
        // The reader's work is what the page is for, and an example is the book's own: neither runs anything by itself.
        if (page === "work" || example) button.click();
        if (!brought) return;
        for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
        button.scrollIntoView({ block: "center" });
    }

    // The page for paper has nothing to press.
    if (/print\.html$/.test(location.pathname)) return;
    const places = [...document.querySelectorAll("main .live")];
    const bring = () => {
        const { hash, name = null, example } = link();
        for (const place of places) if ((example ? "any" : name) === (place.dataset.live ?? place.dataset.page)) offered(place, hash);
    };
    // Where a figure is about to come into view, it is there when it does.
    const near = new IntersectionObserver(
        (entries) => {
            for (const { target, isIntersecting } of entries) {
                if (!isIntersecting) continue;
                near.unobserve(target);
                put(target).catch(() => offered(target));
            }
        },
        { rootMargin: "100% 0%" }
    );
    for (const place of places) {
        if (place.dataset.live && assembly) near.observe(place);
        else offered(place);
    }
    bring();
    addEventListener("hashchange", bring);
    for (const list of document.querySelectorAll("main ol.exercises[data-live]")) {
        for (const item of list.children) {
            const button = offer(item, "Do it here", parts.exercise("program" in item.dataset), (book) => book.exercise(item, item.id));
            button.setAttribute("aria-label", `Do it here: ${item.querySelector("strong").textContent}`);
        }
    }
})();

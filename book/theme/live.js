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
    const panel = () => ["live.css", "editor.js", engine(), "elements.js", "device.js", "code.js", "panel.js", "store.js"];
    const ran = ["results.js", "views.js", "link.js"];
    const parts = {
        kernel: ({ live, needs }) => [...panel(), ...ran, `data-${live}.js`, "formula.js", "parameters.js", ...(needs?.split(" ") ?? []).map((name) => `${name}.js`), "as_any_kernel.js", "kernel.js"],
        // Which engine it needs, the source says.
        any: () => [...panel().filter((name) => name !== engine()), "host.js", ...ran, "program.js", "programs.js", "any_kernel.js"],
        exercise: (program) => [...(program ? [...panel().filter((name) => name !== engine()), "host.js"] : panel()), "tasks.js", "exercise.js"],
        work: () => ["live.css", "exercises.js", "elements.js", "store.js", "work.js"],
    };

    // What a link brings in its fragment: the name of a kernel, and code for it. Some who pass links on encode their signs.
    function link() {
        let hash = location.hash;
        try {
            hash = decodeURIComponent(hash);
        } catch {
            // It has a percent sign that encodes nothing.
        }
        return { hash, name: /^#live=([\w-]+)(?:&|$)/.exec(hash)?.[1] };
    }

    function offer(place, label, needed, open) {
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
                // Where one fails, those after it have run without it.
                await Promise.all(needed.map(load)).catch((error) => (loaded.clear(), Promise.reject(error)));
                await open(globalThis.warpbook);
                note.textContent = "";
                button.hidden = true;
            } catch (error) {
                note.textContent = `This does not run here: ${error.message}.`;
            }
            loading = false;
        });
        place.append(button, note);
        return button;
    }

    // Offers what a place has, or what a link brings for it. The panel that it has stays until the reader asks for another.
    function put(place, brought = null) {
        const { live, page } = place.dataset;
        const labels = { any: "Open the editor", work: "Show your work" };
        const label = brought ? "Open the code that this link brings" : (labels[page] ?? `Run this ${place.classList.contains("central") ? "experiment" : "kernel"} here`);
        const button = offer(place, label, parts[page ?? "kernel"](place.dataset), (book) => {
            place.querySelector(".live-stop")?.click();
            place.querySelector(".live-panel")?.remove();
            return live ? book.kernel(place, live, brought) : book[page](place, brought);
        });
        if (live) button.setAttribute("aria-label", `${label}: ${place.dataset.title}`);
        if (!brought) return;
        for (let fold = place.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
        button.scrollIntoView({ block: "center" });
    }

    // The page for paper has nothing to press.
    if (/print\.html$/.test(location.pathname)) return;
    const places = [...document.querySelectorAll("main .live")];
    const bring = () => {
        const { hash, name } = link();
        for (const place of places) if (name && name === (place.dataset.live ?? place.dataset.page)) put(place, hash);
    };
    for (const place of places) put(place);
    bring();
    addEventListener("hashchange", bring);
    for (const list of document.querySelectorAll("main ol.exercises[data-live]")) {
        for (const item of list.children) {
            const button = offer(item, "Do it here", parts.exercise("program" in item.dataset), (book) => book.exercise(item, item.id));
            button.setAttribute("aria-label", `Do it here: ${item.querySelector("strong").textContent}`);
        }
    }
})();

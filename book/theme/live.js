// Offers the page's live kernels and exercises, and loads what runs them when a reader first asks for it. All of it lies in
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
    const engine = () => WebAssembly.validate(new Uint8Array(simd)) ? "live-engine.js" : "live-engine-plain.js";
    // What each kind of place needs. Scripts run in this order.
    const parts = {
        kernel: () => ["live.css", "data.js", "editor.js", engine(), "panel.js", "hand.js", "move.js", "look.js", "any.js"],
        exercise: () => ["live.css", "editor.js", engine(), "panel.js", "exercise.js"],
        work: () => ["live.css", "data.js", "editor.js", "panel.js", "exercise.js"],
    };

    // Names, in its fragment, the kernel that a link brings code for.
    const link = /^#live=([\w-]+)&/.exec(location.hash);

    function offer(place, label, kind, open) {
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: label });
        button.className = "live-open";
        const note = document.createElement("span");
        note.setAttribute("role", "status");
        note.className = "live-note";
        let loading = false;
        button.addEventListener("click", async () => {
            if (loading) return;
            loading = true;
            note.textContent = kind === "work" ? "Loading …" : "Loading the compiler and the device …";
            try {
                await Promise.all(parts[kind]().map(load));
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

    // The page for paper has nothing to press.
    if (/print\.html$/.test(location.pathname)) return;
    for (const place of document.querySelectorAll("main .live")) {
        const { live, page } = place.dataset;
        const named = live ?? page;
        const brought = link && link[1] === named ? location.hash : null;
        const labels = { any: "Open the editor", work: "Show your work" };
        const label = brought ? "Open the code that this link brings" : (labels[page] ?? `Run this ${place.classList.contains("central") ? "experiment" : "kernel"} here`);
        const open = (book) => (live ? book.kernel(place, live, brought) : book[page](place, brought));
        const button = offer(place, label, page === "work" ? "work" : "kernel", open);
        if (live) button.setAttribute("aria-label", `${label}: ${place.dataset.title}`);
        if (brought) button.scrollIntoView({ block: "center" });
    }
    for (const list of document.querySelectorAll("main ol.exercises[data-live]")) {
        for (const item of list.children) {
            const button = offer(item, "Do it here", "exercise", (book) => book.exercise(item, item.id));
            button.setAttribute("aria-label", `Do it here: ${item.querySelector("strong").textContent}`);
        }
    }
})();

// How far the reader is: below each chapter's name in the sidebar, and which exercise is next. What is kept in this browser says it;
// which exercises and questions there are is in a script that is loaded once there is something to say.
"use strict";
(() => {
    const book = (globalThis.warpbook ??= {});

    // An exercise that this browser has kept as passed.
    function passed(name) {
        try {
            const work = JSON.parse(localStorage.getItem(`warpbook-exercise-${name}`));
            return work?.state === "passed" && typeof work.source === "string";
        } catch {
            return false;
        }
    }
    // The exercise to do after one, or from the first on: the next in the book's order that has not passed, or none.
    function nextExercise(after = null) {
        const all = globalThis.warpbookWork.exercises;
        const from = all.findIndex(({ name }) => name === after) + 1;
        return [...all.slice(from), ...all.slice(0, from)].find(({ name }) => !passed(name)) ?? null;
    }

    // What is done of a chapter, in words; nothing of one without exercises and questions.
    function done(chapter) {
        const { exercises, questions } = globalThis.warpbookWork;
        const answered = new Set(book.answers.ids());
        const [tasks, asked] = [exercises.filter((one) => one.chapter === chapter), questions[chapter] ?? []];
        const parts = [
            [tasks.filter(({ name }) => passed(name)).length, tasks.length, "exercise"],
            [asked.filter((id) => answered.has(id)).length, asked.length, "question"],
        ].filter(([, all]) => all);
        const text = parts.map(([n, all, what]) => `${n} of ${all} ${what}${all === 1 ? "" : "s"}`).join(", ");
        return { text, begun: parts.some(([n]) => n), whole: parts.length > 0 && parts.every(([n, all]) => n === all) };
    }

    function show() {
        for (const link of document.querySelectorAll("mdbook-sidebar-scrollbox ol.chapter a[href$='.html']")) {
            const { text, begun, whole } = done(new URL(link.href).pathname.split("/").at(-1).replace(/\.html$/, ""));
            link.querySelector(".progress")?.remove();
            if (!begun) continue;
            const note = Object.assign(document.createElement("small"), { className: "progress", textContent: whole ? `✓ ${text}` : text });
            link.append(" ", note);
        }
    }
    const KEPT = /^warpbook-(exercise|question)-/;
    async function progress() {
        try {
            if (!Object.keys(localStorage).some((key) => KEPT.test(key))) return;
            await book.load("exercises.js");
            show();
        } catch {
            // No storage, or a book without the list of its exercises: the sidebar is what it was.
        }
    }
    Object.assign(book, { nextExercise, progress });

    // The page for paper has no sidebar.
    if (/print\.html$/.test(location.pathname)) return;
    // After the questions' own script, which keeps the answer.
    document.addEventListener("change", ({ target }) => target.closest("fieldset.question") && progress());
    // In another window, or before this page came back from the browser's cache.
    for (const kind of ["storage", "pageshow"]) addEventListener(kind, progress);
})();

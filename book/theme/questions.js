// The questions of a page: remembers the answers in this browser, and has what is said to them read aloud. Without it, the
// questions work as well: the style sheet alone shows what is said to a choice.
"use strict";
(() => {
    // ---- What is kept of an answer, and what counts of it: here and on the page of the reader's work

    // The choice that is shown, and what was chosen, in order, up to the right one: a file to hand in has this. Whoever then reads
    // what is said to the other choices has answered already.
    const SHOWN = "warpbook-question-";
    const TRIED = "warpbook-tried-question-";

    // Below, a question is its id and its choices, the right one first; without choices where the book no longer has it.
    const isRight = (choices, one) => one === choices?.[0];
    // What counts of a list: the choices that the question has, up to the right one.
    function counted(choices, list) {
        if (!choices) return list;
        const there = list.filter((one) => choices.includes(one));
        const end = there.findIndex((one) => isRight(choices, one));
        return end < 0 ? there : there.slice(0, end + 1);
    }
    function list(id) {
        try {
            return JSON.parse(localStorage.getItem(TRIED + id));
        } catch {
            return null;
        }
    }
    // What an older version kept was the last choice alone: a wrong one does not tell what came before it, and costs nothing.
    const told = (choices, only) => (only === null || (choices && !isRight(choices, only)) ? [] : [only]);

    const shown = (id) => localStorage.getItem(SHOWN + id);
    const tried = (id, choices) => counted(choices, list(id) ?? told(choices, shown(id)));
    // The ids of the questions that have an answer here.
    const ids = () => Object.keys(localStorage).flatMap((key) => (key.startsWith(SHOWN) ? [key.slice(SHOWN.length)] : []));
    function choose(id, choices, one) {
        const before = tried(id, choices);
        // Also what has been kept by its last choice alone, which is now another.
        localStorage.setItem(TRIED + id, JSON.stringify(counted(choices, [...before, one])));
        localStorage.setItem(SHOWN + id, one);
    }
    // Puts the choices of a file beside those that were made here. Where one of the two has come to the right one, it counts: this
    // browser's before the file's. Returns whether the file's only choice has to be made again: a file of another version may be of
    // a page that kept the last one alone.
    function take(id, choices, chosen, ofAnother) {
        const here = tried(id, choices);
        if (here.some((one) => isRight(choices, one))) return false;
        const given = ofAnother && chosen.length === 1 ? told(choices, chosen[0]) : chosen;
        const theirs = counted(choices, given);
        const all = theirs.some((one) => isRight(choices, one)) ? theirs : [...new Set([...here, ...theirs])];
        const last = all.at(-1) ?? chosen.at(-1);
        if (!choices || choices.includes(last)) localStorage.setItem(SHOWN + id, last);
        localStorage.setItem(TRIED + id, JSON.stringify(all));
        return given.length < chosen.length;
    }
    (globalThis.warpbook ??= {}).answers = { ids, tried, take };

    // ---- The page's own

    for (const question of document.querySelectorAll("fieldset.question")) {
        const id = question.id.slice("question-".length);
        const inputs = [...question.querySelectorAll("input")];
        const says = (one) => one.parentElement.querySelector(".says");
        const rank = (one) => (says(one).classList.contains("right") ? 0 : 1);
        const choices = [...inputs].sort((a, b) => rank(a) - rank(b)).map(({ value }) => value);
        try {
            const last = shown(id);
            for (const one of inputs) if (one.value === last) one.checked = true;
        } catch {
            // A page that is a file may have no storage.
        }
        question.addEventListener("change", ({ target }) => {
            let unkept = "";
            try {
                choose(id, choices, target.value);
            } catch {
                // The answer is shown all the same.
                unkept = "This browser cannot keep your answer: it has no storage for this page, or no room left.";
            }
            question.querySelector(".said").textContent = [says(target).textContent, unkept].filter(Boolean).join(" ");
            let told = question.querySelector(".unkept");
            if (!unkept) return void told?.remove();
            if (!told) question.append((told = Object.assign(document.createElement("p"), { className: "unkept" })));
            told.textContent = unkept;
        });
    }
})();

// The questions of a page: remembers the answers in this browser, and has what is said to them read aloud. Without it, the
// questions work as well: the style sheet alone shows what is said to a choice.
"use strict";
(() => {
    // ---- What is kept of an answer, and what counts of it: here and on the page of the reader's work

    // The choice that is shown, and what was chosen, in order, up to the right one: a file to hand in has this. Anyone who then reads
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
            const found = JSON.parse(localStorage.getItem(TRIED + id));
            return Array.isArray(found) ? found : null;
        } catch {
            return null;
        }
    }
    // What an older version kept was the last choice alone: a wrong one does not say what came before it, and costs nothing.
    const lastOnly = (choices, only) => (only === null || (choices && !isRight(choices, only)) ? [] : [only]);

    const shown = (id) => localStorage.getItem(SHOWN + id);
    const tried = (id, choices) => counted(choices, list(id) ?? lastOnly(choices, shown(id)));
    // The ids of the questions that have an answer here.
    const ids = () => Object.keys(localStorage).flatMap((key) => (key.startsWith(SHOWN) ? [key.slice(SHOWN.length)] : []));
    function choose(id, choices, one) {
        const before = tried(id, choices);
        // Also what has been kept by its last choice alone, which is now another.
        localStorage.setItem(TRIED + id, JSON.stringify(counted(choices, [...before, one])));
        localStorage.setItem(SHOWN + id, one);
    }
    // Puts the choices of a file with those that were made here. Where one of the two has come to the right one, it counts: this
    // browser's before the file's. Returns whether the file's only choice has to be made again: a file of another version may be of
    // a page that kept the last one alone.
    function take(id, choices, chosen, ofAnother) {
        const here = tried(id, choices);
        if (here.some((one) => isRight(choices, one))) return false;
        const given = ofAnother && chosen.length === 1 ? lastOnly(choices, chosen[0]) : chosen;
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
            let note = question.querySelector(".unkept");
            if (!unkept) return void note?.remove();
            if (!note) question.append((note = Object.assign(document.createElement("p"), { className: "unkept" })));
            note.textContent = unkept;
        });
    }

    // ---- Results below questions: covered until these are answered, or until the reader chooses to see them all the same

    // On paper, and where this script does not run, nothing is.
    if (/print\.html$/.test(location.pathname)) return;
    const RESULTS = ".lab-figure:not(.drawn), .lab-table";
    const isResult = (one) => one.matches(RESULTS) || one.querySelector(RESULTS) !== null || (one.localName === "pre" && /^lab-/.test(one.textContent));
    // Where what is around a result ends.
    const ENDS = "h1, h2, h3, fieldset.question, details";
    const isOpen = (question) => !question.querySelector("input:checked");
    const covers = [];

    // Covers a result with what is said of it, up to the next heading or question. What runs kernels covers its own results.
    function cover(from, questions) {
        const parts = [];
        for (let one = from; one && !one.matches(ENDS); one = one.nextElementSibling) if (!one.matches(".live")) parts.push(one);
        const links = questions.flatMap((question, n) => {
            const link = Object.assign(document.createElement("a"), { href: `#${question.id}`, textContent: question.querySelector("legend").textContent });
            return n ? [n < questions.length - 1 ? ", " : " and ", link] : [link];
        });
        const note = document.createElement("p");
        note.className = "covered";
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Show them now" });
        note.append("The results here answer ", ...links, ". They are covered until you have chosen. ", button);
        from.before(note);
        const uncover = () => {
            for (const one of parts) one.removeAttribute("hidden");
            note.remove();
            covers.splice(covers.indexOf(all), 1);
        };
        const all = { questions, parts, uncover };
        covers.push(all);
        for (const one of parts) {
            // The browser's own search and links find it nevertheless.
            one.setAttribute("hidden", "until-found");
            one.addEventListener("beforematch", uncover);
        }
        button.addEventListener("click", () => {
            // All that the same questions cover.
            for (const same of covers.filter((one) => one.questions === questions)) same.uncover();
            // The button is gone: the focus stays where it was.
            const shown = Object.assign(document.createElement("p"), { className: "covered", tabIndex: -1, textContent: "The results are shown." });
            from.before(shown);
            shown.focus();
        });
    }

    let group = [];
    let over = false;
    for (const one of document.querySelectorAll(`main > :is(fieldset.question, .lab-figure, .lab-table, pre, div)`)) {
        if (one.matches("fieldset.question")) {
            if (over) group = [];
            over = false;
            if (isOpen(one)) group.push(one);
        } else if (!one.matches(".live") && isResult(one)) {
            over = true;
            if (group.length && !one.hasAttribute("hidden")) cover(one, group);
        }
    }
    const follow = () => {
        for (const one of [...covers]) if (!one.questions.some(isOpen)) one.uncover();
    };
    for (const question of new Set(covers.flatMap(({ questions }) => questions))) question.addEventListener("change", follow);
    // A link that leads to what is covered uncovers it, in browsers that do not do so.
    const lead = () => {
        const target = location.hash.length > 1 ? document.getElementById(location.hash.slice(1)) : null;
        for (const one of [...covers]) if (target && one.parts.some((part) => part.contains(target))) one.uncover();
    };
    addEventListener("hashchange", lead);
    lead();
    addEventListener("beforeprint", () => covers.forEach(({ parts }) => parts.forEach((one) => one.removeAttribute("hidden"))));
    addEventListener("afterprint", () => covers.forEach(({ parts }) => parts.forEach((one) => one.setAttribute("hidden", "until-found"))));
})();

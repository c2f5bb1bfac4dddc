// Remembers the answers to a page's questions in this browser, and has what is said to them read aloud. Without it, the
// questions work as well: the style sheet alone shows what is said to a choice.
"use strict";
for (const question of document.querySelectorAll("fieldset.question")) {
    const choices = [...question.querySelectorAll("input")];
    const key = "warpbook-" + question.id;
    let chosen = null;
    try {
        chosen = localStorage.getItem(key);
    } catch {
        // A page that is a file may have no storage.
    }
    const choice = choices.find((one) => one.value === chosen);
    if (choice) choice.checked = true;
    // What was chosen, in order, up to the right one: a file to hand in has this. Whoever then reads what is said to the other
    // choices has answered already. Older pages kept the last choice alone: a wrong one does not tell what came before it, and
    // costs nothing.
    const tried = () => {
        try {
            const all = JSON.parse(localStorage.getItem("warpbook-tried-" + question.id));
            return (all ?? [chosen].filter((one) => one === right)).filter((one) => choices.some(({ value }) => value === one));
        } catch {
            return [];
        }
    };
    const says = (one) => one.parentElement.querySelector(".says");
    const right = choices.find((one) => says(one).classList.contains("right"))?.value;
    question.addEventListener("change", ({ target }) => {
        question.querySelector(".said").textContent = says(target).textContent;
        try {
            localStorage.setItem(key, target.value);
            const before = tried();
            if (!before.includes(right)) {
                localStorage.setItem("warpbook-tried-" + question.id, JSON.stringify([...before, target.value]));
            }
        } catch {
            // The answer is shown all the same.
        }
    });
}

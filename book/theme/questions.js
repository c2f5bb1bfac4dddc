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
    question.addEventListener("change", ({ target }) => {
        question.querySelector(".said").textContent = target.parentElement.querySelector(".says").textContent;
        try {
            localStorage.setItem(key, target.value);
        } catch {
            // The answer is shown all the same.
        }
    });
}

// What the reader has done, kept in this browser.
"use strict";
(() => {
    const book = globalThis.warpbook;

    // A page that is a file may have no storage: then nothing is kept.
    function kept(key) {
        try {
            return JSON.parse(localStorage.getItem(key));
        } catch {
            return null;
        }
    }
    function keep(key, value) {
        try {
            if (value === null) localStorage.removeItem(key);
            else localStorage.setItem(key, JSON.stringify(value));
            return true;
        } catch {
            return false;
        }
    }

    // The key of an exercise.
    const ofExercise = (name) => `warpbook-exercise-${name}`;

    Object.assign(book, { kept, keep, ofExercise });
})();

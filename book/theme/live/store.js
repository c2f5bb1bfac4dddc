// What the reader has done, kept in this browser.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, button } = book;

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

    // What a page of another version has kept under a key, in a form that this one does not read, is put aside before the key is used.
    function putAside(key) {
        try {
            const there = localStorage.getItem(key);
            if (there !== null) localStorage.setItem(`${key}-unread`, there);
        } catch {
            // No storage, nothing to put aside.
        }
    }

    // The key of an exercise, and of a live kernel.
    const ofExercise = (name) => `warpbook-exercise-${name}`;
    const ofKernel = (name) => `warpbook-live-${name}`;

    // An exercise's work, if there is any: the draft (`source`), its state, and the source that has passed (`passed`), which no later draft
    // replaces.
    function workOf(name) {
        const work = kept(ofExercise(name));
        if (typeof work?.source !== "string") return null;
        // Earlier pages kept one source, and took nothing back from one that had passed.
        if (work.state === "passed" && typeof work.passed !== "string") work.passed = work.source;
        return work;
    }

    const LOST = "This browser cannot keep your work: it has no storage for this page, or no room left. Copy your source before you leave.";

    // Keeps a draft at each change of it, next to what else is kept with it, which another window may have changed meanwhile. A draft that
    // another takes the place of, such as one of another window or of a link, stays as `replaced`, for a button to bring back.
    class Draft {
        // `read` gives what is kept, or null; `same` says whether two drafts are the same one; `apply` shows another, with what to say of it.
        // `aside` says that the panel begins with something else than the draft, such as what a link brings.
        constructor(key, read, same, apply, aside = false) {
            Object.assign(this, { key, read, same, apply, aside });
            // What cannot be kept is reported once, and stays reported while it is so.
            this.unkept = el("p", { role: "status", class: "live-unkept" });
            this.back = button("Bring back the other draft", () => {
                const { source, replaced } = this.read() ?? {};
                const other = this.aside ? source : replaced;
                if (other === undefined) return;
                if (this.aside) this.aside = false;
                else this.replace(other);
                this.refresh();
                this.apply(other, "Your other draft is back.");
            });
            this.last = read()?.source;
            this.refresh();
        }
        put(change) {
            const there = this.read();
            if (!there) putAside(this.key);
            const before = there ?? {};
            // What is there is neither what this panel kept nor what it is to keep.
            const others = before.source !== undefined && (this.aside || !this.same(before.source, this.last)) && !this.same(before.source, change.source);
            const fits = keep(this.key, { ...before, ...(others ? { replaced: before.source } : {}), ...change });
            if (fits) [this.last, this.aside] = [change.source, false];
            const text = fits ? "" : LOST;
            if (this.unkept.textContent !== text) this.unkept.textContent = text;
            this.refresh();
        }
        // Puts another draft in the place of this one, which stays.
        replace(source) {
            this.put({ source, replaced: this.last });
        }
        refresh() {
            const now = this.read();
            this.back.hidden = this.aside ? now?.source === undefined : now?.replaced === undefined || this.same(now.replaced, now.source);
        }
        // Calls when another window has kept another draft; `gone` ends it.
        watch(gone, changed) {
            const look = ({ key }) => {
                if (gone()) return void ["storage", "pageshow"].forEach((name) => removeEventListener(name, look));
                if (key !== undefined && key !== this.key) return;
                this.refresh();
                const now = this.read();
                if (now && !this.same(now.source, this.last)) changed((this.last = now.source));
            };
            // A page that comes back from the browser's cache has missed what was reported meanwhile.
            addEventListener("storage", look);
            addEventListener("pageshow", look);
        }
    }

    Object.assign(book, { kept, keep, ofExercise, ofKernel, workOf, Draft });
})();

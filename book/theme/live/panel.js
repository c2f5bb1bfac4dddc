// What each panel with an editor has: its frame, and what runs its source on the device.
"use strict";
(() => {
    const book = globalThis.warpbook;
    const { el, words } = book;

    // What a panel says of a run: a line that says what happened, and results.
    function voice(section) {
        const status = el("p", { class: "live-status", role: "status" });
        const results = el("div", { class: "live-results" });
        const of = el("p", { class: "live-before", hidden: true }, "Of the source before your change:");
        // `kind` is what it is a case of, for the style sheet.
        const say = (text, kind = "") => {
            status.replaceChildren(...words(text));
            status.className = `live-status ${kind}`;
        };
        // Whether what is here is of another source than the editor's: what was said of that one is shown as such, without its mark.
        const stale = (is) => {
            if (is === !of.hidden) return;
            of.hidden = !is;
            section.classList.toggle("stale", is);
            if (is) status.prepend(el("span", { class: "live-before" }, "Before your change: "));
            else status.querySelector(".live-before")?.remove();
        };
        return { section, status, of, results, say, stale };
    }

    // A panel's frame: a title, tools, what is said of a run, the editor.
    function frame(title, tools, before, editor) {
        const heading = el("p", { class: "live-title" }, el("strong", {}, title));
        const section = el("section", { class: "live-panel", "aria-label": title });
        const panel = voice(section);
        section.append(heading, ...before, editor.dom, tools, panel.status, panel.of, panel.results);
        // The book turns pages with the arrow keys, and helps with “?”, wherever no field has the focus; an editor is not one to it.
        section.addEventListener("keydown", (event) => event.stopPropagation());
        return panel;
    }

    // Runs what `ask` asks for, with the buttons for it, and hands the answer on.
    class Runner {
        constructor(device, say, run, stop) {
            Object.assign(this, { device, say, run, stop });
            stop.hidden = true;
            stop.addEventListener("click", () => this.device.stop());
        }
        // Until nothing runs.
        async idle() {
            while (this.busy) await this.ended;
        }
        of(doing, request, then) {
            if (!this.busy) this.ended = this.#of(doing, request, then);
            return this.ended;
        }
        async #of(doing, request, then) {
            this.busy = true;
            // A button that is disabled would lose the focus.
            this.run.setAttribute("aria-disabled", "true");
            // So that the same words are said again.
            this.say("");
            // Only what takes long needs a button to stop it.
            const slow = setTimeout(() => {
                this.stop.hidden = false;
                this.say(doing);
            }, 150);
            const begun = performance.now();
            try {
                const answer = await this.device.ask(request);
                if (!answer.ok) throw new Error(answer.error);
                await then(answer, performance.now() - begun);
            } catch (error) {
                // The reader has given it no name.
                const why = error.message.replace(/^live kernel `any`: /, "");
                this.say(why === "stopped" ? "Stopped." : `Not run: ${why}`);
            } finally {
                clearTimeout(slow);
                const focused = document.activeElement === this.stop;
                this.stop.hidden = true;
                this.run.removeAttribute("aria-disabled");
                if (focused) this.run.focus();
                this.busy = false;
            }
        }
    }

    Object.assign(book, { voice, frame, Runner });
})();

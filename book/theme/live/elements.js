// Small helpers of all that is in `live`: elements with attributes and listeners, tables, drawings.
"use strict";
(() => {
    const book = (globalThis.warpbook ??= {});

    // An element with attributes, listeners (`onclick`) and children.
    function el(tag, attributes = {}, ...children) {
        const element = document.createElement(tag);
        for (const [name, value] of Object.entries(attributes)) {
            if (value === undefined || value === null || value === false) continue;
            if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
            else if (name === "class") element.className = value;
            else if (value === true) element.setAttribute(name, "");
            else element.setAttribute(name, value);
        }
        element.append(...children.filter((child) => child !== null && child !== undefined));
        return element;
    }
    const button = (label, onclick, attributes = {}) => el("button", { type: "button", onclick, ...attributes }, label);
    const number = (value) => (typeof value === "number" ? value.toLocaleString("en-US") : String(value));

    // A text whose names in backticks are code, as in the compiler's messages.
    const words = (text) => text.split(/`([^`]+)`/).map((part, n) => (n % 2 ? el("code", {}, part) : part));

    let ids = 0;
    const fresh = (of) => `live-${of}-${++ids}`;

    // Replaces what is in an element. Folds that the reader has opened or closed stay as they are.
    function replace(holder, ...children) {
        const name = (fold) => {
            const names = [];
            for (let one = fold; one !== holder; one = one.parentElement) if (one.matches("details")) names.push(one.firstElementChild.textContent.split(" (")[0]);
            return names.join();
        };
        const chosen = new Map([...holder.querySelectorAll("details[data-chosen]")].map((fold) => [name(fold), fold.dataset.chosen]));
        holder.replaceChildren(...children.filter((child) => child !== null && child !== undefined));
        for (const fold of holder.querySelectorAll("details")) {
            const before = chosen.get(name(fold));
            if (before) {
                fold.dataset.chosen = before;
                fold.open = before === "open";
            }
            fold.firstElementChild.addEventListener("click", () => (fold.dataset.chosen = fold.open ? "closed" : "open"));
        }
    }

    function table(caption, heads, rows, attributes = {}) {
        const cell = (content, at) =>
            at === 0
                ? el("th", { scope: "row" }, content)
                : el("td", { class: typeof content === "number" ? "number" : null }, typeof content === "number" ? number(content) : content);
        return el(
            "div",
            { class: "live-table", tabindex: "0", role: "group", "aria-label": caption },
            el(
                "table",
                attributes,
                el("caption", {}, caption),
                el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
                el("tbody", {}, ...rows.map(({ class: kind, cells }) => el("tr", { class: kind }, ...cells.map(cell))))
            )
        );
    }

    // `wide` says that it is not made for narrow screens, where it scrolls.
    function svg(text, label = "Drawing", wide = false) {
        const holder = el("div", { class: wide ? "live-svg wide" : "live-svg", tabindex: "0", role: "group", "aria-label": label });
        holder.innerHTML = text;
        return holder;
    }

    // A picture of bytes: red, green, blue and opacity of each pixel, in base64.
    function picture({ width, height, rgba }, label) {
        const canvas = el("canvas", { width, height, role: "img", "aria-label": label });
        const bytes = Uint8ClampedArray.from(atob(rgba), (c) => c.charCodeAt(0));
        canvas.getContext("2d").putImageData(new ImageData(bytes, width, height), 0, 0);
        return canvas;
    }

    Object.assign(book, { el, button, number, words, fresh, replace, table, svg, picture });
})();

// What a page needs beyond its style sheet. Without this file it has all its text; folded parts are opened by hand.
"use strict";

// A link to a place in a folded part or on a tab opens it.
function reveal() {
    let target = null;
    try {
        target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    } catch {
        // No place has such a name.
    }
    if (!target) return;
    for (let fold = target.closest("details:not([open])"); fold; fold = fold.parentElement.closest("details:not([open])")) {
        fold.open = true;
    }
    const choice = target.closest(".tab")?.previousElementSibling?.previousElementSibling;
    if (choice) choice.checked = true;
    target.scrollIntoView();
}
addEventListener("hashchange", reveal);
reveal();

// mdBook's search knows words by their stems: the beginning of a word that is longer than its stem, such as “occupan” for “occup”,
// finds nothing, and is shortened until it does. Chapters' sections and terms whose titles have what is sought come first, then what
// the chapters have of it, then the glossary, then the other pages of the last three parts (in the page, claims, appendix).
function ranks() {
    const items = [...document.querySelectorAll("mdbook-sidebar-scrollbox ol.chapter > li")];
    const from = items.indexOf(items.filter((one) => one.matches(".part-title")).at(-3));
    const names = items.slice(from).flatMap((one) => [...one.querySelectorAll("a[href]")].map(({ pathname }) => pathname.split("/").at(-1)));
    return new Map(names.map((name) => [name, name === "glossary.html" ? 2 : 3]));
}
function readied(index) {
    const search = index.search.bind(index);
    const known = (word) => {
        for (let end = word.length; end > 3; end--) if (search(word.slice(0, end), { expand: true }).length) return word.slice(0, end);
        return word;
    };
    index.search = (text, options) => {
        const whole = search(text, options);
        const found = whole.length ? whole : search(text.trim().split(/\s+/).map(known).join(" "), options);
        const ranked = ranks();
        const sought = text.trim().toLowerCase();
        const rank = ({ ref, doc }) => {
            const of = ranked.get(globalThis.search.doc_urls[ref].split("#")[0].split("/").at(-1)) ?? 1;
            return of < 3 && doc.title.toLowerCase().includes(sought) ? 0 : of;
        };
        return found.sort((a, b) => rank(a) - rank(b));
    };
    return index;
}
// The index comes as a list of sections, of which this makes what the search asks: that is smaller than the index itself.
function made({ sections, ...packed }, load) {
    if (!sections) return load.call(elasticlunr.Index, packed);
    const index = elasticlunr(function () {
        for (const field of ["title", "body", "breadcrumbs"]) this.addField(field);
        this.setRef("id");
    });
    sections.forEach(([title, breadcrumbs, body], id) => index.addDoc({ id, title, breadcrumbs, body }));
    return index;
}
if (globalThis.elasticlunr) {
    const { load } = elasticlunr.Index;
    elasticlunr.Index.load = (packed) => readied(made(packed, load));
}

// A short name in code is not broken, and so needs no box of its own, next to which a line could break before a comma. Of what is
// longer, such as a command, the words are not broken.
const SHORT = { within: 28, inCells: 12 };
for (const code of document.querySelectorAll(".content main :is(p, li, dd, td, th, figcaption, caption) code:not(pre > code)")) {
    // Some long names say themselves where they may be broken.
    if (code.children.length > 0) continue;
    const most = code.closest("td, th") ? SHORT.inCells : SHORT.within;
    const text = code.textContent;
    code.classList.toggle("short", text.length <= most);
    if (text.length <= most || !text.includes(" ")) continue;
    const words = text.split(" ").map((word) => {
        const whole = document.createElement("span");
        whole.classList.toggle("short", word.length <= most);
        whole.textContent = word;
        return whole;
    });
    code.replaceChildren(...words.flatMap((word, n) => (n > 0 ? [" ", word] : [word])));
}

// A longer name that does not fit a line is broken where one of its words ends, after `_` or before a capital. What follows it stays
// with it.
const NAME = /(\w{15,}[,.;:)]*)/;
const PARTS = /(?<=_)(?=[^_])|(?<=[a-z0-9])(?=[A-Z])/;
for (const place of document.querySelectorAll(".content main :is(td, th, ul.examples span, code:not(.short, pre > code))")) {
    const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT);
    const all = [];
    while (texts.nextNode()) all.push(texts.currentNode);
    for (const text of all) {
        if (text.parentElement.closest(".short, .name, pre, svg") || !NAME.test(text.data)) continue;
        const whole = (name) => {
            const box = Object.assign(document.createElement("bdi"), { className: "name" });
            box.append(...name.split(PARTS).flatMap((part, n) => (n > 0 ? [document.createElement("wbr"), part] : [part])));
            return box;
        };
        // Every second part is a name.
        text.replaceWith(...text.data.split(NAME).map((part, n) => (n % 2 ? whole(part) : part)));
    }
}

// On paper nothing is folded, and the ground is white: a dark theme's light text would not be seen on it.
let folded = [];
let dark;
const sheets = ["highlight", "tomorrow-night", "ayu-highlight"].map((name) => document.getElementById(`mdbook-${name}-css`));
let used = [];
addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("details:not([open])")];
    for (const fold of folded) fold.open = true;
    const themes = document.documentElement.classList;
    dark = ["coal", "navy", "ayu"].find((theme) => themes.contains(theme));
    if (!dark) return;
    themes.replace(dark, "light");
    used = sheets.map((sheet) => sheet?.disabled);
    sheets.forEach((sheet, n) => sheet && (sheet.disabled = n > 0));
});
addEventListener("afterprint", () => {
    for (const fold of folded) fold.open = false;
    folded = [];
    if (!dark) return;
    document.documentElement.classList.replace("light", dark);
    sheets.forEach((sheet, n) => sheet && (sheet.disabled = used[n]));
    dark = undefined;
});

// What is wider than the page can be scrolled with the arrow keys, once it can have the focus, and says what it is.
function reach(wide) {
    if (wide.scrollWidth <= wide.clientWidth) {
        for (const name of ["tabindex", "role", "aria-label"]) wide.removeAttribute(name);
        return;
    }
    wide.tabIndex = 0;
    // A formula already says what it is.
    if (wide.localName === "math") return;
    const caption = wide.closest("figure")?.querySelector("figcaption") ?? wide.querySelector("caption");
    wide.setAttribute("role", "group");
    wide.setAttribute("aria-label", caption?.textContent ?? (wide.localName === "code" ? "Code" : "Table"));
}
const wides = document.querySelectorAll(
    "main pre > code, main .lab-table, main .table-wrapper, main math[display='block']"
);
// Also when a folded part is opened: what is hidden has no size.
const sizes = new ResizeObserver((changed) => changed.forEach(({ target }) => reach(target)));
for (const wide of wides) sizes.observe(wide);
document.fonts.ready.then(() => wides.forEach(reach));

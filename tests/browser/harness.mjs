// What the checks in Chromium share: the built book, the browser, and what a reader does in a panel.
import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { given } from "./book.mjs";

export const { options, book, out, native, solutions, pages, url } = given({ browser: { type: "string" }, all: { type: "boolean" } });
// Pages that the short list looks at: a chapter with live kernels, exercises and questions, the page of any kernel, and the reader's work.
export const looked = options.all ? pages : ["linear-memory.html", "any-kernel.html", "your-work.html"];
if (!fs.existsSync(path.join(book, "live/live-engine.js"))) {
    console.error(`${book} was built without the engine: scripts/web, then cargo run --bin book`);
    process.exit(2);
}

const executablePath = options.browser ?? which("chromium");
export const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
function which(program) {
    const there = process.env.PATH.split(":").map((folder) => path.join(folder, program));
    return there.find((file) => fs.existsSync(file)) ?? program;
}

// Complaints of any page.
const problems = [];
// Complaints that a check means to bring about.
let meant = null;
export const expected = (form) => (meant = form);
let doing = "";
export async function open(page, { theme = "light", width = 1280, height = 900, context = null } = {}) {
    const here = context ?? (await browser.newContext({ viewport: { width, height }, reducedMotion: "reduce" }));
    const tab = await here.newPage();
    tab.on("console", (message) => message.type() === "error" && problems.push(`${page}${doing}: console: ${message.text()}`));
    tab.on("pageerror", (error) => problems.push(`${page}${doing}: ${error.message}`));
    tab.asked = [];
    tab.on("request", (request) => tab.asked.push(request.url()));
    tab.on("request", (request) => /^(file|blob|data|about):/.test(request.url()) || problems.push(`${page}: asks ${request.url()}`));
    // Light is what a page has anyway. In Chromium 156, what a page writes so early can hide what the page before has stored.
    if (theme !== "light") await tab.addInitScript((name) => localStorage.setItem("mdbook-theme", name), theme);
    const [file, fragment] = page.split("#");
    await tab.goto(url(file) + (fragment === undefined ? "" : `#${fragment}`));
    return tab;
}
export const close = (tab) => tab.context().close();

// How many checks have failed.
export const failed = { count: 0 };
export async function check(name, run) {
    if (options.only && !name.includes(options.only)) return;
    doing = ` (${name})`;
    const before = problems.length;
    const begun = performance.now();
    let why = null;
    try {
        await run();
    } catch (error) {
        why = error.stack;
    }
    const told = problems.splice(before).filter((one) => !meant?.test(one));
    meant = null;
    if (why || told.length) failed.count++;
    console.log(`${why || told.length ? "FAILED" : "ok    "} ${name} (${Math.round(performance.now() - begun)} ms)`);
    for (const one of [why, ...told].filter(Boolean)) console.log(`       ${one.replaceAll("\n", "\n       ")}`);
    doing = "";
}

// A check of the long list: with --all, or where it is asked for by its name. The short one does each kind of thing once.
export const long = (name, run) => (options.all || options.only ? check(name, run) : console.log(`left to --all: ${name}`));

export const place = (tab, name) => tab.locator(`#live-${name}`);
export const status = (where) => where.locator(".live-status").first();
// Figures come when they are about to come into view.
export async function near(where) {
    await where.evaluate((one) => one.scrollIntoView());
    await where.locator(".live-open").first().waitFor({ timeout: 30000 });
}
export async function opened(where, { covered = false } = {}) {
    // The reader's work is there without a button.
    if ((await where.getAttribute("data-page")) === "work") return where.locator(".live-panel").waitFor({ timeout: 30000 });
    await near(where);
    const button = where.locator(".live-open").first();
    const runs = await button.evaluate((one) => one.closest(".live-figure, [data-program]") !== null);
    await button.click();
    await where.locator(".live-panel").waitFor({ timeout: 30000 });
    // A figure's button runs it, and a program's, but for code of someone's own.
    if (runs) await until(where, OPENED);
    // The code of a figure is folded where there is no room beside it.
    await where.locator(".live-code").evaluateAll((all) => all.forEach((one) => (one.open = true)));
    if (!covered) await uncovered(where);
}
// Until the status is of this form; its text.
export async function until(where, form, timeout = 60000) {
    const line = status(where);
    const end = Date.now() + timeout;
    for (;;) {
        const text = await line.textContent();
        if (form.test(text)) return text;
        assert(Date.now() < end, `the status stays at: ${text}`);
        await new Promise((done) => setTimeout(done, 20));
    }
}
export const ENDED = /^(The results|Results|It has run|It does not compile|A fault|Ended|Stopped|Not run|\d+ (of|elements))/;
const OPENED = new RegExp(`${ENDED.source}|^This is your (code|text)`);
// Puts the example of a kernel alone into the panel of any kernel, in the place of a whole program.
export async function alone(where) {
    await where.locator(".live-examples").selectOption("alone");
    await until(where, /^This is the example/);
}
export async function run(where) {
    await where.locator(".live-run").click();
    return until(where, ENDED);
}
// Puts a text into an editor by keyboard.
export async function write(tab, where, text) {
    await where.locator(".cm-content").focus();
    await tab.keyboard.press("ControlOrMeta+a");
    await tab.keyboard.insertText(text);
}
// The field of a parameter; its slider has the same words.
export const handle = (where, title) => where.locator(".live-parameters").first().getByLabel(title, { exact: true }).last();
export async function put(where, title, value) {
    const field = handle(where, title);
    if ((await field.evaluate((one) => one.tagName)) === "SELECT") return field.selectOption(String(value));
    await field.fill(String(value));
    await field.press("Tab");
}
export async function uncovered(where) {
    const show = where.getByRole("button", { name: "Show the result" });
    if (await show.count()) await show.click();
}
// What a line says once something that is done has changed it; a few seconds later also where it has not.
export async function settled(line, act) {
    const before = await line.textContent();
    await act();
    for (let n = 0; n < 250 && (await line.textContent()) === before; n++) await line.page().waitForTimeout(20);
    return line.textContent();
}
export const source = (tab, name) => tab.evaluate((name) => warpbookLive[name].source, name);

const packed = new Map();
export function size(files) {
    const known = (file) => packed.get(file) ?? packed.set(file, { bytes: fs.statSync(file).size, gzipped: gzipSync(fs.readFileSync(file), { level: 9 }).length }).get(file);
    return [...files].map(known).reduce((sum, one) => ({ bytes: sum.bytes + one.bytes, gzipped: sum.gzipped + one.gzipped }), { bytes: 0, gzipped: 0 });
}
// The browser's own list of a page's resources has no files: requests are noted instead.
export const loaded = (tab) => new Set(tab.asked.filter((name) => name.startsWith("file:")).map((name) => fileURLToPath(name.split(/[?#]/)[0])));
// What is folded is opened, as a link to it would.
export const unfold = (where) =>
    where.evaluate((one) => {
        for (let fold = one.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    });

// Figures that are printed at the end.
export const tables = { visits: [], runs: [], keys: [] };

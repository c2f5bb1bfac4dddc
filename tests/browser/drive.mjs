// Drives browsers that are there as they come, without a library: Firefox by WebDriver BiDi, WebKitGTK's MiniBrowser by its
// WebDriver. Both give the same: pages that are opened, scripts that run in them, keys, screenshots.
import { spawn } from "node:child_process";
import fs from "node:fs";
import http from "node:http";
import os from "node:os";
import path from "node:path";

const wait = (milliseconds) => new Promise((done) => setTimeout(done, milliseconds));
// Names of keys, as both protocols have them.
export const KEYS = { Control: "\uE009", Enter: "\uE007", Escape: "\uE00C", Tab: "\uE004", Down: "\uE015", Right: "\uE014" };

const children = [];
function started(command, args, environment = {}) {
    const child = spawn(command, args, { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "pipe"] });
    child.said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (child.said += data));
    child.failed = new Promise((_, fail) => child.on("error", fail));
    child.failed.catch(() => {});
    children.push(child);
    return child;
}
process.on("exit", () => children.forEach((child) => child.kill()));
async function said(child, form) {
    for (let n = 0; n < 300; n++) {
        const found = form.exec(child.said);
        if (found) return found;
        if (child.exitCode !== null) break;
        await Promise.race([wait(100), child.failed]);
    }
    throw new Error(`it did not start: ${child.said}`);
}

// A page whose scripts run by `call(text)`, the text of an expression, which gives JSON.
class Tab {
    async evaluate(script, ...args) {
        const expression = `(async () => JSON.stringify((await (${script})(...${JSON.stringify(args)})) ?? null))()`;
        return JSON.parse(await this.call(expression));
    }
    // Several keys at once, as Control and Enter.
    async keys(...names) {
        const values = names.map((name) => KEYS[name] ?? name);
        const down = values.map((value) => ({ type: "keyDown", value }));
        await this.actions([{ type: "key", id: "keyboard", actions: [...down, ...down.toReversed().map(({ value }) => ({ type: "keyUp", value }))] }]);
    }
}

class Firefox extends Tab {
    #next = 0;
    #waiting = new Map();
    #problems = [];
    async start(binary) {
        this.profile = fs.mkdtempSync(path.join(os.tmpdir(), "firefox-"));
        const child = (this.child = started(binary, ["--headless", "--no-remote", "--profile", this.profile, "--remote-debugging-port", "0", "about:blank"]));
        const [, address] = await said(child, /WebDriver BiDi listening on (ws:\S+)/);
        this.socket = new WebSocket(`${address}/session`);
        await new Promise((done, fail) => Object.assign(this.socket, { onopen: done, onerror: () => fail(new Error("no connection to Firefox")) }));
        this.socket.onmessage = ({ data }) => this.#told(JSON.parse(data));
        const { capabilities } = await this.ask("session.new", { capabilities: {} });
        await this.ask("session.subscribe", { events: ["log.entryAdded", "network.beforeRequestSent"] });
        const { contexts } = await this.ask("browsingContext.getTree", {});
        this.context = contexts[0].context;
        this.version = `Firefox ${capabilities.browserVersion}`;
        return this;
    }
    #told({ id, type, error, message, result, method, params }) {
        if (type === "event") {
            if (method === "log.entryAdded" && params.level === "error") this.#problems.push(params.text);
            const url = method === "network.beforeRequestSent" ? params.request.url : "file:";
            if (!/^(file|blob|data|about):/.test(url)) this.#problems.push(`asks ${url}`);
            return;
        }
        const waiting = this.#waiting.get(id);
        this.#waiting.delete(id);
        if (type === "error") waiting?.fail(new Error(`${error}: ${message}`));
        else waiting?.done(result);
    }
    // What pages complained of since this was asked last.
    complaints() {
        return this.#problems.splice(0);
    }
    ask(method, params) {
        const id = ++this.#next;
        return new Promise((done, fail) => {
            this.#waiting.set(id, { done, fail });
            this.socket.send(JSON.stringify({ id, method, params }));
        });
    }
    open(url) {
        return this.ask("browsingContext.navigate", { context: this.context, url, wait: "complete" });
    }
    async call(expression) {
        const answer = await this.ask("script.evaluate", { expression, target: { context: this.context }, awaitPromise: true });
        if (answer.type === "exception") throw new Error(answer.exceptionDetails.text);
        return answer.result.value;
    }
    actions(actions) {
        return this.ask("input.performActions", { context: this.context, actions });
    }
    async screenshot(file) {
        const { data } = await this.ask("browsingContext.captureScreenshot", { context: this.context });
        fs.writeFileSync(file, Buffer.from(data, "base64"));
    }
    async close() {
        await this.ask("browser.close", {}).catch(() => {});
        // It writes to its profile until it ends.
        for (let n = 0; n < 100 && this.child.exitCode === null; n++) await wait(100);
        fs.rmSync(this.profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    }
}

// What a page complains of once it is loaded, noted in the page itself.
const listen = () => {
    const told = (window.complaints = []);
    addEventListener("error", ({ message }) => told.push(message));
    addEventListener("unhandledrejection", ({ reason }) => told.push(String(reason)));
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => told.push(`${violatedDirective} forbids ${blockedURI}`));
    const { error } = console;
    console.error = (...words) => (told.push(words.join(" ")), error.apply(console, words));
};

class WebKit extends Tab {
    #environment = {};
    #binary = null;
    #told = [];
    async start(binary) {
        this.#binary = binary;
        const environment = this.#environment;
        // It needs a display; without one, Xvfb is one.
        if (!process.env.DISPLAY && !process.env.WAYLAND_DISPLAY) {
            const display = `:${90 + (process.pid % 400)}`;
            started("Xvfb", [display, "-screen", "0", "1280x1000x24"]);
            await wait(1500);
            environment.DISPLAY = display;
        }
        const port = 20000 + (process.pid % 20000);
        started("WebKitWebDriver", [`--port=${port}`], environment);
        this.base = `http://127.0.0.1:${port}`;
        // Its driver tells nothing of requests: those to other hosts come to this.
        this.proxy = http.createServer(({ url }, answer) => (this.#told.push(`asks ${url}`), answer.writeHead(403).end()));
        this.proxy.on("connect", ({ url }, socket) => (this.#told.push(`asks ${url}`), socket.destroy()));
        await new Promise((done) => this.proxy.listen(0, "127.0.0.1", done));
        const options = { binary, args: ["--automation", `--proxy=http://127.0.0.1:${this.proxy.address().port}`] };
        const wanted = { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options, timeouts: { script: 120000, pageLoad: 120000 } } } };
        for (let n = 0; ; n++) {
            try {
                const { sessionId, capabilities } = await this.post("/session", wanted);
                this.base += `/session/${sessionId}`;
                this.version = `WebKitGTK ${capabilities.browserVersion}`;
                return this;
            } catch (error) {
                if (n >= 20) throw error;
                await wait(500);
            }
        }
    }
    async post(to, body = {}, method = "POST") {
        const sent = method === "POST" ? { method, body: JSON.stringify(body), headers: { "content-type": "application/json" } } : { method };
        const { value } = await (await fetch(this.base + to, sent)).json();
        if (value?.error) throw new Error(`${value.error}: ${value.message}`);
        return value;
    }
    async open(url) {
        await this.#note();
        await this.post("/url", { url });
        await this.post("/execute/sync", { script: `(${listen})()`, args: [] });
    }
    call(expression) {
        return this.post("/execute/async", { script: `const done = arguments[0]; ${expression}.then(done, (error) => done(JSON.stringify({ thrown: String(error) })));`, args: [] });
    }
    actions(actions) {
        return this.post("/actions", { actions });
    }
    async screenshot(file) {
        fs.writeFileSync(file, Buffer.from(await this.post("/screenshot", {}, "GET"), "base64"));
    }
    // What pages complained of since this was asked last.
    async complaints() {
        await this.#note();
        return this.#told.splice(0);
    }
    async #note() {
        const script = () => window.complaints?.splice(0) ?? [];
        this.#told.push(...(await this.evaluate(script).catch(() => [])));
    }
    // What a page complains of while it is loaded, which the driver does not tell: another browser, without a driver, prints it.
    async whileLoaded(url) {
        const args = ["--enable-write-console-messages-to-stdout=true", "--exit-after-load", url];
        const child = started(this.#binary, args, this.#environment);
        await Promise.race([new Promise((done) => child.on("close", done)), wait(60000), child.failed]);
        child.kill();
        return child.said.split("\n").filter((line) => /^(\S+: )?CONSOLE .*ERROR/.test(line));
    }
    async close() {
        await this.post("", {}, "DELETE").catch(() => {});
        this.proxy.close();
    }
}

const MINI = ["/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/libexec", "/usr/lib"].flatMap((folder) =>
    ["webkit2gtk-4.1", "webkitgtk-6.0", "webkit2gtk-4.0"].map((kind) => path.join(folder, kind, "MiniBrowser"))
);
const there = (program) => process.env.PATH.split(":").map((folder) => path.join(folder, program)).find((file) => fs.existsSync(file));

// What starts a browser, or nothing where it is not there.
export function found(name) {
    if (name === "firefox") {
        const binary = there("firefox") ?? there("firefox-esr");
        return binary && (() => new Firefox().start(binary));
    }
    const binary = MINI.find((file) => fs.existsSync(file));
    return binary && there("WebKitWebDriver") && (() => new WebKit().start(binary));
}

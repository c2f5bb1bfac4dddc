// The built book that a check looks at, as scripts/browser was told of it.
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

// Options that the checks of all browsers have, and those of one.
export function given(own) {
    const common = ["root", "native", "solutions", "out", "only"].map((name) => [name, { type: "string" }]);
    const { values: options, positionals } = parseArgs({ allowPositionals: true, options: { ...Object.fromEntries(common), ...own } });
    const book = path.resolve(positionals[0] ?? path.join(options.root, "target/book"));
    const out = options.out ? path.resolve(options.out) : fs.mkdtempSync(path.join(os.tmpdir(), "browser-"));
    fs.mkdirSync(out, { recursive: true });
    const [native, solutions] = [options.native, options.solutions].map((file) => (file ? JSON.parse(fs.readFileSync(file, "utf8")) : null));
    const pages = fs.readdirSync(book).filter((name) => name.endsWith(".html") && !["404.html", "toc.html", "print.html"].includes(name));
    return { options, book, out, native, solutions, pages, url: (page) => pathToFileURL(path.join(book, page)).href };
}

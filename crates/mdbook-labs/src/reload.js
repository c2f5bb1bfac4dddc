// Reloads a served page when it was rebuilt and differs, at the place where it is read. `version` is that of this page.
(version => {
    const PLACE = "warpbook-place";
    const summaries = () => [...document.querySelectorAll("main details > summary")];

    const top = e => e.getBoundingClientRect().top;

    // Texts that stay what they are when results are added: of a table's row its head alone.
    const TEXTS = ["h1", "h2", "h3", "h4", "p", "li", "pre", "figcaption", "caption", "th", "td:first-child"];
    const texts = () =>
        [...document.querySelectorAll(`main :is(${TEXTS})`)].filter(e => e.getClientRects().length);
    const heading = before => texts().filter(e => e.id && e.matches("h1, h2, h3, h4") && top(e) <= before).pop();

    // The first text that is in sight: how far from the top, and how far below its heading. What is above may change.
    const place = () => {
        const first = texts().find(e => e.getBoundingClientRect().bottom > 0);
        const head = first && heading(top(first));
        return {
            path: location.pathname,
            text: first?.textContent,
            top: first && top(first),
            head: head?.id,
            below: head && top(first) - top(head),
            open: summaries().map(s => [s.textContent, s.parentElement.open]),
            focus: document.activeElement?.id,
        };
    };

    const restore = then => {
        const was = new Map(then.open);
        for (const s of summaries()) {
            s.parentElement.open = was.get(s.textContent) ?? s.parentElement.open;
        }
        if (then.focus) document.getElementById(then.focus)?.focus({ preventScroll: true });
        // Of several with the same words, such as heads of rows, the one about where it was in its section.
        const head = then.head && document.getElementById(then.head);
        const expected = head ? top(head) + then.below : then.top;
        const away = e => Math.abs(top(e) - expected);
        const [there] = texts().filter(e => e.textContent === then.text).sort((a, b) => away(a) - away(b));
        if (there) scrollBy({ top: top(there) - then.top, behavior: "instant" });
        // Not before the browser is done: it would restore the old distance from the page's beginning.
        setTimeout(() => (history.scrollRestoration = "auto"), 1000);
    };

    const kept = sessionStorage.getItem(PLACE);
    sessionStorage.removeItem(PLACE);
    if (kept) {
        const then = JSON.parse(kept);
        if (then.path === location.pathname) addEventListener("load", () => restore(then));
    }

    // Says why the sources cannot be built; empty again once they can.
    const notice = document.createElement("div");
    notice.id = "warpbook-not-built";
    notice.setAttribute("role", "status");
    notice.style.cssText =
        "position:fixed;inset:auto 0 0 0;z-index:200;max-height:40vh;overflow:auto;white-space:pre-wrap;" +
        "background:#7a1f1f;color:#fff;font:14px/1.4 monospace";
    document.body.append(notice);
    const tell = text => {
        if (notice.textContent === text) return;
        notice.textContent = text;
        notice.style.padding = text ? "0.6em 1em" : "0";
    };

    const writing = () => document.activeElement?.matches("input[type=search], input[type=text], textarea");
    const look = async () => {
        try {
            const answer = await fetch(`${location.pathname}?version`, { cache: "no-store" });
            const text = await answer.text();
            if (answer.status === 500) {
                tell(`The book cannot be built:\n${text}`);
            } else if (answer.ok) {
                tell("");
                if (text !== version && !writing()) {
                    sessionStorage.setItem(PLACE, JSON.stringify(place()));
                    history.scrollRestoration = "manual";
                    location.reload();
                    return;
                }
            }
        } catch {
            // The server has ended; it may be started again.
        }
        setTimeout(next, 1000);
    };
    // A page that nobody sees asks nothing.
    const next = () => {
        if (document.visibilityState === "visible") look();
        else document.addEventListener("visibilitychange", next, { once: true });
    };
    setTimeout(next, 1000);
})("VERSION");

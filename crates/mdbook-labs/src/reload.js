// Reloads a served page when it was built anew and differs, at the place where it is read. `version` is that of this page.
(version => {
    const PLACE = "warpbook-place";
    const summaries = () => [...document.querySelectorAll("main details > summary")];

    // The first text that is in sight, and how far from the top: what is above it may change.
    const place = () => {
        const all = [...document.querySelectorAll("main :is(h1, h2, h3, h4, p, li, pre, caption, figcaption)")];
        const first = all.find(e => e.getBoundingClientRect().bottom > 0);
        return {
            path: location.pathname,
            text: first?.textContent,
            top: first?.getBoundingClientRect().top,
            open: summaries().map(s => [s.textContent, s.parentElement.open]),
            focus: document.activeElement?.id,
        };
    };

    const restore = ({ text, top, open, focus }) => {
        const was = new Map(open);
        for (const s of summaries()) {
            s.parentElement.open = was.get(s.textContent) ?? s.parentElement.open;
        }
        if (focus) document.getElementById(focus)?.focus({ preventScroll: true });
        const all = [...document.querySelectorAll("main :is(h1, h2, h3, h4, p, li, pre, caption, figcaption)")];
        const there = all.find(e => e.textContent === text);
        if (there) scrollBy({ top: there.getBoundingClientRect().top - top, behavior: "instant" });
        history.scrollRestoration = "auto";
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

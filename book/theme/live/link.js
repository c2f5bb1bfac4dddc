// Links that hold code and parameters in their fragment. What one brings never runs before the reader asks.
"use strict";
(() => {
    const book = globalThis.warpbook;

    const url = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
    async function through(bytes, stream) {
        return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
    }
    async function pack(value) {
        const bytes = new TextEncoder().encode(JSON.stringify(value));
        return url(await through(bytes, new CompressionStream("deflate-raw")));
    }
    const MOST = 1 << 22;
    async function unpack(text) {
        const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
        const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
        const parts = [];
        let length = 0;
        for (let part = await reader.read(); !part.done; part = await reader.read()) {
            length += part.value.length;
            if (length > MOST) throw new Error("the link holds too much");
            parts.push(part.value);
        }
        return JSON.parse(await new Blob(parts).text());
    }
    const hash = async (name, value) => `#live=${name}&${await pack(value)}`;
    // What a fragment holds, or nothing where it is damaged.
    async function brought(fragment) {
        try {
            return await unpack(fragment.slice(fragment.indexOf("&") + 1));
        } catch {
            return null;
        }
    }

    async function copyLink(name, value, say) {
        const link = location.href.split("#")[0] + (await hash(name, value));
        try {
            await navigator.clipboard.writeText(link);
            say("The link is copied: it holds the code and the parameters.");
        } catch {
            history.replaceState(null, "", link);
            say("The link is in the address bar: it holds the code and the parameters.");
        }
    }

    Object.assign(book, { hash, brought, copyLink });
})();

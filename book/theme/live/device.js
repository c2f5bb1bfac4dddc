// The embedded device, each in a worker of its own. It is asked in JSON (crates/web says what) and answers so.
"use strict";
(() => {
    const book = globalThis.warpbook;

    const WORKER = `"use strict";
let module, wasm;
const host = typeof programs === "function" ? programs(postMessage) : null;
const begin = async () => {
    const { exports } = await WebAssembly.instantiate(module, host?.imports ?? {});
    host?.attach(exports);
    return exports;
};
onmessage = async ({ data }) => {
    if (data.module) {
        module = data.module;
        wasm = begin();
        return;
    }
    try {
        const { memory, reserve, respond } = await wasm;
        const request = new TextEncoder().encode(data.request);
        const at = reserve(request.length) >>> 0;
        new Uint8Array(memory.buffer, at, request.length).set(request);
        const out = respond(at, request.length) >>> 0;
        const length = new DataView(memory.buffer).getUint32(out, true);
        const answer = new TextDecoder().decode(new Uint8Array(memory.buffer, out + 4, length));
        // What has failed within the engine leaves it as it was then.
        if (host && !host.end()) wasm = begin();
        postMessage({ id: data.id, answer });
    } catch (error) {
        host?.end();
        postMessage({ id: data.id, error: String(error) });
    }
};`;

    function started(source) {
        const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
        const worker = new Worker(url);
        URL.revokeObjectURL(url);
        return worker;
    }

    // Unpacks and compiles the module: in a worker, whose text this becomes, and in the page where a worker cannot pass it on.
    const compile = ({ wasm, size }, unpack) => WebAssembly.compile(unpack(wasm, size));
    const compiled = new Map();
    // The module of an engine, with whole programs or without, made once a page, in a worker.
    async function moduleOnce(host) {
        // Pages of kernels alone do not begin with the host's side.
        await Promise.all([book.load(book.engine(host)), host && book.load("host.js")]);
        const make = (resolve, reject) => {
            const { wasm, size, unpack } = globalThis[host ? "warpbookHostEngine" : "warpbookEngine"];
            const worker = started(`onmessage = async ({ data }) => postMessage(await (${compile})(data, ${unpack}));`);
            const here = () => (worker.terminate(), compile({ wasm, size }, unpack).then(resolve, reject));
            worker.onerror = worker.onmessageerror = here;
            worker.onmessage = ({ data }) => (worker.terminate(), resolve(data));
            worker.postMessage({ wasm, size });
        };
        if (!compiled.has(host)) compiled.set(host, new Promise(make));
        return compiled.get(host);
    }

    // What only the engine with whole programs has, as a source of kernels names it (PROGRAMS in crates/cuda/build.rs).
    const BEYOND = /\bblock_tile_memory\b|\b(?:tiled_partition|thread_block_tile)\s*<\s*(?:64|128|256|512)\b|^\s*#\s*include\s*[<"](?:(?:curand_kernel|cuda_bf16|cuda_fp8|helper_math|mma)\.h|cuda\/(?:std\/)?(?:atomic|barrier|pipeline|ptx)\b)|\bcuda(?:GetError(?:Name|String)|GetDevice(?:Count)?|DeviceGet(?:Attribute|Limit|CacheConfig|SharedMemConfig)|RuntimeGetVersion|OccupancyMaxActiveBlocksPerMultiprocessor\w*|Event(?:CreateWithFlags|Record\w*|Destroy)|StreamWaitEvent|Memcpy(?:[23]D)?Async|Memset(?:[23]D)?Async|M(?:alloc|emcpyKind|emcpy3DParms)|Free|Array\w*_t|FuncCache|SharedMemConfig|Limit|DeviceAttr)\b|\b(?:[jy][01n]f?|cyl_bessel_i[01]f?|erf(?:cx?|c?inv)?f?|normcdf(?:inv)?f?|[lt]gammaf?|__v[a-z]\w*|surf(?:[123]D|Cubemap)\w*)\s*[(<]/m;
    const isBeyond = (text) => BEYOND.test(text);

    // A device of its own, which remembers what it ran last.
    class Device {
        #worker = null;
        #waiting = new Map();
        #next = 0;
        #output;
        // One with the larger engine, from the first source on that needs it, and whether it is the one that ran last.
        #larger = null;
        #ranLarger = false;

        // It is made ready while the reader looks at what asks it. One with `output` runs whole programs, too, and hands on what they print.
        constructor(output = null) {
            this.#output = output;
            this.#start().catch(() => {}); // reported to each request
        }

        async #start() {
            const module = await moduleOnce(this.#output !== null);
            if (!this.#worker) {
                this.#worker = started(this.#output ? `${book.programs}\n${WORKER}` : WORKER);
                this.#worker.onmessage = ({ data }) => this.#answered(data);
                this.#worker.onerror = (event) => this.stop(event.message || "its worker failed");
                this.#worker.postMessage({ module });
            }
            return this.#worker;
        }

        #answered({ id, answer, error, output }) {
            if (output) return this.#output(output);
            const waiting = this.#waiting.get(id);
            this.#waiting.delete(id);
            if (error === undefined) return waiting?.resolve(JSON.parse(answer));
            waiting?.reject(new Error(`the device stopped: ${error}`));
            // What it holds in memory cannot be relied on any more.
            this.stop("the device was restarted");
        }

        // Whether a request is one for the larger engine; one without a source is about what ran last.
        #needsLarger({ do: what, text }) {
            if (this.#output) return false;
            if (typeof text !== "string") return this.#ranLarger;
            const needs = isBeyond(text);
            if (what !== "compile") this.#ranLarger = needs;
            return needs;
        }

        // The answer to a request.
        async ask(request) {
            if (this.#needsLarger(request)) return (this.#larger ??= new Device(() => {})).ask(request);
            const worker = await this.#start();
            const id = ++this.#next;
            return new Promise((resolve, reject) => {
                this.#waiting.set(id, { resolve, reject });
                worker.postMessage({ id, request: JSON.stringify(request) });
            });
        }

        // Does what the reader will probably ask for first, while they look at it, and shows nothing: what a browser has never run takes it
        // up to seconds, as it interprets and compiles function by function.
        warm(request) {
            this.ask(request).catch(() => {}); // reported when it is requested
        }

        // Ends what runs; the next request starts another worker.
        stop(why = "stopped") {
            this.#larger?.stop(why);
            this.#worker?.terminate();
            this.#worker = null;
            const waiting = [...this.#waiting.values()];
            this.#waiting.clear();
            for (const { reject } of waiting) reject(new Error(why));
        }
    }

    // Makes the engine for kernels ready, while what else is needed is on its way.
    const prepare = () => moduleOnce(false);

    Object.assign(book, { Device, isBeyond, prepare });
})();

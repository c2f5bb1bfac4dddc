// What the engine of whole programs imports (crates/web/src/browser.rs): the host side of a program as an instance of its own, next to
// the engine in the same worker, whose calls of the library are the engine's.
"use strict";
(() => {
    const book = globalThis.warpbook;

    // Text of a worker's part: it has no other names than its own and the worker's.
    function programs(post) {
        // How a call of the program ended: as the engine numbers it.
        const [RETURNED, ENDED, DEPTH, FAILED] = [0, 1, 2, 3];
        // Output is passed on as it comes, up to a number of messages in a number of milliseconds; then in larger parts.
        const [MESSAGES, PERIOD, PART] = [64, 1000, 1 << 16];
        class Ended {}
        let engine = null;
        let program = null;
        let failure = "";
        // Calls that the engine is answering. What is left of them at the end an exception has passed through, and the engine with it.
        let answering = 0;
        const bytes = (at, length) => new Uint8Array(engine.memory.buffer, at >>> 0, length >>> 0);
        const text = (at, length) => new TextDecoder().decode(bytes(at, length));
        const fail = (error) => {
            failure = String(error?.message ?? error);
            return FAILED;
        };

        // Values of WebAssembly's types, by letter, to their bits and back.
        const view = new DataView(new ArrayBuffer(8));
        const toBits = {
            i: (value) => BigInt(value >>> 0),
            l: (value) => BigInt.asUintN(64, value),
            f: (value) => (view.setFloat32(0, value), BigInt(view.getUint32(0))),
            d: (value) => (view.setFloat64(0, value), view.getBigUint64(0)),
        };
        const ofBits = {
            i: (bits) => Number(BigInt.asIntN(32, bits)),
            l: (bits) => BigInt.asIntN(64, bits),
            f: (bits) => (view.setUint32(0, Number(BigInt.asUintN(32, bits))), view.getFloat32(0)),
            d: (bits) => (view.setBigUint64(0, bits), view.getFloat64(0)),
            v: () => undefined,
        };

        // A function that the program imports: the engine answers it.
        const imported = (number, params, result) => {
            const into = [...params].map((letter) => toBits[letter]);
            const back = ofBits[result];
            const at = engine.arguments() >>> 0;
            const place = () => new BigUint64Array(engine.memory.buffer, at, Math.max(into.length, 1));
            let values = place();
            return (...given) => {
                // The memory has another buffer once it has grown.
                if (!values.length) values = place();
                for (let n = 0; n < into.length; n++) values[n] = into[n](given[n]);
                answering++;
                const status = engine.answer(number, into.length);
                answering--;
                if (status !== RETURNED) throw new Ended();
                if (result === "v") return undefined;
                if (!values.length) values = place();
                return back(values[0]);
            };
        };

        // Calls a function of the program whose arguments are at a place in the engine's memory; its result takes the first's.
        const called = ({ run, params, result }, at) => {
            const place = at >>> 0;
            const given = new BigUint64Array(engine.memory.buffer, place, params.length);
            const values = [...params].map((letter, n) => ofBits[letter](given[n]));
            try {
                const value = run(...values);
                if (result !== "v") new BigUint64Array(engine.memory.buffer, place, 1)[0] = toBits[result](value);
                return RETURNED;
            } catch (error) {
                if (error instanceof Ended) return ENDED;
                // What browsers throw where there is no room for another call.
                if (error instanceof RangeError || error?.name === "InternalError") return DEPTH;
                return fail(error);
            }
        };

        // What is not passed on yet, all of it of one output.
        const held = { error: false, bytes: new Uint8Array(PART), length: 0 };
        let [since, messages] = [0, 0];
        const flush = () => {
            if (held.length) post({ output: { error: held.error, bytes: held.bytes.slice(0, held.length) } });
            held.length = 0;
        };
        const output = (error, at, length) => {
            if (held.error !== (error !== 0) || held.length + length > PART) flush();
            held.error = error !== 0;
            const from = bytes(at, length);
            if (length > PART) return post({ output: { error: held.error, bytes: from.slice() } });
            held.bytes.set(from, held.length);
            held.length += length;
            const now = performance.now();
            if (now - since > PERIOD) [since, messages] = [now, 0];
            if (messages < MESSAGES) {
                messages++;
                flush();
            }
        };

        const load = (at, length, types, typesLength) => {
            try {
                const lines = text(types, typesLength).split("\n").slice(0, -1).map((line) => line.split(" "));
                const main = lines.findIndex(([name]) => name === "main");
                const env = { fma: engine.fused, fmaf: engine.fused_single };
                lines.slice(0, main).forEach(([name, params, result], number) => (env[name] ??= imported(number, params, result)));
                const fault = (number, address) => {
                    if (!engine.fault(number, address)) throw new Ended();
                };
                const module = new WebAssembly.Module(bytes(at, length));
                const instance = new WebAssembly.Instance(module, { env, fault: { fault } }).exports;
                const table = lines.slice(main + 1).map(([, params, result], number) => ({ run: instance.__indirect_function_table.get(number + 1), params, result }));
                const starts = [
                    { run: instance.__start ?? (() => {}), params: "", result: "v" },
                    { run: instance.main, params: lines[main][1], result: lines[main][2] },
                ];
                program = { ...instance, table, starts };
                return 0;
            } catch (error) {
                fail(error);
                return new TextEncoder().encode(failure).length || 1;
            }
        };

        const imports = {
            load,
            failure: (to, most) => new TextEncoder().encodeInto(failure, bytes(to, most)).written,
            start: (which, at) => called(program.starts[which], at),
            call: (number, at) => called(program.table[number - 1], at),
            read: (address, to, length) => bytes(to, length).set(new Uint8Array(program.memory.buffer, address >>> 0, length >>> 0)),
            write: (address, from, length) => new Uint8Array(program.memory.buffer, address >>> 0, length >>> 0).set(bytes(from, length)),
            length: (address) => {
                const from = address >>> 0;
                const rest = new Uint8Array(program.memory.buffer, from);
                const end = rest.indexOf(0);
                return end < 0 ? rest.length : end;
            },
            pages: () => program.memory.buffer.byteLength / 65536,
            grow: (pages) => {
                try {
                    program.memory.grow(pages >>> 0);
                    return 1;
                } catch {
                    return 0;
                }
            },
            site: () => program.__call_site.value,
            left: () => program.__operations_left.value,
            set_left: (operations) => (program.__operations_left.value = operations),
            set_heap_end: (end) => (program.__heap_end.value = end),
            output,
        };
        return {
            imports: { program: imports },
            attach: (exports) => ([engine, program] = [exports, null]),
            // After a request: whether the engine can answer the next one.
            end: () => {
                flush();
                messages = 0;
                program = null;
                const whole = answering === 0;
                answering = 0;
                return whole;
            },
        };
    }

    Object.assign(book, { programs });
})();

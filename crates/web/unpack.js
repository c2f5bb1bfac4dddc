// A module of `size` bytes, from the text that scripts/pack.py made of it: streams of LZMA, from which instructions are put together.
// Browsers decompress gzip and deflate only; scripts/web puts this function beside that text.
(text, size) => {
    // Characters are 6 bits, or 7 from the 36th on.
    const packed = new Uint8Array((7 * text.length) >> 3);
    for (let i = 0, bits = 0, count = 0, to = 0; i < text.length; i++) {
        const code = text.charCodeAt(i);
        const value = code - 32 - (code > 34) - (code > 60) - (code > 92);
        const width = value < 36 ? 6 : 7;
        bits = (bits << width) | (value < 36 ? value : value + 36);
        count += width;
        if (count > 7) {
            count -= 8;
            packed[to++] = bits >> count;
            bits &= (1 << count) - 1;
        }
    }
    // The bytes of a raw LZMA stream (lp 0, pb 0).
    const lzma = (lc, size, packed) => {
        const STATES = 12;
        const IS_MATCH = 0;
        const IS_REP = IS_MATCH + STATES;
        const IS_REP_0 = IS_REP + STATES;
        const IS_REP_1 = IS_REP_0 + STATES;
        const IS_REP_2 = IS_REP_1 + STATES;
        const IS_LONG = IS_REP_2 + STATES;
        const LENGTH = IS_LONG + STATES;
        const REP_LENGTH = LENGTH + 274;
        const SLOT = REP_LENGTH + 274;
        const SPECIAL = SLOT + 256;
        const ALIGN = SPECIAL + 115;
        const LITERAL = ALIGN + 16;
        const odds = new Uint16Array(LITERAL + (0x300 << lc)).fill(1024);
        const out = new Uint8Array(size);
        // Range and code: variables of closures that hold more than 31 bits would be allocated anew with each change.
        const coder = new Uint32Array([0xffffffff, 0]);
        let at = 1;
        const refill = () => {
            coder[0] <<= 8;
            coder[1] = (coder[1] << 8) | packed[at++];
        };
        for (let i = 0; i < 4; i++) coder[1] = (coder[1] << 8) | packed[at++];
        const bit = (i) => {
            const one = odds[i];
            const bound = (coder[0] >>> 11) * one;
            const found = coder[1] < bound ? 0 : 1;
            if (found) {
                coder[0] -= bound;
                coder[1] -= bound;
                odds[i] = one - (one >>> 5);
            } else {
                coder[0] = bound;
                odds[i] = one + ((2048 - one) >>> 5);
            }
            if (coder[0] < 0x1000000) refill();
            return found;
        };
        const tree = (base, bits) => {
            let m = 1;
            for (let i = 0; i < bits; i++) m = (m << 1) | bit(base + m);
            return m - (1 << bits);
        };
        const reverse = (base, bits) => {
            let m = 1;
            let value = 0;
            for (let i = 0; i < bits; i++) {
                const b = bit(base + m);
                m = (m << 1) | b;
                value |= b << i;
            }
            return value;
        };
        const direct = (bits) => {
            let value = 0;
            for (let i = 0; i < bits; i++) {
                coder[0] >>>= 1;
                value <<= 1;
                if (coder[1] >= coder[0]) {
                    coder[1] -= coder[0];
                    value |= 1;
                }
                if (coder[0] < 0x1000000) refill();
            }
            return value;
        };
        const length = (base) => {
            if (!bit(base)) return tree(base + 2, 3);
            if (!bit(base + 1)) return 8 + tree(base + 10, 3);
            return 16 + tree(base + 18, 8);
        };
        let state = 0;
        let [a, b, c, d] = [0, 0, 0, 0]; // the last distances, the last one first
        let to = 0;
        while (to < size) {
            if (!bit(IS_MATCH + state)) {
                const base = LITERAL + 0x300 * (to ? out[to - 1] >>> (8 - lc) : 0);
                let symbol = 1;
                if (state >= 7) {
                    let match = out[to - a - 1];
                    do {
                        const expected = (match >>> 7) & 1;
                        match <<= 1;
                        const found = bit(base + ((1 + expected) << 8) + symbol);
                        symbol = (symbol << 1) | found;
                        if (found !== expected) break;
                    } while (symbol < 0x100);
                }
                while (symbol < 0x100) symbol = (symbol << 1) | bit(base + symbol);
                out[to++] = symbol;
                state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
                continue;
            }
            let count;
            if (bit(IS_REP + state)) {
                if (!bit(IS_REP_0 + state)) {
                    if (!bit(IS_LONG + state)) {
                        out[to] = out[to - a - 1];
                        to++;
                        state = state < 7 ? 9 : 11;
                        continue;
                    }
                } else if (!bit(IS_REP_1 + state)) {
                    [a, b] = [b, a];
                } else if (!bit(IS_REP_2 + state)) {
                    [a, b, c] = [c, a, b];
                } else {
                    [a, b, c, d] = [d, a, b, c];
                }
                count = length(REP_LENGTH);
                state = state < 7 ? 8 : 11;
            } else {
                [b, c, d] = [a, b, c];
                count = length(LENGTH);
                state = state < 7 ? 7 : 10;
                const slot = tree(SLOT + 64 * Math.min(count, 3), 6);
                a = slot;
                if (slot >= 4) {
                    const bits = (slot >>> 1) - 1;
                    a = (2 | (slot & 1)) << bits;
                    a += slot < 14 ? reverse(SPECIAL + a - slot, bits) : (direct(bits - 4) << 4) + reverse(ALIGN, 4);
                }
            }
            for (count += 2; count > 0 && to < size; count--, to++) out[to] = out[to - a - 1];
        }
        return out;
    };
    const head = new DataView(packed.buffer, packed.byteOffset);
    let start = 9 * 12;
    const streams = Array.from({ length: 9 }, (_, i) => {
        const [lc, size, length] = [0, 4, 8].map((at) => head.getUint32(12 * i + at, true));
        return { bytes: lzma(lc, size, packed.subarray(start, (start += length))), at: 0 };
    });
    const [opcodes, declarations, reads, sets, offsets, calls, cases, sorted, rest] = streams;
    const out = new Uint8Array(size + 5);
    let to = 0;
    // A number in LEB128, whose bytes are moved to the module.
    const number = (from) => {
        let value = 0;
        for (let shift = 0; ; shift += 7) {
            const byte = (out[to++] = from.bytes[from.at++]);
            value |= (byte & 127) << shift;
            if (!(byte & 128)) return value >>> 0; // nor does it go on behind the end
        }
    };
    const move = (from, count) => {
        out.set(from.bytes.subarray(from.at, (from.at += count)), to);
        to += count;
    };
    // A number in LEB128, written in as few bytes as it can.
    const write = (value) => {
        for (; value > 127; value >>>= 7) out[to++] = (value & 127) | 128;
        out[to++] = value;
    };
    // Local variables of a function, the one that was used last first; those that were not used stand behind, by their numbers.
    let recent = [];
    const local = (from) => {
        const start = to;
        let at = number(from);
        to = start;
        // One that is set is often the first that was not used.
        if (from === sets) at = at ? at - 1 : recent.length;
        while (recent.length <= at) recent.push(recent.length);
        const found = recent[at];
        for (; at > 0; at--) recent[at] = recent[at - 1];
        recent[0] = found;
        write(found);
    };
    // Opcodes with an alignment, by the byte that stands for both.
    const aligned = [];
    for (let count = rest.bytes[rest.at++]; count > 0; count--) {
        const [byte, opcode, align] = rest.bytes.subarray(rest.at, (rest.at += 3));
        aligned[byte] = [opcode, align];
    }
    // Calls `operand(stream)` for each of the next instruction's numbers that stands in its order, and `apart(width, opcode)` for those
    // that are sorted: a width of 0 is that of a number. The result is by how much the depth of blocks changes.
    let before = 0;
    const instruction = (operand, apart) => {
        before = opcodes.bytes[opcodes.at - 1];
        const pair = aligned[opcodes.bytes[opcodes.at]];
        if (pair) {
            opcodes.at++;
            [out[to], out[to + 1]] = pair;
            to += 2;
            operand(offsets);
            return 0;
        }
        const opcode = (out[to++] = opcodes.bytes[opcodes.at++]);
        switch (opcode) {
            case 0x02: case 0x03: case 0x04:
                apart(0, opcode);
                return 1;
            case 0x0b:
                return -1;
            case 0x0c: case 0x0d: case 0x23: case 0x24: case 0x41: case 0x42:
                apart(0, opcode);
                break;
            case 0x0e:
                for (let more = operand(cases); more >= 0; more--) operand(cases);
                break;
            case 0x10:
                operand(calls);
                break;
            case 0x11:
                apart(0, opcode);
                apart(0, opcode);
                break;
            case 0x20:
                operand(reads);
                break;
            case 0x21: case 0x22:
                operand(sets);
                break;
            case 0x3f: case 0x40:
                apart(1, opcode);
                break;
            case 0x43: case 0x44:
                apart(opcode === 0x43 ? 4 : 8, opcode);
                break;
            case 0xfc: {
                const which = number(opcodes);
                if (which > 7) apart([8, 10, 12, 14].includes(which) ? 2 : 1, opcode);
                break;
            }
            case 0xfd: {
                const which = number(opcodes);
                if (which <= 11 || (which >= 84 && which <= 93)) {
                    move(opcodes, 1);
                    operand(offsets);
                }
                if (which === 12 || which === 13) apart(16, opcode);
                if ((which >= 21 && which <= 34) || (which >= 84 && which <= 91)) apart(1, opcode);
            }
        }
        return 0;
    };
    // Sorted operands stand by their width, their opcode, the two bytes behind that and the one before: how many of each there are,
    // then where.
    const groups = new Map();
    const group = (width, opcode) => {
        // More than 32 bits: the lower three bytes apart. What is outside of the opcodes is 0.
        const around = (opcodes.bytes[opcodes.at] << 16) | (opcodes.bytes[opcodes.at + 1] << 8) | before;
        const key = ((width << 8) | opcode) * 2 ** 24 + around;
        let found = groups.get(key);
        if (!found) groups.set(key, (found = { bytes: sorted.bytes, at: 0, count: 0 }));
        return found;
    };
    while (opcodes.at < opcodes.bytes.length) {
        to = 0;
        instruction(() => 0, (width, opcode) => group(width, opcode).count++);
    }
    for (const key of [...groups.keys()].sort((a, b) => a - b)) {
        const found = groups.get(key);
        found.at = sorted.at;
        sorted.at += found.count * Math.floor(key / 2 ** 32);
        if (key < 2 ** 32) for (; found.count > 0; found.count--) while (sorted.bytes[sorted.at++] > 127);
    }
    opcodes.at = to = 0;
    const put = (width, opcode) => {
        const from = group(width, opcode);
        if (width) move(from, width);
        else number(from);
    };
    const operand = (from) => (from === reads || from === sets ? local(from) : number(from));
    move(rest, 8);
    while (rest.at < rest.bytes.length) {
        const section = (out[to++] = rest.bytes[rest.at++]);
        const length = number(rest);
        if (section !== 10) {
            move(rest, length);
            continue;
        }
        for (let left = number(rest); left > 0; left--) {
            // A function's size is known behind it, and stands before it.
            const size = to;
            to += 5;
            for (let runs = number(declarations); runs > 0; runs--) {
                number(declarations);
                move(declarations, 1);
            }
            recent = [];
            for (let depth = 1; depth > 0; ) depth += instruction(operand, put);
            const end = to;
            to = size;
            write(end - size - 5);
            out.copyWithin(to, size + 5, end);
            to += end - size - 5;
        }
    }
    return out.subarray(0, size);
}

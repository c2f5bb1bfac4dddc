// The bytes of a raw LZMA stream (lc 4, lp 0, pb 0), of which so many come out. Browsers decompress gzip and deflate only,
// and of those the engine is a quarter larger; scripts/web puts this function beside the packed bytes.
(packed, size) => {
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
    const odds = new Uint16Array(LITERAL + 0x300 * 16).fill(1024);
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
            const base = LITERAL + 0x300 * (to ? out[to - 1] >>> 4 : 0);
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
}

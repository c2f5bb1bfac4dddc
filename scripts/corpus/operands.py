"""Operands of the instruction corpus: lists of corner cases, by name. Data; nothing here knows an instruction."""

import random
import struct


def noise(name, count, bits):
    """Numbers that are the same in every run, and others for every list."""
    source = random.Random(f"warpbook {name}")
    return [source.getrandbits(bits) for _ in range(count)]


def signed(values, bits):
    return [value & (1 << bits) - 1 for value in values]


def f32(*values):
    return [struct.unpack("<I", struct.pack("<f", value))[0] for value in values]


def f64(*values):
    return [struct.unpack("<Q", struct.pack("<d", value))[0] for value in values]


def float_corners(bits, fraction):
    """Zeros, subnormals, the ends of the range, infinities, NaNs,
            and neighbours of one: bit patterns of any format."""
    sign = 1 << bits - 1
    infinity = sign - (1 << fraction)
    one = (infinity >> 1) & ~((1 << fraction) - 1)
    half, two = one - (1 << fraction), one + (1 << fraction)
    quiet = infinity | 1 << fraction - 1
    return [
        0, sign, 1, sign | 1, (1 << fraction) - 1, 1 << fraction, sign | 1 << fraction, infinity - 1,
        sign | infinity - 1,
        infinity, sign | infinity, quiet, infinity | 1, sign | quiet | 5, sign - 1 ^ 1 << fraction - 2, one,
        sign | one, one + 1, one - 1, half, sign | half,
        # products with the smallest normal number and the one above it are just below it: is that flushed to zero?
        one - 2, half + (1 << fraction - 1), two + (1 << fraction - 2), (1 << fraction) + 1,
        # 2^(fraction + 1), above which not every integer is there
        one + (fraction + 1 << fraction), sign | one + (fraction + 1 << fraction) + 1,
    ]  # fmt: skip


INT16 = [0, 1, 2, 3, 7, 0x7F, 0x80, 0xFF, 0x100, 0x1234, 0x7FFE, 0x7FFF, 0x8000, 0x8001, 0xFF00, 0xFFFE, 0xFFFF]
INT32 = [0, 1, 2, 3, 10, 0xFF, 0x7FFF, 0x8000, 0xFFFF, 0x10000, 0x7FFFFF, 0x800000, 0xFFFFFF, 0x1000000,
         0x7FFFFFFE, 0x7FFFFFFF, 0x80000000, 0x80000001, 0xFFFF0000, 0xFFFFFFFE, 0xFFFFFFFF]  # fmt: skip
INT64 = [0, 1, 2, 10, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x100000000, 0xFFFFFFFF00000000, 0x7FFFFFFFFFFFFFFE,
         0x7FFFFFFFFFFFFFFF, 0x8000000000000000, 0x8000000000000001, 0xFFFFFFFF80000000, 0xFFFFFFFFFFFFFFFE,
         0xFFFFFFFFFFFFFFFF]  # fmt: skip
HALF, BFLOAT = float_corners(16, 10), float_corners(16, 7)
SINGLE, DOUBLE = float_corners(32, 23), float_corners(64, 52)


def pairs_of(halves, name):
    """Packed halves: every value once below and once above."""
    order = halves[:]
    random.Random(f"warpbook {name}").shuffle(order)
    return [low | high << 16 for low, high in zip(halves, order)]


# name: (bytes a value, values)
LISTS = {
    "i16": (2, INT16 + noise("i16", 4, 16)),
    "i32": (4, INT32 + noise("i32", 4, 32)),
    "i64": (8, INT64 + noise("i64", 4, 64)),
    "i32few": (4, [0, 1, 3, 0x7FFFFF, 0x800000, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF] + noise("i32few", 1, 32)),
    "i64few": (8, [0, 1, 0xFFFFFFFF, 0x7FFFFFFFFFFFFFFF, 0x8000000000000000, (1 << 64) - 1] + noise("i64few",
            2, 64)),
    "i16few": (2, [0, 1, 0x7FFF, 0x8000, 0x8001, 0xFFFF] + noise("i16few", 2, 16)),
    "i32wide": (4, INT32 + [1 << bit for bit in (4, 7, 12, 20, 24, 30)] + [0x80, 0xFFFFFF80, 0xFFFFFF7F,
            0xFFFF8000,
            0xFFFF7FFF, 0x1000001, 0x1FFFFFF, 0xFFEFFFFF, 0xFE, 0x101] + noise("i32wide", 12, 32)),
    "i64wide": (8, INT64 + [1 << 24 | 1, 1 << 53, (1 << 53) + 1, (1 << 54) + 2, (1 << 54) + 6, (1 << 62) + 1,
            (1 << 63) - 512,
            (1 << 63) - 513, (1 << 64) - 1024, (1 << 64) - 1025, 65504, 65519, 65520, 0xFFFFFF7FFFFFFFFF]
            + noise("i64wide", 8, 64) + noise("i64wide short", 8, 40)),
    "i8x4": (4, [0, 0x01010101, 0x7F7F7F7F, 0x80808080, 0xFFFFFFFF, 0x80FF7F01, 0x8000, 0x7FFF8001]
            + noise("i8x4", 3, 32)),
    "sum": (4, [5, 0xFFFFFFF0]),
    "i16x2": (4, pairs_of(INT16, "i16x2") + noise("i16x2", 4, 32)),
    "count": (4, [0, 1, 2, 7, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 255, 256, 0x10001, 0xFFFFFFFF]),
    "field": (4, [0, 1, 5, 16, 31, 32, 33, 48, 63, 64, 65, 255, 256, 260, 0xFFFFFFFF]),
    "base": (4, [0, 1, 5, 16, 30, 31]),
    "offset": (4, signed([0, 1, 2, 3, 8, 32, 33, -1, -2, -5, -32], 32)),
    "selector": (4, [0x3210, 0x7654, 0x0123, 0x4567, 0x89AB, 0xCDEF, 0xFEDC, 0x5410, 0, 1, 2, 3, 0x7777,
            0xF0A5] + noise("selector", 2, 32)),
    # every byte, above and below
    "i16all": (2, [byte | (255 - byte) << 8 for byte in range(256)]),
    "fp8": (4, f32(0, -0.0, 1, -1.5, 448, 449, 463.9, 464, 465, -480, 1e9, 57344, 61439, 61440, 65536,
            2.0**-6, 2.0**-9, 2.0**-10, 3 * 2.0**-10,
            2.0**-14, 2.0**-16, 2.0**-17, 3 * 2.0**-17, 1.0625, 1.1875, 1.125, 1.375) + [1, 0x7F800000,
            0xFF800000, 0x7FC00000, 0xFFC00000]),
    "f16": (2, HALF + noise("f16", 3, 16)),
    "f16few": (2, [0, 0x8000, 1, 0x03FF, 0x0400, 0x3C01, 0xBC00, 0x7BFF, 0x7C00, 0xFC00, 0x7E00]
            + noise("f16few", 2, 16)),
    "f16x2": (4, pairs_of(HALF, "f16x2")),
    "f16x2few": (4, pairs_of([0, 0x8000, 1, 0x0400, 0x3C01, 0xBC00, 0x7BFF, 0xFC00, 0x7E00], "f16x2few")),
    "f16wide": (2, HALF + noise("f16wide", 40, 16)),
    "bf16": (2, BFLOAT + noise("bf16", 3, 16)),
    "bf16few": (2, [0, 0x8000, 1, 0x007F, 0x0080, 0x3F81, 0xBF80, 0x7F7F, 0x7F80, 0xFF80, 0x7FC0]
            + noise("bf16few", 2, 16)),
    "bf16x2": (4, pairs_of(BFLOAT, "bf16x2")),
    "bf16x2few": (4, pairs_of([0, 0x8000, 1, 0x0080, 0x3F81, 0xBF80, 0x7F7F, 0xFF80, 0x7FC0], "bf16x2few")),
    "bf16wide": (2, BFLOAT + noise("bf16wide", 40, 16)),
    "f32": (4, SINGLE),
    "f32few": (4, [0, 0x80000000, 1, 0x007FFFFF, 0x00800000, 0x7F7FFFFF, 0x7F800000, 0x7FC00000, 0x3F800001,
            0x3F7FFFFE, 0xBF800000, 0x33800000]),
    "f32wide": (4, SINGLE + f32(0.25, 0.75, 1.5, -1.5, 2.5, 3.5, 127.5, 128.0, 255.5, 255.49, -128.5, 32767.5,
            65504.0, 65519.9, 65520.0,
            65535.5, 2.0**31, 2.0**31 - 128, -(2.0**31), -(2.0**31) - 256, 2.0**32, 2.0**32 - 256,
            2.0**63, 2.0**63 - 2.0**39,
            -(2.0**63), 2.0**64, -1e20, 1e20, 2.0**-24, 2.0**-25, 3 * 2.0**-26, 2.0**-14, 2.0**-15, 1e-40,
            3.3895314e38, 3.3961775e38)
            + [0x3F801000, 0x3F803000, 0x3F800FFF, 0x3F808000, 0x3F818000, 0x3F807FFF, 0x7F7FF000,
            0xFF7FEFFF, 0x387FF000, 0x00001000, 0x7FFFFFFF, 0xFFFFFFFF, 0x7FFFF000, 0xFFABCDEF, 0x7E800001]
            + noise("f32wide", 12, 32)),
    "f64": (8, DOUBLE),
    "f64few": (8, [0, 1 << 63, 1, (1 << 52) - 1, 1 << 52, 0x7FEFFFFFFFFFFFFF, 0x7FF0000000000000,
            0x7FF8000000000123, 0x3FF0000000000001,
            0xBFF0000000000000, 0x3CA0000000000000]),
    "f64wide": (8, DOUBLE + f64(0.25, 0.75, 1.5, -1.5, 2.5, 3.5, 127.5, 255.5, -128.5, 32767.5, 65504.0,
            65519.9, 65520.0, 65535.5, 2.0**31,
            2.0**31 - 0.5, -(2.0**31), -(2.0**31) - 0.5, -(2.0**31) - 1, 2.0**32, 2.0**32 - 0.5, 2.0**63,
            2.0**63 - 1024, -(2.0**63), 2.0**64,
            -1e20, 1e20, 1e300, 2.0**-24, 2.0**-25, 2.0**-126, 2.0**-127, 2.0**-149, 2.0**-150, 1e-42,
            3.4028235677973366e38,
            3.4028235677973362e38, 16777217.0, 16777219.0) + [0x380FFFFFFFFFFFFF, 0x380FFFFFE0000000,
            0x380FFFFFF0000000, 0xB80FFFFFF0000001, 0x380FFFFFEFFFFFFF, 0x7FFABCDEF0123456,
            0xFFFFFFFFFFFFFFFF] + noise("f64wide", 12, 64)),
    # for the approximate functions, where the manual bounds the error
    "positive": (4, f32(*[2.0**power for power in (-126, -100, -20, -3, -1, 0, 1, 5, 30, 100, 126)], 0.1, 0.7,
            0.99999, 1.00001, 3.0, 10.0, 1e10,
            3e38, 1.7e-37) + [value & 0x3FFFFFFF | 0x20000000 for value in noise("positive", 12, 32)]),
    "special": (4, [0, 0x80000000, 0x7F800000, 0xFF800000, 0x7FC00000, 0xBF800000, 0xC0490FDB]),
    "angle": (4, f32(*[step * 0.19634954 for step in range(-16, 17)], 1e-3, -1e-5, 1.5707964, 0.7853982)),
    "power": (4, f32(-126, -125.5, -60.25, -10.1, -3, -1, -0.5, -1e-3, 0, 1e-6, 0.1, 0.5, 0.9, 1, 2.7, 10.6,
            33.33, 100.1, 127, 127.9)),
    "slope": (4, f32(-20, -5, -2, -1, -0.5, -0.1, -1e-3, 0, 1e-4, 0.05, 0.3, 0.7, 1, 1.5, 3, 8, 9.1, 50)),
    "ratio": (4, f32(1, -1, 3, 0.1, 7.7, -1e-10, 1e10, 12345.678, 1e-20, 1e20, 2.0**-100, 2.0**126)
            + [v & 0x3FFFFFFF | 0x20000000 for v in noise("ratio", 6, 32)]),
    "ratio64": (8, f64(1, 2, 3, 0.1, 7.7, 1e-10, 1e10, 12345.678, 1e-200, 1e200, 2.0**-1000, 2.0**1000)),
}  # fmt: skip


def tiles(name, exponent, fraction, bits=0):
    """Words for matrices of eight warps,
            256 each: any bits; numbers of about one size; of all sizes; of a few sizes; zeros
    and subnormal numbers; neighbours that cancel each other; few numbers among zeros; powers of two."""
    source = random.Random(f"warpbook {name}")
    bits = bits or 1 + exponent + fraction
    word, bias, largest = max(bits, 32), (1 << exponent - 1) - 1, (1 << exponent) - 2
    used = 1 + exponent + fraction

    def number(kind, before):
        sign, any = source.getrandbits(1) << used - 1, source.getrandbits(fraction)
        spread = {1: 1, 3: 4, 5: 3, 6: 8, 7: 12}.get(kind, 0)
        power = min(max(bias + source.randint(-spread, spread), 1), largest)
        if kind == 0:
            return source.getrandbits(used)
        if kind == 2:
            power = source.randint(0, largest)
        if kind == 4:
            power, any = source.choice([(0, 0), (0, any), (source.randint(1, 5), any), (source.randint(1,
            largest), any)])
        if kind == 5 and before is not None and source.randrange(8):
            return before ^ 1 << used - 1
        if kind == 6 and source.randrange(4):
            power, any = 0, 0
        if kind == 7:
            any = source.choice([0, 0, 1, (1 << fraction) - 1])
        return sign | power << fraction | any

    words = []
    for index in range(8 * 256):
        parts = []
        for _ in range(word // bits):
            parts.append(number(index // 256, parts[-1] if parts else None) << bits - used)
        words.append(sum(part << bits * place for place, part in enumerate(parts)))
    return words


def tile_integers():
    """Words of integers: any, and the ends of their ranges."""
    ends = [0x7F7F7F7F, 0x80808080, 0xFFFFFFFF, 0x7FFFFFFF, 0x80000000, 0x80FF7F01, 0]
    return [value if index < 1024 else ends[value % len(ends)] for index, value in enumerate(noise("tile_i32",
    2048, 32))]


LISTS |= {
    "tile_f16": (4, tiles("tile_f16", 5, 10)),
    "tile_bf16": (4, tiles("tile_bf16", 8, 7)),
    "tile_tf32": (4, tiles("tile_tf32", 8, 10, 32)),
    "tile_f32": (4, tiles("tile_f32", 8, 23)),
    "tile_f64": (8, tiles("tile_f64", 11, 52)),
    "tile_fp8": (4, tiles("tile_fp8", 4, 3)),
    "tile_i32": (4, tile_integers()),
}

"""Polynomials by which XORWOW's state moves ahead, computed anew: python3 curand_xorwow.py

Enters: the generator's definition (G. Marsaglia: Xorshift RNGs, 2003). Leaves: curand_xorwow.inc. One step is a linear map A of the 160
bits of the state; its minimal polynomial p, found by Berlekamp and Massey's algorithm from one bit of the state, has degree 160. So A^n is
x^n mod p, in which A takes x's place: 160 steps and sums in place of n steps (H. Haramoto et al.: Efficient jump ahead for F2-linear random
number generators, 2008).
"""

import os

BITS = 160


def step(v):
    t = v[0] ^ (v[0] >> 2)
    last = (v[4] ^ (v[4] << 4) ^ t ^ (t << 1)) & 0xFFFFFFFF
    return [v[1], v[2], v[3], v[4], last]


def minimal():
    """The minimal polynomial of the step; bit i is the coefficient of x^i."""
    v, c, b, length, since = [1, 2, 3, 4, 5], 1, 1, 0, 1
    seen = 0  # the last bits, the newest lowest
    for n in range(2 * BITS + 20):
        seen = seen << 1 | v[4] & 1
        v = step(v)
        if bin(c & seen).count("1") & 1:
            old = c
            c ^= b << since
            if 2 * length <= n:
                length, b, since = n + 1 - length, old, 0
        since += 1
    assert length == BITS
    # The connection polynomial is the minimal one with its coefficients reversed.
    return sum((c >> i & 1) << (BITS - i) for i in range(BITS + 1))


def product(a, b, p):
    result = 0
    for i in reversed(range(BITS)):
        result <<= 1
        if result >> BITS:
            result ^= p
        if b >> i & 1:
            result ^= a
    return result


def applied(q, v):
    sums = [0] * 5
    for i in range(BITS):
        if q >> i & 1:
            sums = [a ^ b for a, b in zip(sums, v)]
        v = step(v)
    return sums


def words(q):
    return "{" + ", ".join(f"0x{q >> 32 * i & 0xFFFFFFFF:x}" for i in range(5)) + "}"


def main():
    p = minimal()
    x1000 = 1
    for _ in range(1000):
        x1000 = product(x1000, 2, p)
    v = [11, 22, 33, 44, 55]
    w = v
    for _ in range(1000):
        w = step(w)
    assert applied(x1000, v) == w
    q = 2
    for _ in range(67):
        q = product(q, q, p)
    lines = [
        "// Polynomials by which XORWOW's state moves ahead; written by curand_xorwow.py.",
        "#pragma once",
        "// The minimal polynomial of a step, without x^160.",
        f"static __device__ const unsigned __curand_xorwow_minimal[5] = {words(p & ((1 << BITS) - 1))};",
        "// x^((d + 1) * 16^k * 2^67), by k and d: subsequences by the digits of their number.",
        "static __device__ const unsigned __curand_xorwow_digits[6][15][5] = {",
    ]
    for _ in range(6):
        lines.append("    {")
        digit = q
        for d in range(15):
            lines.append(f"        {words(digit)},")
            digit = product(digit, q, p)
        lines.append("    },")
        q = digit
    lines.append("};")
    lines.append("// x^(2^91), for the rest of the number.")
    lines.append(f"static __device__ const unsigned __curand_xorwow_rest[5] = {words(q)};")
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "curand_xorwow.inc"), "w") as file:
        file.write("\n".join(lines) + "\n")


main()

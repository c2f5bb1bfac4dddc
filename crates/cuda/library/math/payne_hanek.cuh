// Reduction of large arguments by pi/2, of both precisions.
struct __quadrant {
    double r, low;  // remainder, and what it lost when it was rounded
    int q;
};
// 2/pi, 1280 bits.
__device__ const unsigned long long __two_over_pi[] = {
    0xa2f9836e4e441529ull, 0xfc2757d1f534ddc0ull, 0xdb6295993c439041ull, 0xfe5163abdebbc561ull,
    0xb7246e3a424dd2e0ull, 0x06492eea09d1921cull, 0xfe1deb1cb129a73eull, 0xe88235f52ebb4484ull,
    0xe99c7026b45f7e41ull, 0x3991d639835339f4ull, 0x9c845f8bbdf9283bull, 0x1ff897ffde05980full,
    0xef2f118b5a0a6d1full, 0x6d367ecf27cb09b7ull, 0x4f463f669e5fea2dull, 0x7527bac7ebe5f17bull,
    0x3d0739f78a5292eaull, 0x6bfb5fb11f8d5d08ull, 0x56033046fc7b6babull, 0xf0cfbc209af4361dull,
};
// Payne and Hanek: of the product of x's 53 bits and 2/pi only those bits that matter, in integers.
__device__ __noinline__ __quadrant __payne_hanek(double x)
{
    __quadrant result;
    unsigned long long bits = (unsigned long long)__double_as_longlong(x);
    int exponent = (int)(bits >> 52 & 0x7ff);
    if (exponent == 0x7ff) {
        result.r = x - x;
        result.low = 0.0;
        result.q = 0;
        return result;
    }
    // x = m 2^(exponent - 1075). The window begins so that what is before it gives multiples of 4 (times m): of the 64-bit words of
    // 2/pi, shifted, three.
    unsigned long long m = (bits & 0xfffffffffffffull) | 0x10000000000000ull;
    int skip = exponent - 1075 - 2, word = skip >> 6, shift = skip & 63;
    // Callers have |x| >= 2^16, so the window begins at most one word before the table.
    unsigned long long w0 = word >= 0 ? __two_over_pi[word] : 0;
    unsigned long long w1 = __two_over_pi[word + 1], w2 = __two_over_pi[word + 2], w3 = __two_over_pi[word + 3];
    if (shift != 0) {
        w0 = w0 << shift | w1 >> (64 - shift);
        w1 = w1 << shift | w2 >> (64 - shift);
        w2 = w2 << shift | w3 >> (64 - shift);
    }
    // The product modulo 2^192; its highest two bits are the quadrant.
    unsigned long long low = __umul64hi(m, w2), middle = m * w1, high = m * w0;
    unsigned long long sum = low + middle;
    high += __umul64hi(m, w1) + (sum < low ? 1ull : 0ull);
    int q = (int)(high >> 62);
    high = high << 2 | sum >> 62;
    sum <<= 2;
    bool negative = (long long)high < 0;  // above 1/2: the next quadrant
    if (negative) {
        q++;
        high = ~high;
        sum = ~sum;
    }
    int zeros = __clzll((long long)high);
    if (zeros != 0)
        high = high << zeros | sum >> (64 - zeros);
    // high 2^-64-zeros of a quadrant, times pi/2.
    double h = (double)(long long)(high >> 11), l = (double)(long long)(high & 0x7ff);
    double unit = __longlong_as_double((long long)(1023 - 53 - zeros) << 52);
    double product = h * 1.5707963267948966, tail = fma(h, 1.5707963267948966, -product) + fma(h, 6.123233995736766e-17, l * 7.669903939428206e-4);
    double r = product + tail, rest = ((product - r) + tail) * unit;
    r *= unit;
    if (negative) {
        r = -r;
        rest = -rest;
    }
    bool minus = (long long)bits < 0;
    result.r = minus ? -r : r;
    result.low = minus ? -rest : rest;
    result.q = minus ? -q : q;
    return result;
}

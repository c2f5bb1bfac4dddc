// Structs by value: as kernel parameters (their bytes come from a file), and into and out of functions that are not inlined.
#ifdef __clang__
#include "../clang.h"
#endif

struct Settings { // 64 bytes; written by scripts/programs
    double scale;
    float matrix[2][3];
    int counts[4];
    signed char letter;
    short shift;
    unsigned char flags[3];
    long long wide;
};

struct Small {
    char a, b, c;
};

struct __attribute__((aligned(16))) Aligned {
    float v[4];
    int n;
};

struct Bits {
    unsigned low : 5, middle : 11, high : 16;
    int sign : 3;
};

__device__ __noinline__ Small turned(Small s)
{
    return {s.c, s.a, (char)(s.b + 1)};
}

__device__ __noinline__ Aligned mixed(Aligned x, Small s, const Settings &settings, int at)
{
    x.v[at & 3] += settings.matrix[at & 1][at % 3] * s.a;
    x.n += settings.counts[(at + s.b) & 3];
    return x;
}

__device__ __noinline__ double weight(Settings s, int i)
{
    s.counts[i & 3] += i; // a copy: the caller's stays
    return s.scale * s.counts[i & 3] + s.letter - s.shift + s.flags[i % 3] + (double)s.wide;
}

__device__ __noinline__ Bits packed(Bits b, int i)
{
    b.low += i;
    b.middle ^= b.high;
    b.high = b.high * 3 + b.low;
    b.sign = i;
    return b;
}

extern "C" __global__ void by_value(const Settings settings, Small start, double *weights, float *values, int *bits, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    weights[i] = weight(settings, i) + settings.counts[i & 3];
    Small s = start;
    Aligned x = {{1, 2, 3, 4}, i};
    for (int r = 0; r <= i % 5; r++) {
        s = turned(s);
        x = mixed(x, s, settings, i + r);
    }
    values[5 * i] = x.n;
    for (int k = 0; k < 4; k++)
        values[5 * i + 1 + k] = x.v[k];
    Bits b = {(unsigned)i & 31u, (unsigned)i * 37u & 2047u, 60000, 0};
    b = packed(packed(b, i), 2 * i);
    bits[i] = (int)(b.low | b.middle << 5 | b.high << 16) * 8 + b.sign;
}

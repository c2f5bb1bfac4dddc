// Integers of many words: carry chains in inline assembly with registers and labels of its own scopes, 64 × 64 → 128-bit
// products, and a Montgomery step.
typedef unsigned long long u64;

// c = a + b, d = a - b; 256 bits each, a thread an operand pair.
extern "C" __global__ void add_sub(const unsigned *a, const unsigned *b, unsigned *c, unsigned *d, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x[8], y[8], r[8], carry;
    for (int k = 0; k < 8; k++) {
        x[k] = a[i * 8 + k] * 0x9e3779b9u | (k == 3 ? ~0u : 0);
        y[k] = b[i * 8 + k] * 0x85ebca6bu ^ (k == 2 ? ~0u : 0);
    }
    asm("add.cc.u32 %0, %9, %17;\n\t"
        "addc.cc.u32 %1, %10, %18;\n\t"
        "addc.cc.u32 %2, %11, %19;\n\t"
        "addc.cc.u32 %3, %12, %20;\n\t"
        "addc.cc.u32 %4, %13, %21;\n\t"
        "addc.cc.u32 %5, %14, %22;\n\t"
        "addc.cc.u32 %6, %15, %23;\n\t"
        "addc.cc.u32 %7, %16, %24;\n\t"
        "addc.u32 %8, 0, 0;"
        : "=&r"(r[0]), "=&r"(r[1]), "=&r"(r[2]), "=&r"(r[3]), "=&r"(r[4]), "=&r"(r[5]), "=&r"(r[6]), "=&r"(r[7]), "=r"(carry)
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(x[4]), "r"(x[5]), "r"(x[6]), "r"(x[7]), "r"(y[0]), "r"(y[1]), "r"(y[2]),
          "r"(y[3]), "r"(y[4]), "r"(y[5]), "r"(y[6]), "r"(y[7]));
    for (int k = 0; k < 8; k++)
        c[i * 9 + k] = r[k];
    c[i * 9 + 8] = carry;
    asm("{\n\t"
        ".reg .u32 borrow;\n\t"
        "sub.cc.u32 %0, %5, %9;\n\t"
        "subc.cc.u32 %1, %6, %10;\n\t"
        "subc.cc.u32 %2, %7, %11;\n\t"
        "subc.cc.u32 %3, %8, %12;\n\t"
        "subc.u32 borrow, 0, 0;\n\t"
        "and.b32 %4, borrow, 1;\n\t"
        "}"
        : "=&r"(r[0]), "=&r"(r[1]), "=&r"(r[2]), "=&r"(r[3]), "=r"(carry)
        : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]), "r"(y[2]), "r"(y[3]));
    for (int k = 0; k < 4; k++)
        d[i * 5 + k] = r[k];
    d[i * 5 + 4] = carry;
}

// 128 × 128 bits by rows, with mad.lo.cc and madc.hi.cc.
extern "C" __global__ void multiply(const unsigned *a, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x[4], y[4], r[8] = {};
    for (int k = 0; k < 4; k++) {
        x[k] = a[i * 4 + k] * 0xdeadbeefu + 77;
        y[k] = ~a[i * 4 + 3 - k] * 0xc2b2ae35u;
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        asm("mad.lo.cc.u32 %0, %5, %9, %0;\n\t"
            "madc.lo.cc.u32 %1, %6, %9, %1;\n\t"
            "madc.lo.cc.u32 %2, %7, %9, %2;\n\t"
            "madc.lo.cc.u32 %3, %8, %9, %3;\n\t"
            "addc.u32 %4, %4, 0;"
            : "+r"(r[k]), "+r"(r[k + 1]), "+r"(r[k + 2]), "+r"(r[k + 3]), "+r"(r[k + 4])
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[k]));
        unsigned spill = 0;
        asm("mad.hi.cc.u32 %0, %5, %9, %0;\n\t"
            "madc.hi.cc.u32 %1, %6, %9, %1;\n\t"
            "madc.hi.cc.u32 %2, %7, %9, %2;\n\t"
            "madc.hi.cc.u32 %3, %8, %9, %3;\n\t"
            "addc.u32 %4, %4, 0;"
            : "+r"(r[k + 1]), "+r"(r[k + 2]), "+r"(r[k + 3]), "+r"(r[k + 4]), "+r"(spill)
            : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[k]));
        if (k < 3)
            r[k + 5] += spill;
    }
    for (int k = 0; k < 8; k++)
        out[i * 8 + k] = r[k];
}

// 64-bit words: products by __umul64hi, sums by the 64-bit carry chain, __int128, and a loop written in assembly.
extern "C" __global__ void words64(const u64 *a, u64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    u64 x = a[i] * 0x9e3779b97f4a7c15ull, y = ~x * 0xbf58476d1ce4e5b9ull;
    u64 low = x * y, high = __umul64hi(x, y), sum_low, sum_high;
    asm("add.cc.u64 %0, %2, %4; addc.u64 %1, %3, %5;" : "=l"(sum_low), "=l"(sum_high) : "l"(low), "l"(high), "l"(y), "l"(x));
    u64 *mine = out + 8 * i;
    mine[0] = high;
    mine[1] = sum_low;
    mine[2] = sum_high;
    mine[3] = (u64)__mul64hi((long long)x, (long long)y);
    unsigned steps, v = i + 27;
    asm("{\n\t"
        ".reg .pred done, odd;\n\t"
        ".reg .u32 x, bit;\n\t"
        "mov.u32 x, %1;\n\t"
        "mov.u32 %0, 0;\n\t"
        "again:\n\t"
        "setp.eq.u32 done, x, 1;\n\t"
        "@done bra out;\n\t"
        "and.b32 bit, x, 1;\n\t"
        "setp.ne.u32 odd, bit, 0;\n\t"
        "@odd mad.lo.u32 x, x, 3, 1;\n\t"
        "@!odd shr.u32 x, x, 1;\n\t"
        "add.u32 %0, %0, 1;\n\t"
        "bra again;\n\t"
        "out:\n\t"
        "}"
        : "=&r"(steps)
        : "r"(v));
    mine[4] = steps;
    // Montgomery's reduction of low + high * 2^64 by an odd modulus.
    u64 modulus = y | 1, inverse = modulus;
    for (int k = 0; k < 5; k++)
        inverse *= 2 - modulus * inverse;
    u64 m = low * (0 - inverse);
    mine[5] = __umul64hi(m, modulus) + (low != 0);
    mine[6] = low + m * modulus; // 0
    mine[7] = (x >> (i & 63)) | (y << 1) % 1000003;
}

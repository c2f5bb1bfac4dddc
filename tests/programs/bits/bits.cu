// Bits and bytes: counts, reversals, funnel shifts, byte permutations, bit fields, dot products of bytes, SIMD in a word.
typedef unsigned long long u64;

extern "C" __global__ void words(const unsigned *in, unsigned *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned x = in[i] * 0x9e3779b9u, y = x * x + 12345u;
    unsigned *mine = out + 24 * i;
    mine[0] = __popc(x);
    mine[1] = __clz(x >> i % 33 / 1 % 32);
    mine[2] = __brev(x);
    mine[3] = __ffs(x << i % 31);
    mine[4] = __funnelshift_l(x, y, i);
    mine[5] = __funnelshift_r(x, y, i);
    mine[6] = __funnelshift_lc(x, y, i);
    mine[7] = __funnelshift_rc(x, y, i + 5);
    mine[8] = __byte_perm(x, y, 0x5140 + i * 0x111);
    mine[9] = __byte_perm(x, y, 0x0123);
    mine[10] = __vadd4(x, y);
    mine[11] = __vabsdiffu4(x, y);
    mine[12] = __vmaxs2(x, y);
    mine[13] = __vcmpgtu4(x, y);
    mine[14] = __vsadu4(x, y);
    mine[15] = __mulhi((int)x, (int)y);
    mine[16] = __umulhi(x, y);
    mine[17] = __umul24(x, y) + __mul24(x, y);
    mine[18] = __usad(x, y, 3u) - __sad((int)x, (int)y, 4u);
    mine[19] = __uhadd(x, y) ^ __urhadd(x, y) ^ __hadd(x, y) ^ __rhadd(x, y);
    asm("bfe.u32 %0, %1, %2, %3;" : "=r"(mine[20]) : "r"(x), "r"(i % 35), "r"(i % 19));
    asm("bfe.s32 %0, %1, %2, %3;" : "=r"(mine[21]) : "r"(x), "r"(i % 30), "r"(i % 37));
    asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(mine[22]) : "r"(x), "r"(y), "r"(i % 33), "r"(i % 17));
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(mine[23]) : "r"(x), "r"(y), "r"(i));
}

extern "C" __global__ void wide(const unsigned *in, u64 *out, int *dots, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    u64 x = in[i] * 0x9e3779b97f4a7c15ull;
    u64 *mine = out + 6 * i;
    mine[0] = __popcll(x);
    mine[1] = __clzll(x >> i % 64);
    mine[2] = __brevll(x);
    mine[3] = __ffsll(x << i % 63);
    mine[4] = x << i % 64 | x >> (64 - i) % 64;
    mine[5] = (u64)((long long)x >> i % 64) ^ __mul64hi(x, 12345678901ll);
    unsigned low = x, high = x >> 32;
#if __CUDA_ARCH__ >= 610
    dots[4 * i] = __dp4a((int)low, (int)high, i);
    dots[4 * i + 1] = __dp4a(low, high, 7u);
    dots[4 * i + 2] = __dp2a_lo((int)low, (int)high, -i);
    dots[4 * i + 3] = __dp2a_hi(low, high, 3u);
#else
    for (int k = 0; k < 4; k++) {
        bool second = k >= 2, is_unsigned = k & 1;
        int sum = k == 0 ? i : k == 1 ? 7 : k == 2 ? -i : 3;
        for (int b = 0; b < (second ? 2 : 4); b++) {
            int from = k == 3 ? b + 2 : b;
            if (is_unsigned)
                sum += (second ? low >> 16 * b & 65535 : low >> 8 * b & 255) * (high >> 8 * from & 255);
            else
                sum += (second ? (short)(low >> 16 * b) : (signed char)(low >> 8 * b)) * (signed char)(high >> 8 * from);
        }
        dots[4 * i + k] = sum;
    }
#endif
}

// Integers of every width: division by values and by constants, vectors of bytes and shorts, conversions that cut and
// extend, saturation, and 64-bit arithmetic.
typedef long long i64;
typedef unsigned long long u64;

extern "C" __global__ void division(const int *a, const int *b, i64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = (int)((unsigned)a[i] * 40503001u), y = b[i] | 1;
    unsigned ux = x, uy = y;
    i64 wide = (i64)x * 1000003 * (i & 1 ? -1 : 1), wy = (i64)y * (i % 3 ? 1 : 5000000011ll);
    i64 *mine = out + 14 * i;
    mine[0] = x / y;
    mine[1] = x % y;
    mine[2] = ux / uy;
    mine[3] = ux % (uy & 1023);
    mine[4] = wide / wy;
    mine[5] = wide % wy;
    mine[6] = (u64)wide / (u64)wy;
    mine[7] = (u64)wide % 1000000007ull;
    mine[8] = x / 7 + x % 10 * 100;
    mine[9] = ux / 641 + ux % 255;
    mine[10] = x / -16 + x % 8;
    mine[11] = wide / 1000 - wide % 60;
    mine[12] = (short)x / (short)(y | 1) + (signed char)x % (signed char)(y | 1);
    mine[13] = (unsigned char)x / (unsigned char)(y | 1);
}

extern "C" __global__ void vectors(const char4 *in, char4 *bytes, short2 *pairs, ushort4 *quads, longlong2 *wides, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    char4 v = in[i], w = in[(i + 1) % n];
    bytes[i] = make_char4(v.x + w.y, v.y * w.z, v.z >> 1, -v.w);
    pairs[i] = make_short2(v.x * w.x * 3, (short)(v.y << 9) >> 3);
    quads[i] = make_ushort4((unsigned short)(v.x * 1000), (unsigned char)v.y, (unsigned short)w.z / 3, v.w < w.w);
    wides[i] = make_longlong2((i64)v.x << 40 | (unsigned char)w.y, -(i64)(unsigned char)v.z * w.w);
}

extern "C" __global__ void conversions(const float *in, i64 *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float f = in[i];
    i64 *mine = out + 12 * i;
    mine[0] = (signed char)(int)f;
    mine[1] = (unsigned short)(int)(f * 100);
    mine[2] = (int)(f * 1e9f); // saturates
    mine[3] = (unsigned)fabsf(f * 1e8f);
    mine[4] = (i64)(f * 1e17f);
    mine[5] = (u64)(f < 0 ? -f * 1e17f : f * 1e17f);
    mine[6] = (i64)(double)(float)(i * 16777217);
    mine[7] = __double2uint_rn(f * 3.0) + __float2int_rn(f) * 7;
    int saturated, low;
    asm("add.sat.s32 %0, %1, %2;" : "=r"(saturated) : "r"((int)(f * 3e8f)), "r"(2000000000));
    asm("cvt.sat.s8.s32 %0, %1;" : "=r"(low) : "r"((int)(f * 50)));
    mine[8] = saturated;
    mine[9] = low;
    mine[10] = f > 0 ? abs((int)f) : llabs((i64)f * 3);
    mine[11] = (__float_as_int(f) < 0) + (i64)min(max((int)f, -5), 9) * 10 + umin(i, 13u) * 1000 + llmax((i64)f, -2ll) * 100000;
}

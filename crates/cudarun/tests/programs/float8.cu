// Numbers of 8 bits on both sides: all of them as other types, and many numbers rounded to them. `scripts/small-headers` makes the same
// of NVIDIA's header.
#include <cstdio>
#include <cuda_fp8.h>

#define COUNT 8192
template <typename T> __host__ __device__ void mix(unsigned &hash, T bits) { hash = (hash ^ (unsigned)bits) * 16777619u; }
__host__ __device__ unsigned bits(float v) { return *(unsigned *)&v; }
__host__ __device__ unsigned short bits(__half v) { return *(unsigned short *)&v; }

template <typename Eight> __host__ __device__ unsigned decoded(unsigned char from)
{
    unsigned hash = 2166136261u;
    Eight v;
    v.__x = from;
    mix(hash, bits((float)v));
    mix(hash, bits((__half)v));
    mix(hash, (bool)v);
    mix(hash, (int)v);
    mix(hash, (unsigned char)v);
    mix(hash, (signed char)v);
    mix(hash, (long long)v);
    mix(hash, (unsigned short)v);
    return hash;
}
template <typename Eight, typename Two, typename Four> __host__ __device__ unsigned encoded(float v, __nv_fp8_interpretation_t kind)
{
    unsigned hash = 2166136261u;
    mix(hash, Eight(v).__x);
    // Which NaN and which integer others become differs by machine.
    const double finite = v == v ? v : 0;
    mix(hash, Eight(finite * 1.0000001).__x);
    mix(hash, Eight(__float2half(v)).__x);
    mix(hash, Eight(__float2bfloat16(v)).__x);
    mix(hash, Eight((int)(fabs(finite) < 1e6 ? finite * 16 : 0)).__x);
    mix(hash, __nv_cvt_float_to_fp8(v, __NV_NOSAT, kind));
    mix(hash, __nv_cvt_double_to_fp8(-finite, __NV_NOSAT, kind));
    Two two(make_float2(v, -2 * v));
    mix(hash, two.__x);
    float2 back = (float2)two;
    mix(hash, bits(back.x) + bits(back.y));
    mix(hash, Four(make_float4(v, v / 3, v * 5, 0)).__x);
    return hash;
}
__host__ __device__ float number(unsigned i)
{
    unsigned bits = (105 + i % 40) << 23 | (i * 2654435761u & 0x7fffff) | (i & 1) << 31;
    if (i % 3 == 0)
        bits &= ~0x7ffffu;
    if (i == 77)
        bits = 0x7fc00000;
    if (i == 78)
        bits = 0xff800000;
    return *(float *)&bits;
}
__host__ __device__ void one(unsigned *hashes, unsigned i)
{
    hashes[i] = encoded<__nv_fp8_e4m3, __nv_fp8x2_e4m3, __nv_fp8x4_e4m3>(number(i), __NV_E4M3);
    hashes[COUNT + i] = encoded<__nv_fp8_e5m2, __nv_fp8x2_e5m2, __nv_fp8x4_e5m2>(number(i), __NV_E5M2);
    if (i < 256) {
        hashes[2 * COUNT + i] = decoded<__nv_fp8_e4m3>((unsigned char)i);
        hashes[2 * COUNT + 256 + i] = decoded<__nv_fp8_e5m2>((unsigned char)i);
    }
}
__global__ void all(unsigned *hashes, int n)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        one(hashes, i);
}
unsigned of_all(const unsigned *hashes, int from, int to)
{
    unsigned hash = 2166136261u;
    for (int i = from; i < to; i++)
        mix(hash, hashes[i]);
    return hash;
}

#define CASES COUNT
int main()
{
    unsigned *hashes;
    static unsigned ours[2 * COUNT + 512];
    cudaMallocManaged(&hashes, (2 * COUNT + 512) * sizeof(unsigned));
    all<<<COUNT / 64, 64>>>(hashes, COUNT);
    if (cudaDeviceSynchronize() != cudaSuccess)
        return 1;
    int different = 0;
    for (unsigned i = 0; i < COUNT; i++)
        one(ours, i);
    for (int i = 0; i < 2 * COUNT + 512; i++)
        if (ours[i] != hashes[i] && different++ < 5)
            printf("the host differs: %d %g\n", i, number(i % COUNT));
    printf("e4m3: rounded %08x, read %08x\n", of_all(hashes, 0, COUNT), of_all(hashes, 2 * COUNT, 2 * COUNT + 256));
    printf("e5m2: rounded %08x, read %08x\n", of_all(hashes, COUNT, 2 * COUNT), of_all(hashes, 2 * COUNT + 256, 2 * COUNT + 512));
    const float some[] = {1, 0.3f, -17, 500, 1e-3f, 60000, 1e9f};
    for (float v : some)
        printf("%g: %g %g\n", v, (float)__nv_fp8_e4m3(v), (float)__nv_fp8_e5m2(v));
}

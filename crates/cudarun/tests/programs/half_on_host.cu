// Half precision and bfloat16 on the host: the same bits as on the device, for each rounding and operator.
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda/barrier>
#include <mma.h>

template <typename Number> __host__ __device__ unsigned short bits(Number v) { return *(unsigned short *)&v; }
__host__ __device__ void mix(unsigned &hash, unsigned bits) { hash = (hash ^ bits) * 16777619u; }
template <typename Number> __host__ __device__ void operators(unsigned &hash, Number a, Number b)
{
    mix(hash, bits(a + b));
    mix(hash, bits(a - b));
    mix(hash, bits(a * b));
    mix(hash, bits(a / b));
    mix(hash, bits(-a));
    mix(hash, (a < b) + 2 * (a == b) + 4 * (a >= b) + 8 * (a != b));
    mix(hash, (int)a);
    mix(hash, (unsigned long long)b);
    mix(hash, (short)b);
}
#define ROUNDINGS(R)                                                                                                            \
    mix(hash, bits(__float2half_##R(v)));                                                                                       \
    mix(hash, bits(__float2bfloat16_##R(v)));                                                                                   \
    mix(hash, bits(__ll2half_##R(whole)));                                                                                      \
    mix(hash, bits(__uint2bfloat16_##R((unsigned)whole)));                                                                      \
    mix(hash, __half2int_##R(h));                                                                                               \
    mix(hash, __half2ull_##R(h));                                                                                               \
    mix(hash, __bfloat162ll_##R(b));
__host__ __device__ unsigned all(float v, long long whole)
{
    unsigned hash = 2166136261u;
    __half h = __float2half(v);
    __nv_bfloat16 b = __float2bfloat16(v);
    ROUNDINGS(rn)
    ROUNDINGS(rz)
    ROUNDINGS(ru)
    ROUNDINGS(rd)
    mix(hash, bits(__double2half(v * 1.00001)));
    mix(hash, bits(__nv_bfloat16(v * 1.00001)));
    float back = __half2float(h) + __bfloat162float(b);
    mix(hash, *(unsigned *)&back);
    operators<__half>(hash, h, __half((float)whole));
    operators<__nv_bfloat16>(hash, b, __nv_bfloat16(0.75f * v));
    __half2 pair = __floats2half2_rn(v, 2 * v);
    mix(hash, bits(__low2half(pair)) + bits(__high2half(pair + pair)));
    return hash;
}
// Of all magnitudes, with all that lies between halves.
__host__ __device__ float number(unsigned i)
{
    unsigned bits = (96 + i % 56) << 23 | (i * 2654435761u & 0x7fffff) | (i & 1) << 31;
    if (i % 7 == 0)
        bits &= ~0x1fffu;
    if (i % 7 == 1)
        bits = (bits & ~0x1fffu) | 0x1000;
    return *(float *)&bits;
}
#define COUNT 4096
__global__ void on_device(unsigned *hashes)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    hashes[i] = all(number(i), (long long)(i * 0x9e3779b97f4a7c15ULL) >> i % 50);
}

int main()
{
    unsigned *hashes;
    cudaMallocManaged(&hashes, COUNT * sizeof(unsigned));
    on_device<<<COUNT / 64, 64>>>(hashes);
    cudaDeviceSynchronize();
    int different = 0;
    for (unsigned i = 0; i < COUNT; i++)
        if (hashes[i] != all(number(i), (long long)(i * 0x9e3779b97f4a7c15ULL) >> i % 50)) {
            if (different++ < 5)
                printf("%u: %g\n", i, number(i));
        }
    printf("%d of %d are different\n", different, COUNT);
    printf("%g %g %g\n", (float)__half(3.14159), (float)__nv_bfloat16(3.14159), (float)(__half(1) / __half(3)));
    cudaFree(hashes);
}

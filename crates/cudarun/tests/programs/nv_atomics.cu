// Atomic functions with memory orders and scopes, of CUDA 12.8 and later: `nvcc -arch=sm_90 nv_atomics.cu` makes a program that
// prints the same on an H200.
#include <cstdio>
#include <cuda_runtime.h>
__global__ void count(unsigned *sums, unsigned long long *wide, float *real, int *flags)
{
    unsigned t = threadIdx.x;
    __nv_atomic_fetch_add(&sums[0], 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_add(&sums[1], t, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_fetch_max(&sums[2], t, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_SYSTEM);
    __nv_atomic_fetch_or(&sums[3], 1u << (t % 32), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_add(&wide[0], 1ull << 33, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_fetch_add(real, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    if (t == 0) {
        int expected = 3;
        flags[1] = __nv_atomic_compare_exchange_n(&flags[0], &expected, 9, false, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED,
                                                  __NV_THREAD_SCOPE_DEVICE);
        flags[2] = expected;
        expected = 5;
        flags[3] = __nv_atomic_compare_exchange_n(&flags[0], &expected, 9, false, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED,
                                                  __NV_THREAD_SCOPE_DEVICE);
        __nv_atomic_store_n(&flags[4], 44, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
        __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
        flags[5] = __nv_atomic_load_n(&flags[4], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
        flags[6] = __nv_atomic_exchange_n(&flags[4], 45, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    }
}
int main()
{
    unsigned *sums;
    unsigned long long *wide;
    float *real;
    int *flags;
    cudaMallocManaged(&sums, 4 * sizeof *sums);
    cudaMallocManaged(&wide, sizeof *wide);
    cudaMallocManaged(&real, sizeof *real);
    cudaMallocManaged(&flags, 8 * sizeof *flags);
    for (int i = 0; i < 4; i++)
        sums[i] = 0;
    for (int i = 0; i < 8; i++)
        flags[i] = i == 0 ? 5 : 0;
    *wide = 0;
    *real = 1;
    count<<<1, 64>>>(sums, wide, real, flags);
    cudaError_t status = cudaDeviceSynchronize();
    printf("%s %u %u %u %x %llu %g\n", cudaGetErrorName(status), sums[0], sums[1], sums[2], sums[3], *wide >> 33, *real);
    printf("%d: %d %d, %d; %d %d %d\n", flags[0], flags[1], flags[2], flags[3], flags[4], flags[5], flags[6]);
    cudaFree(sums);
    cudaFree(wide);
    cudaFree(real);
    cudaFree(flags);
}

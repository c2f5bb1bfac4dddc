// What a kernel asks of the system: printf, assertions that hold, memory from the heap, clocks, sleep, special registers.
// None of the times is in an output.

#ifndef __CUDACC_RTC__
#include <cassert>
#include <cstdio>
#endif
extern "C" __global__ void print(const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 7 == 0)
        printf("thread %d of block %u: %.3f, %5.1e, 0x%08x, %c, %s, %lld%%\n", i, blockIdx.x, in[i], in[i] * 1e6, i * 0x1111, 'a' + i % 26,
               i & 1 ? "odd" : "even", 10000000000ll * i);
    if (i == 0)
        printf("no arguments\n");
}

extern "C" __global__ void hold(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    assert(n > 0 && in != nullptr);
    if (i < n) {
        assert(in[i] == i + 2);
        out[i] = in[i] * 2;
    }
}

extern "C" __global__ void times(long long *out)
{
    long long start = clock64();
    unsigned before = clock();
    unsigned long long from, to;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from));
    __nanosleep(100);
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(to));
    long long took = clock64() - start;
    out[threadIdx.x] = (took > 0) + (clock() - before > 0 ? 2 : 0) + (to >= from ? 4 : 0);
}

extern "C" __global__ void heap(int *out, int n)
{
    int *mine = (int *)malloc(n * sizeof(int));
    int sum = -1;
    if (mine) {
        for (int i = 0; i < n; i++)
            mine[i] = i * threadIdx.x;
        sum = 0;
        for (int i = n - 1; i >= 0; i -= 3)
            sum += mine[i];
        free(mine);
    }
    out[threadIdx.x] = sum;
}

extern "C" __global__ void registers(unsigned *out)
{
    unsigned r[8];
    asm("mov.u32 %0, %%ntid.y;" : "=r"(r[0]));
    asm("mov.u32 %0, %%nctaid.z;" : "=r"(r[1]));
    asm("mov.u32 %0, %%ctaid.y;" : "=r"(r[2]));
    asm("mov.u32 %0, %%laneid;" : "=r"(r[3]));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(r[4]));
    asm("mov.u32 %0, %%nsmid;" : "=r"(r[5]));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(r[6]));
    unsigned long long grid;
    asm("mov.u64 %0, %%gridid;" : "=l"(grid));
    unsigned at = ((blockIdx.z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    out[at] = r[0] * 1000 + r[1] * 100 + r[2] * 10 + (r[4] < r[5]) + r[3] * 10000 + (r[6] < 64) * 5 + (grid != ~0ull) * 2 + warpSize * 1000000;
}

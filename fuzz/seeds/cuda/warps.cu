__global__ void reduce(const int *in, unsigned long long *out, int n)
{
    int sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    for (int d = warpSize / 2; d > 0; d >>= 1)
        sum += __shfl_down_sync(0xffffffff, sum, d);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(out, (unsigned long long)__popc(__ballot_sync(~0u, sum > 3)));
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    do { lane >>= 1; if (lane == 3) continue; } while (lane);
    printf("%d %s\n", sum, "x");
}

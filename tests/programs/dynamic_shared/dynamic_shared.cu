// Dynamic shared memory cut into several arrays of several types, beside a static one, and seen by a function of its own.
extern __shared__ __attribute__((aligned(16))) unsigned char dynamic[];

__device__ __noinline__ int gather(const short *indices, int n)
{
    int *ints = (int *)dynamic; // the same memory, by its name
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += ints[indices[k]];
    return sum;
}

extern "C" __global__ void cut(const int *in, int *out, double *reals, int n)
{
    __shared__ int bias[4];
    int t = threadIdx.x;
    int *ints = (int *)dynamic;
    double *doubles = (double *)(ints + (n + 1) / 2 * 2);
    short *indices = (short *)(doubles + n);
    unsigned char *bytes = (unsigned char *)(indices + n);
    if (t < 4)
        bias[t] = t * 1000;
    ints[t] = in[blockIdx.x * n + t];
    doubles[t] = ints[t] * 0.5;
    indices[t] = (t * 7 + 3) % n;
    bytes[t] = t * 3;
    __syncthreads();
    out[blockIdx.x * n + t] = gather(indices, t % 9) + bytes[(t + 1) % n] + bias[t & 3];
    reals[blockIdx.x * n + t] = doubles[indices[t]] - doubles[n - 1 - t];
}

// All of what is left, as 16-byte words; how much there is stands in a special register.
extern "C" __global__ void sizes(unsigned *out)
{
    unsigned total, dynamic_bytes;
    asm("mov.u32 %0, %%total_smem_size;" : "=r"(total));
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(dynamic_bytes));
    uint4 *words = (uint4 *)dynamic;
    for (int i = threadIdx.x; i < dynamic_bytes / 16; i += blockDim.x)
        words[i] = make_uint4(i, i + 1, i * i, ~i);
    __syncthreads();
    unsigned sum = 0;
    for (int i = threadIdx.x; i < dynamic_bytes / 4; i += blockDim.x)
        sum = sum * 5 + ((unsigned *)dynamic)[i];
    out[threadIdx.x] = sum;
    if (threadIdx.x == 0)
        out[0] = dynamic_bytes + (total >= dynamic_bytes ? 1 : 0);
}

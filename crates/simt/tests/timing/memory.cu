// arch: compute_75
// Global memory: copies, one chain of dependent loads, and atomic operations.

extern "C" __global__ void copy(const float4 *in, float4 *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i];
}

extern "C" __global__ void sum(const float4 *in, float *out, int n)
{
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float4 v = in[i];
        s += v.x + v.y + v.z + v.w;
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

extern "C" __global__ void scatter(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[(unsigned)i * 2654435761u % (unsigned)n];
}

extern "C" __global__ void ring(int *next, int n, int step)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        next[i] = (i + step) % n;
}

extern "C" __global__ void chase(const int *next, int *out, int rounds)
{
    int at = threadIdx.x;
    for (int r = 0; r < rounds; r++)
        at = next[at];
    out[threadIdx.x] = at;
}

// `spread` words apart, `mask` + 1 different ones.
extern "C" __global__ void red_global(unsigned *bins, unsigned mask, int spread, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++)
        atomicAdd(&bins[((i + r * 97) & mask) * spread], 1u);
}

extern "C" __global__ void atom_global(unsigned *bins, unsigned mask, int rounds)
{
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    for (int r = 0; r < rounds; r++)
        i += atomicAdd(&bins[i & mask], 1u) & 1;
}

extern "C" __global__ void atom_shared(unsigned *out, unsigned mask, int rounds)
{
    __shared__ unsigned bins[1024];
    bins[threadIdx.x & 1023] = 0;
    __syncthreads();
    for (int r = 0; r < rounds; r++)
        atomicAdd(&bins[(threadIdx.x + r * 33) & mask], 1u);
    __syncthreads();
    out[blockIdx.x * blockDim.x + threadIdx.x] = bins[threadIdx.x & 1023];
}

// Barriers: those that count and vote, named ones among some of a block's warps, a producer that only arrives, and
// barriers inside loops and after early exits of whole warps.

extern "C" __global__ void votes(const int *in, int *out, int rounds)
{
    int t = threadIdx.x, v = in[t], sum = 0;
    for (int r = 0; r < rounds; r++) {
        int count = __syncthreads_count(v % (r + 2) == 0);
        int any = __syncthreads_or(v == r * 10), all = __syncthreads_and(v >= r - 1);
        sum = sum * 7 + count + (any ? 100 : 0) + (all ? 1000 : 0);
        v += r;
    }
    out[t] = sum;
}

__device__ void sync_some(int id, int threads)
{
    asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(threads) : "memory");
}

// Warps in pairs, each pair with a barrier of its own, at its own pace.
extern "C" __global__ void pairs(int *out)
{
    __shared__ int values[256];
    int t = threadIdx.x, pair = t / 64, partner = t ^ 32;
    values[t] = t;
    for (int r = 0; r < 2 + pair * 3; r++) {
        sync_some(1 + pair, 64);
        int other = values[partner];
        sync_some(1 + pair, 64);
        values[t] = values[t] * 3 + other;
    }
    __syncthreads();
    out[t] = values[255 - t];
}

// The first warp produces, the others consume, through two buffers with two barriers each.
extern "C" __global__ void producer(const int *in, int *out, int rounds)
{
    __shared__ int buffers[2][32];
    int t = threadIdx.x, lane = t & 31, warp = t / 32, threads = blockDim.x, sum = 0;
    for (int r = 0; r < rounds; r++) {
        int b = r & 1, full = 1 + b, empty = 3 + b;
        if (warp == 0) {
            if (r >= 2)
                asm volatile("bar.sync %0, %1;" : : "r"(empty), "r"(threads) : "memory");
            buffers[b][lane] = in[r * 32 + lane];
            __threadfence_block();
            asm volatile("bar.arrive %0, %1;" : : "r"(full), "r"(threads) : "memory");
        } else {
            asm volatile("bar.sync %0, %1;" : : "r"(full), "r"(threads) : "memory");
            sum = sum * 3 + buffers[b][(lane + warp) & 31];
            if (r + 2 < rounds)
                asm volatile("bar.arrive %0, %1;" : : "r"(empty), "r"(threads) : "memory");
        }
    }
    out[t] = sum;
}

// A reduction by a named barrier, and the `barrier` spelling.
extern "C" __global__ void reductions(const int *in, int *out)
{
    int t = threadIdx.x, half = t / 96, count, any; // two halves of 96 threads
    asm volatile("{\n\t"
                 ".reg .pred p, q;\n\t"
                 "setp.gt.s32 p, %2, 20;\n\t"
                 "bar.red.popc.u32 %0, %3, 96, p;\n\t"
                 "barrier.red.or.pred q, %3, 96, !p;\n\t"
                 "selp.s32 %1, 1, 0, q;\n\t"
                 "}"
                 : "=r"(count), "=r"(any)
                 : "r"(in[t]), "r"(half + 5)
                 : "memory");
    asm volatile("barrier.sync 0;" : : : "memory");
    out[t] = count * 10 + any;
}

// Whole warps leave; the barrier is then one of those that remain.
extern "C" __global__ void leaving(int *out)
{
    __shared__ int sum;
    int warp = threadIdx.x / 32;
    if (threadIdx.x == 0)
        sum = 0;
    __syncthreads();
    for (int r = 0; r < 4; r++) {
        if (warp == 3 - r && warp > 0)
            return;
        atomicAdd(&sum, r + 1);
        __syncthreads();
        if (threadIdx.x == 0)
            out[r] = sum;
        __syncthreads();
    }
}

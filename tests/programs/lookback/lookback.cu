// A prefix sum over the whole grid in one pass, by decoupled look-back: blocks take numbers in the order in which they
// start, publish their sum, and look back over their predecessors' until one has published its whole prefix.

struct State {
    unsigned ticket;
    unsigned long long of_block[64]; // status in the upper half (0 nothing, 1 the block's sum, 2 its inclusive prefix), value below
};
__device__ State state;

__device__ void publish(unsigned block, unsigned status, unsigned value)
{
    volatile unsigned long long *slot = &state.of_block[block];
    *slot = (unsigned long long)status << 32 | value;
}

extern "C" __global__ void __launch_bounds__(128) scan_grid(const unsigned *in, unsigned *out, int n)
{
    __shared__ unsigned block, before, warps[4];
    if (threadIdx.x == 0)
        block = atomicAdd(&state.ticket, 1u);
    __syncthreads();
    int i = block * blockDim.x + threadIdx.x, lane = threadIdx.x & 31, warp = threadIdx.x / 32;
    unsigned v = i < n ? in[i] : 0;
    for (int d = 1; d < 32; d *= 2) {
        unsigned other = __shfl_up_sync(~0u, v, d);
        if (lane >= d)
            v += other;
    }
    if (lane == 31)
        warps[warp] = v;
    __syncthreads();
    unsigned sum = 0, behind = 0;
    for (int w = 0; w < 4; w++) {
        if (w == warp)
            behind = sum;
        sum += warps[w];
    }
    v += behind;

    // The first warp looks back, 32 predecessors at once.
    if (warp == 0) {
        if (lane == 0) {
            __threadfence();
            publish(block, block == 0 ? 2 : 1, sum);
        }
        unsigned prefix = 0;
        int window = (int)block - 1;
        while (window >= 0) {
            int at = window - lane;
            unsigned status = 2, value = 0; // before the first block: a prefix of nothing
            if (at >= 0) {
                unsigned long long seen;
                do
                    seen = *(volatile unsigned long long *)&state.of_block[at];
                while (seen >> 32 == 0);
                status = seen >> 32;
                value = (unsigned)seen;
            }
            unsigned whole = __ballot_sync(~0u, status == 2);
            int stop = whole ? __ffs(whole) - 1 : 31; // the nearest that knows its whole prefix
            if (lane > stop)
                value = 0;
            for (int d = 16; d > 0; d /= 2)
                value += __shfl_xor_sync(~0u, value, d);
            prefix += value;
            if (whole)
                break;
            window -= 32;
        }
        if (lane == 0) {
            if (block > 0)
                publish(block, 2, prefix + sum);
            before = prefix;
        }
    }
    __syncthreads();
    if (i < n)
        out[i] = before + v;
}

// The case of the last warp.
//
// The kernel is from a text of 2007. Each block sums 128 numbers in shared memory. The
// last steps are done by one warp: its lanes go together, the text says, so they need
// no barrier.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark. The last steps still take one warp alone: no barrier is
// added for the whole block.

__global__ void sum(const float *in, float *out, int n)
{
    __shared__ float sums[128 + 16];
    int t = threadIdx.x, i = blockIdx.x * 128 + t;
    sums[t] = i < n ? in[i] : 0.0f;
    if (t < 16) sums[128 + t] = 0.0f;
    for (int half = 64; half >= 32; half /= 2) {
        __syncthreads();
        if (t < half) sums[t] += sums[t + half];
    }
    if (t < 32) {
        //<
        float sum = sums[t];
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(~0u, sum, d); // cause
        //| skeleton
        for (int d = 16; d > 0; d /= 2) sums[t] += sums[t + d];
        //| the store is marked
        for (int d = 16; d > 0; d /= 2) sums[t] += sums[t + d];
        //| one wait a step
        for (int d = 16; d > 0; d /= 2) {
            __syncwarp();
            sums[t] += sums[t + d]; // cause
        }
        //| waits of the block
        for (int d = 16; d > 0; d /= 2) {
            float other = sums[t + d];
            __syncthreads();
            sums[t] += other; // cause
            __syncthreads();
        }
        //| one lane adds all
        __syncwarp();
        if (t == 0) {
            for (int k = 1; k < 32; k++) sums[0] += sums[k]; // cause
        }
        //>
        //<
        if (t == 0) out[blockIdx.x] = sum;
        //| skeleton
        if (t == 0) out[blockIdx.x] = sums[0];
        //| the store is marked
        if (t == 0) out[blockIdx.x] = sums[0]; // cause
        //| one wait a step
        if (t == 0) out[blockIdx.x] = sums[0];
        //| waits of the block
        if (t == 0) out[blockIdx.x] = sums[0];
        //| one lane adds all
        if (t == 0) out[blockIdx.x] = sums[0];
        //>
    }
}

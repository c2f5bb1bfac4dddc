// Sum the numbers of a block.
//
// Each block has 256 threads and as many numbers; the last block may have fewer. Write
// the sum of a block's numbers to `out`, at the block's index.
//
// Put the numbers into shared memory and add them in pairs, so that after each step
// half as many sums are left: 256 numbers take eight steps. The first step adds the
// upper 128 to the lower 128. Between a step and the next, every thread must wait for
// the others.
//
// A block may make 40 reads of shared memory, and none with a bank conflict. The tree
// takes 25, if the threads that add are next to each other: then most warps soon have
// nothing left to do. One thread that adds all numbers makes 256. Each number is read
// once from global memory.

__global__ void sum(const float *in, float *out, int n)
{
    //<
    __shared__ float sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0.0f;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (t < half) sums[t] += sums[t + half];
    }
    if (t == 0) out[blockIdx.x] = sums[0];
    //| skeleton
    // YOUR CODE
    //| one thread adds all
    __shared__ float sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    if (t == 0) {
        float all = 0.0f;
        for (int k = 0; k < 256; k++) all += sums[k];
        out[blockIdx.x] = all;
    }
    //| neighbours first
    __shared__ float sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0.0f;
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        if (t % (2 * d) == 0) sums[t] += sums[t + d];
    }
    if (t == 0) out[blockIdx.x] = sums[0];
    //| neighbours first, by the first threads
    __shared__ float sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0.0f;
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        if (2 * d * t < 256) sums[2 * d * t] += sums[2 * d * t + d];
    }
    if (t == 0) out[blockIdx.x] = sums[0];
    //| no barrier between the steps
    __shared__ float sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) sums[t] += sums[t + half];
    }
    if (t == 0) out[blockIdx.x] = sums[0];
    //| a barrier for those that add
    __shared__ float sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) {
            sums[t] += sums[t + half];
            __syncthreads();
        }
    }
    if (t == 0) out[blockIdx.x] = sums[0];
    //| atomic additions
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0) out[blockIdx.x] = 0.0f;
    __syncthreads();
    if (i < n) atomicAdd(&out[blockIdx.x], in[i]);
    //| one block does all
    __shared__ float sums[256];
    int t = threadIdx.x;
    if (blockIdx.x > 0) return;
    for (int block = 0; block < gridDim.x; block++) {
        int i = block * blockDim.x + t;
        sums[t] = i < n ? in[i] : 0.0f;
        for (int half = 128; half > 0; half /= 2) {
            __syncthreads();
            if (t < half) sums[t] += sums[t + half];
        }
        if (t == 0) out[block] = sums[0];
        __syncthreads();
    }
    //| no shared memory
    if (threadIdx.x > 0) return;
    int first = blockIdx.x * blockDim.x;
    float all = 0.0f;
    for (int i = first; i < min(first + 256, n); i++) all += in[i];
    out[blockIdx.x] = all;
    //>
}

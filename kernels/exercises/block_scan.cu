// Add up all that came before.
//
// Each block has 256 threads and as many numbers of `in`; the last block may have
// fewer. Write to each element of `out` the sum of the block's numbers from the first
// up to the element's own.
//
// In shared memory, eight steps are enough. In the first, each thread adds to its sum
// the one that is 1 place before it; in the next, the one 2 places before it; then 4,
// 8, and so on, where there is one. After the step of d places each sum has 2 d
// numbers. In a step, each thread reads what another one is about to change: all must
// have read before any of them writes.
//
// A block may make 144 reads of shared memory: the eight steps take 57. Each number is
// read once from global memory.

__global__ void scan(const int *in, int *out, int n)
{
    //<
    __shared__ int sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int sum = i < n ? in[i] : 0;
    for (int d = 1; d < 256; d *= 2) {
        sums[t] = sum;
        __syncthreads();
        if (t >= d) sum += sums[t - d];
        __syncthreads();
    }
    if (i < n) out[i] = sum;
    //| skeleton
    // YOUR CODE
    //| one thread adds all
    __shared__ int sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0;
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < 256; k++) sums[k] += sums[k - 1];
    }
    __syncthreads();
    if (i < n) out[i] = sums[t];
    //| each thread adds all before it
    __shared__ int sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0;
    __syncthreads();
    int sum = 0;
    for (int k = 0; k <= t; k++) sum += sums[k];
    if (i < n) out[i] = sum;
    //| from global memory
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int sum = 0;
    for (int k = blockIdx.x * blockDim.x; k <= i; k++) sum += in[k];
    out[i] = sum;
    //| one block does all
    __shared__ int sums[256];
    int t = threadIdx.x;
    if (blockIdx.x > 0) return;
    for (int i = t; i < 256 * gridDim.x; i += 256) {
        int sum = i < n ? in[i] : 0;
        for (int d = 1; d < 256; d *= 2) {
            sums[t] = sum;
            __syncthreads();
            if (t >= d) sum += sums[t - d];
            __syncthreads();
        }
        if (i < n) out[i] = sum;
    }
    //| one barrier a step
    __shared__ int sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    sums[t] = i < n ? in[i] : 0;
    for (int d = 1; d < 256; d *= 2) {
        __syncthreads();
        if (t >= d) sums[t] += sums[t - d];
    }
    if (i < n) out[i] = sums[t];
    //| without its own number
    __shared__ int sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int sum = i < n && t > 0 ? in[i - 1] : 0;
    for (int d = 1; d < 256; d *= 2) {
        sums[t] = sum;
        __syncthreads();
        if (t >= d) sum += sums[t - d];
        __syncthreads();
    }
    if (i < n) out[i] = sum;
    //| a step too few
    __shared__ int sums[256];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    int sum = i < n ? in[i] : 0;
    for (int d = 1; d < 128; d *= 2) {
        sums[t] = sum;
        __syncthreads();
        if (t >= d) sum += sums[t - d];
        __syncthreads();
    }
    if (i < n) out[i] = sum;
    //>
}

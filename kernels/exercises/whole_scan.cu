// Add up across blocks.
//
// Write to each element of `out` the sum of all elements of `in` from the first up to
// its own. A block cannot wait for the others of its launch, but the next launch finds
// what all of them have written. So there are three:
//
// `scan` has a block of 256 threads for each 256 elements: it writes to `out` the sums
// within the block, and the sum of all of the block's elements to `sums`. `scan_sums`
// has one block of 256 threads, and adds to each of at most 256 elements of `sums` all
// that come before it. `add` has as many blocks as `scan`, and adds to each element of
// `out` what all earlier blocks have. A block may make 144 reads of shared memory, and
// a warp one request to each array for each of its elements.

//<
__device__ int up_to_own(int sum)
{
    __shared__ int sums[256];
    int t = threadIdx.x;
    for (int d = 1; d < 256; d *= 2) {
        sums[t] = sum;
        __syncthreads();
        if (t >= d) sum += sums[t - d];
        __syncthreads();
    }
    return sum;
}

//| skeleton
//| the sums as they are
__device__ int up_to_own(int sum)
{
    __shared__ int sums[256];
    int t = threadIdx.x;
    for (int d = 1; d < 256; d *= 2) {
        sums[t] = sum;
        __syncthreads();
        if (t >= d) sum += sums[t - d];
        __syncthreads();
    }
    return sum;
}

//| each block adds up all blocks before it
__device__ int up_to_own(int sum)
{
    __shared__ int sums[256];
    int t = threadIdx.x;
    for (int d = 1; d < 256; d *= 2) {
        sums[t] = sum;
        __syncthreads();
        if (t >= d) sum += sums[t - d];
        __syncthreads();
    }
    return sum;
}

//| one thread adds up a block
__device__ int up_to_own(int sum)
{
    __shared__ int sums[256];
    int t = threadIdx.x;
    sums[t] = sum;
    __syncthreads();
    if (t == 0) {
        for (int k = 1; k < 256; k++) sums[k] += sums[k - 1];
    }
    __syncthreads();
    return sums[t];
}

//>
__global__ void scan(const int *in, int *out, int *sums, int n)
{
    //<
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = up_to_own(i < n ? in[i] : 0);
    if (i < n) out[i] = sum;
    if (threadIdx.x == 255) sums[blockIdx.x] = sum;
    //| skeleton
    // YOUR CODE
    //| the last element of the array
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sum = up_to_own(i < n ? in[i] : 0);
    if (i < n) out[i] = sum;
    if (i < n && threadIdx.x == 255) sums[blockIdx.x] = sum;
    //>
}

__global__ void scan_sums(int *sums, int blocks)
{
    //<
    int t = threadIdx.x;
    int sum = up_to_own(t < blocks ? sums[t] : 0);
    if (t < blocks) sums[t] = sum;
    //| skeleton
    // YOUR CODE
    //| the sums as they are
    //| each block adds up all blocks before it
    //>
}

__global__ void add(int *out, const int *sums, int n)
{
    //<
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && blockIdx.x > 0) out[i] += sums[blockIdx.x - 1];
    //| skeleton
    // YOUR CODE
    //| its own block as well
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] += sums[blockIdx.x];
    //| each block adds up all blocks before it
    int i = blockIdx.x * blockDim.x + threadIdx.x, before = 0;
    for (int k = 0; k < blockIdx.x; k++) before += sums[k];
    if (i < n) out[i] += before;
    //>
}

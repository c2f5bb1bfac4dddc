// Let few threads do many elements.
//
// The kernel adds a * x to the vector y, in place. It is launched with few threads,
// however long the vectors are: first with 3 blocks of 96, then with other grids. At
// present, a thread does one element and ends, and the rest of y is not changed.
//
// Let each thread take further elements until all n are done, each of them once.
// All warps of the grid must take part. In every iteration, the lanes of a warp must
// work on neighbouring elements: at most 5 sectors for 32 floats of a vector, on
// average. 32 neighbours take 4. One more is allowed, since a compiler that merges
// several iterations may let some lanes of a warp be an iteration ahead.

__global__ void saxpy(float a, const float *x, float *y, int n)
{
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    //<
    for (int i = thread; i < n; i += gridDim.x * blockDim.x) {
        y[i] += a * x[i];
    }
    //| skeleton
    if (thread < n) {
        y[thread] += a * x[thread];
    }
    //| one thread does all
    for (int i = 0; thread == 0 && i < n; i++) {
        y[i] += a * x[i];
    }
    //| one warp does all
    for (int i = thread; thread < 32 && i < n; i += 32) {
        y[i] += a * x[i];
    }
    //| the stride as a number
    for (int i = thread; i < n; i += 288) {
        y[i] += a * x[i];
    }
    //| the stride of a block
    for (int i = thread; i < n; i += blockDim.x) {
        y[i] += a * x[i];
    }
    //| a piece for each thread
    int threads = gridDim.x * blockDim.x;
    int each = (n + threads - 1) / threads;
    for (int i = thread * each; i < min(n, (thread + 1) * each); i++) {
        y[i] += a * x[i];
    }
    //>
}

// Swap pointers, not data.
//
// Numbers are smoothed three times, from one array to another. Two variables of the
// program hold the arrays' addresses. `exchange` runs after each `smooth`, with the
// same number of threads, and makes the result the input of the next. At present, it
// copies all of it.
//
// Let `exchange` swap the pointers instead. Apart from the stores of `attach`, `smooth`
// and `result`, at most two stores an exchange are allowed.

__device__ float *from, *to;

__global__ void attach(float *a, float *b)
{
    from = a;
    to = b;
}

__global__ void exchange(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //<
    if (i == 0) {
        float *old = from;
        from = to;
        to = old;
    }
    //| skeleton
    if (i < n) from[i] = to[i];
    //| every thread
    float *old = from;
    from = to;
    to = old;
    //| a warp
    if (i < 32) {
        float *old = from;
        from = to;
        to = old;
    }
    //| one is lost
    if (i == 0) {
        from = to;
        to = from;
    }
    //>
}

__global__ void smooth(int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float left = from[max(i - 1, 0)], right = from[min(i + 1, n - 1)];
    to[i] = 0.5f * from[i] + 0.25f * (left + right);
}

__global__ void result(float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = from[i];
}

// A recursion whose end is never reached: the argument grows.
__device__ __noinline__ int depth(volatile int *p, int n) // fault
{
    if (n == *p) // fault
        return 0;
    return depth(p, n + 1) * 2 + *p; // fault
}

extern "C" __global__ void recurse(volatile int *end, int *out)
{
    out[threadIdx.x] = depth(end, threadIdx.x);
}

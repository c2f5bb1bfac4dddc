// What a macro or a template compares may be signed elsewhere.
#define CEIL_DIV(x, y) ((x) >= 0 ? ((x) + (y) - 1) / (y) : (x) / (y))
#define INSIDE(x, n) ((x) >= 0 && (x) < (n))
template <typename T> __device__ T size(T x) { return x < 0 ? -x : x; }
__global__ void k(unsigned *p, int n)
{
    if (threadIdx.x < CEIL_DIV(blockDim.x, 32)) p[threadIdx.x] = 1;
    if (INSIDE(threadIdx.x, 16)) p[threadIdx.x] = size(p[0]) + size(n);
}

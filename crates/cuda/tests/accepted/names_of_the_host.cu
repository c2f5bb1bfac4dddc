// Variables of the host that are called as a kernel's, and shared memory at file scope.
#define W (8 / 2)
struct Index { int x, y; };
__shared__ int s[W][32];
void reference(float *p, int blocks)
{
    for (int blockIdx = 0; blockIdx < blocks; ++blockIdx) p[blockIdx] = 0;
    for (unsigned threadIdx = 0; threadIdx < 4; ++threadIdx) p[threadIdx * 2] = 0;
}
void emulated(float *p, Index threadIdx) { p[threadIdx.x] = 0; }
void deduced(float *p, Index *all) { auto blockIdx = all[0]; p[blockIdx.x] = 0; }
void __syncthreads_of_host() {}
__global__ void k(int *p)
{
    s[1][threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[1][31 - threadIdx.x];
}

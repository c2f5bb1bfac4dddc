// Launch as many blocks as fit.
//
// The kernel goes through its numbers with the stride of the grid, so that any grid
// adds up all of them. Blocks have 256 threads and `kib` KiB of dynamic shared memory.
// With fewer blocks than the device can hold at a time, a part of it has nothing to do;
// with more, some blocks wait until others have ended.
//
// Launch exactly as many as fit: find out how many multiprocessors the device has, with
// cudaDeviceGetAttribute and cudaDevAttrMultiProcessorCount, and how many of these
// blocks fit on one of them, with cudaOccupancyMaxActiveBlocksPerMultiprocessor.

#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ int blocks;

__global__ void add(const int *in, int *sum, int n)
{
    extern __shared__ int own[];
    if (threadIdx.x == 0) *own = 0;
    __syncthreads();
    int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
    for (int i = first; i < n; i += step) atomicAdd(own, in[i]);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(sum, *own);
        atomicAdd(&blocks, 1);
    }
}

int main(int argc, char **argv)
{
    int kib = atoi(argv[1]), n = 20011;
    std::vector<int> in(n);
    for (int i = 0; i < n; i++) in[i] = i % 101;
    int *d_in, *d_sum, sum = 0, launched = 0;
    cudaMalloc(&d_in, n * sizeof(int));
    cudaMalloc(&d_sum, sizeof(int));
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_sum, 0, sizeof(int));
    int grid = 1;
    //<
    int multiprocessors, fit;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, add, 256, kib * 1024);
    grid = multiprocessors * fit;
    //| skeleton
    // YOUR CODE
    //| one block for each multiprocessor
    cudaDeviceGetAttribute(&grid, cudaDevAttrMultiProcessorCount, 0);
    //| shared memory is left out
    int multiprocessors, fit;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, add, 256, 0);
    grid = multiprocessors * fit;
    //| shared memory in KiB
    int multiprocessors, fit;
    cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fit, add, 256, kib);
    grid = multiprocessors * fit;
    //| a thread for each number
    grid = (n + 255) / 256;
    //| the numbers of one chip
    int fit = 228 / (kib + 1);
    grid = 132 * (fit < 8 ? fit : 8);
    //>
    //<
    add<<<grid, 256, kib * 1024>>>(d_in, d_sum, n);
    //| twice half of them
    add<<<grid / 2, 256, kib * 1024>>>(d_in, d_sum, n / 2);
    add<<<grid - grid / 2, 256, kib * 1024>>>(d_in + n / 2, d_sum, n - n / 2);
    //>
    cudaMemcpy(&sum, d_sum, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&launched, blocks, sizeof(int));
    printf("%d blocks, sum %d\n", launched, sum);
    cudaFree(d_in);
    cudaFree(d_sum);
}

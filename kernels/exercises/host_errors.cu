// Report a launch that fails.
//
// The number of threads of a block is an argument of the program, and a block has at
// most 1024. At present, the program does not look at the launch's error: it waits,
// copies, and prints a sum of what no kernel has written.
//
// Look at the error of the launch. If there is one, print a line with the kernel's
// name, a colon and the error's name, such as `fill: cudaErrorInvalidValue`, and return
// 1. The error's name is the runtime's own, not one that you write.

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void fill(int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 3 * i;
}

int main(int argc, char **argv)
{
    int threads = atoi(argv[1]), n = 3000;
    std::vector<int> out(n);
    int *d_out;
    cudaMalloc(&d_out, n * sizeof(int));
    cudaMemset(d_out, 0, n * sizeof(int));
    //< the launch
    fill<<<(n + threads - 1) / threads, threads>>>(d_out, n);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("fill: %s\n", cudaGetErrorName(error));
        cudaFree(d_out);
        return 1;
    }
    //| skeleton
    fill<<<(n + threads - 1) / threads, threads>>>(d_out, n);
    cudaDeviceSynchronize();
    //| asks the host
    if (threads > 1024) {
        printf("fill: cudaErrorInvalidValue\n");
        cudaFree(d_out);
        return 1;
    }
    fill<<<(n + threads - 1) / threads, threads>>>(d_out, n);
    //| reports and goes on
    fill<<<(n + threads - 1) / threads, threads>>>(d_out, n);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) printf("fill: %s\n", cudaGetErrorName(error));
    //| the sentence instead of the name
    fill<<<(n + threads - 1) / threads, threads>>>(d_out, n);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess) {
        printf("fill: %s\n", cudaGetErrorString(error));
        cudaFree(d_out);
        return 1;
    }
    //| returns without a word
    fill<<<(n + threads - 1) / threads, threads>>>(d_out, n);
    if (cudaGetLastError() != cudaSuccess) {
        cudaFree(d_out);
        return 1;
    }
    //| a name of its own
    fill<<<(n + threads - 1) / threads, threads>>>(d_out, n);
    if (cudaGetLastError() != cudaSuccess) {
        printf("fill: cudaErrorInvalidValue\n");
        cudaFree(d_out);
        return 1;
    }
    //| waits for the error
    fill<<<(n + threads - 1) / threads, threads>>>(d_out, n);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) {
        printf("fill: %s\n", cudaGetErrorName(error));
        cudaFree(d_out);
        return 1;
    }
    //>
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_out);
    long long sum = 0;
    for (int one : out) sum += one;
    printf("sum %lld\n", sum);
}

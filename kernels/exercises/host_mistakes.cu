// Find the five mistakes of a program.
//
// The program is to square n numbers on the device. It compiles, and it has five
// mistakes: one in how much memory it allocates, one in a copy to the device, one in
// the launch, one in the copy back, and one in what it frees. Some of them hide others:
// run the check after each change.
//
// Mend all five. The kernel, the numbers and what is printed stay as they are.

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void square(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * in[i];
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    std::vector<int> in(n), out(n);
    for (int i = 0; i < n; i++) in[i] = i * 13 % 101;
    int *d_in, *d_out;
    cudaMalloc(&d_in, n * sizeof(int));
    //< the allocation
    cudaMalloc(&d_out, n * sizeof(int));
    //| skeleton
    cudaMalloc(&d_out, n);
    //| memory is too small
    cudaMalloc(&d_out, n);
    //>
    //< the copy to the device
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    //| skeleton
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyDeviceToHost);
    //| the direction is wrong
    cudaMemcpy(d_in, in.data(), n * sizeof(int), cudaMemcpyDeviceToHost);
    //>
    //< the launch
    square<<<(n + 255) / 256, 256>>>(d_in, d_out, n);
    //| skeleton
    square<<<n / 256, 256>>>(d_in, d_out, n);
    //| the last block is missing
    square<<<n / 256, 256>>>(d_in, d_out, n);
    //| the host squares too
    square<<<1, 32>>>(d_in, d_out, n);
    //>
    //< the copy back
    cudaMemcpy(out.data(), d_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    //| skeleton
    cudaMemcpy(out.data(), d_out, sizeof(d_out), cudaMemcpyDeviceToHost);
    //| the size of a pointer
    cudaMemcpy(out.data(), d_out, sizeof(d_out), cudaMemcpyDeviceToHost);
    //| the host squares too
    for (int i = 0; i < n; i++) out[i] = in[i] * in[i];
    //>
    //< what is freed
    cudaFree(d_in);
    cudaFree(d_out);
    //| skeleton
    cudaFree(d_in);
    cudaFree(d_in);
    //| one is freed twice
    cudaFree(d_in);
    cudaFree(d_in);
    //>
    long long sum = 0;
    for (int i = 0; i < n; i++) sum += out[i];
    printf("%d squares, sum %lld\n", n, sum);
}

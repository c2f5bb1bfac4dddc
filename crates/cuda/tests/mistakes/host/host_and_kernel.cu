#include <stdio.h>

__global__ void add(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i]
}

int main()
{
    float *c;
    cudaMalloc(&c, 1024);
    add<<<1, 256>>>(c, c, c, 256);
    cudaDeviceSynchronize();
    printf("done\n");
    return 0
}
// ANCHOR: errors
error: expected `;` after this expression
 --> host_and_kernel.cu:7:27
  |
7 |         c[i] = a[i] + b[i]
  |                           ^ write `;` here

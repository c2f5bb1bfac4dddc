// Wait before the host reads managed memory.
//
// Managed memory has one pointer for both sides. The program has two arrays: the host
// fills the one, a kernel turns it into the other, and the host adds the result up. At
// present, the host reads the result while the kernel may still run.
//
// Let the host wait where it must, and only there: one wait is enough. Copy nothing.

#include <cstdio>
#include <cstdlib>

__global__ void running(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] + in[(i + 1) % n];
}

int main(int argc, char **argv)
{
    int n = atoi(argv[1]);
    int *in, *out;
    cudaMallocManaged(&in, n * sizeof(int));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; i++) in[i] = i * 17 % 613;
    long long sum = 0;
    //<
    running<<<(n + 255) / 256, 256>>>(in, out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) sum += out[i];
    //| skeleton
    running<<<(n + 255) / 256, 256>>>(in, out, n);
    for (int i = 0; i < n; i++) sum += out[i];
    //| waits before the launch
    cudaDeviceSynchronize();
    running<<<(n + 255) / 256, 256>>>(in, out, n);
    for (int i = 0; i < n; i++) sum += out[i];
    //| copies as well
    int *copy = (int *)malloc(n * sizeof(int));
    running<<<(n + 255) / 256, 256>>>(in, out, n);
    cudaMemcpy(copy, out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) sum += copy[i];
    free(copy);
    //| waits for each element
    running<<<(n + 255) / 256, 256>>>(in, out, n);
    for (int i = 0; i < n; i++) {
        cudaDeviceSynchronize();
        sum += out[i];
    }
    //| on the host
    running<<<1, 1>>>(in, out, 0);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) sum += in[i] + in[(i + 1) % n];
    //>
    cudaFree(in);
    cudaFree(out);
    printf("sum %lld\n", sum);
}

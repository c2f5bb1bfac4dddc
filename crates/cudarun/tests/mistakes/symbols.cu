// Variables of the device, launches whose errors are not looked at, and errors that are not.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>

__constant__ float coefficients[4];
__device__ int counter;
__device__ float *table;

__global__ void filter(float *out) { out[threadIdx.x] = coefficients[threadIdx.x % 4]; } // 1: uninitialised-read 2: uninitialised-read 3: uninitialised-read 4: uninitialised-read
__global__ void count() { atomicAdd(&counter, 1); }

#define OK(x) if ((x) != cudaSuccess) printf("failed\n")

void set_coefficients()
{
    float host[4] = {0.1f, 0.2f, 0.3f, 0.4f};
#if WRONG == 1
    OK(cudaMemcpyToSymbol("coefficients", host, sizeof(host))); // 1: not-a-symbol
#elif WRONG == 2
    OK(cudaMemcpy(coefficients, host, sizeof(host), cudaMemcpyHostToDevice)); // 2: copy-kind
#elif WRONG == 3
    float coefficients[4];
    OK(cudaMemcpyToSymbol(coefficients, host, sizeof(host))); // 3: not-a-symbol
#elif WRONG == 4
    // left to be done
#else
    OK(cudaMemcpyToSymbol(coefficients, host, sizeof(host)));
#endif
}

int main(int argc, char **argv)
{
    float *out, host[64];
    OK(cudaMalloc(&out, sizeof(host)));
    set_coefficients();
    filter<<<1, 64>>>(out);
    OK(cudaGetLastError());
    OK(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost));
    int zero = 0, counted;
    OK(cudaMemcpyToSymbol(counter, &zero, sizeof(int)));
    count<<<4, 32>>>();
#if WRONG == 5
    OK(cudaMemcpy(&counted, &counter, sizeof(int), cudaMemcpyDeviceToHost)); // 5: copy-kind
#else
    OK(cudaMemcpyFromSymbol(&counted, counter, sizeof(int)));
#endif
    printf("%g %d\n", host[3], counted);
#if WRONG == 6
    filter<<<1, 1 << 11>>>(out); // 6: launch-failed 6: launch-unseen
    OK(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost));
#elif WRONG == 7
    filter<<<dim3(1, 1, 70000), 64>>>(out); // 7: launch-failed 7: launch-unseen
    cudaDeviceSynchronize();
#elif WRONG == 8
    cudaMemcpy(out, host, sizeof(host), (cudaMemcpyKind)9); // 8: bad-argument 8: unchecked
    cudaSetDevice(3);
#else
    filter<<<1, 64>>>(out);
    OK(cudaGetLastError());
    OK(cudaDeviceSynchronize());
#endif
    OK(cudaFree(out));
}

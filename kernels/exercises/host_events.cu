// Time a kernel with events.
//
// A launch returns before the kernel has run. At present, the program asks the host's
// clock before and after the launch, which times the launch itself.
//
// Time the kernel alone, without the copies: record an event before the launch and one
// after it, wait for the second, and take the milliseconds between the two with
// cudaEventElapsedTime. Print them as the program does, and destroy both events.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

__global__ void iterate(float *x, int n, int times)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    for (int k = 0; k < times; k++) v = v * 0.999f + 0.5f;
    x[i] = v;
}

int main(int argc, char **argv)
{
    int n = 20000, times = atoi(argv[1]);
    std::vector<float> x(n, 1.0f);
    size_t bytes = n * sizeof(float);
    float *d_x, ms = 0;
    cudaMalloc(&d_x, bytes);
    //<
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
    cudaEventRecord(start);
    iterate<<<(n + 255) / 256, 256>>>(d_x, n, times);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    //| skeleton
    cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
    clock_t start = clock();
    iterate<<<(n + 255) / 256, 256>>>(d_x, n, times);
    clock_t stop = clock();
    ms = 1000.0f * (stop - start) / CLOCKS_PER_SEC;
    cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost);
    //| the copies are timed too
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaEventRecord(start);
    cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
    iterate<<<(n + 255) / 256, 256>>>(d_x, n, times);
    cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    //| no wait
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
    cudaEventRecord(start);
    iterate<<<(n + 255) / 256, 256>>>(d_x, n, times);
    cudaEventRecord(stop);
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    //| both before the launch
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
    cudaEventRecord(start);
    cudaEventRecord(stop);
    iterate<<<(n + 255) / 256, 256>>>(d_x, n, times);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost);
    cudaEventDestroy(start);
    cudaEventDestroy(stop);
    //| events are kept
    cudaEvent_t start, stop;
    cudaEventCreate(&start);
    cudaEventCreate(&stop);
    cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
    cudaEventRecord(start);
    iterate<<<(n + 255) / 256, 256>>>(d_x, n, times);
    cudaEventRecord(stop);
    cudaEventSynchronize(stop);
    cudaEventElapsedTime(&ms, start, stop);
    cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost);
    //| the host's clock
    cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice);
    timespec start, stop;
    clock_gettime(CLOCK_MONOTONIC, &start);
    iterate<<<(n + 255) / 256, 256>>>(d_x, n, times);
    cudaDeviceSynchronize();
    clock_gettime(CLOCK_MONOTONIC, &stop);
    ms = (stop.tv_sec - start.tv_sec) * 1e3f + (stop.tv_nsec - start.tv_nsec) * 1e-6f;
    cudaMemcpy(x.data(), d_x, bytes, cudaMemcpyDeviceToHost);
    //>
    cudaFree(d_x);
    printf("x[0] = %.3f, %.2f us\n", x[0], 1000 * ms);
}

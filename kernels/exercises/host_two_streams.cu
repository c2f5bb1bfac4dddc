// Let two streams overlap.
//
// The program steps n numbers on the device in two halves: each half is copied there,
// stepped, and copied back. At present, one thing is done after the other, on the
// default stream, and the host waits for each copy.
//
// Give each half its own stream, so that the copies of one run while the other
// computes. Copies are asynchronous only where the host's memory is pinned: allocate it
// with cudaMallocHost. Wait for both streams before the host reads the result.

#include <cmath>
#include <cstdio>
#include <cstdlib>

__global__ void step(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = x[i];
    for (int k = 0; k < 16; k++) v += 0.01f * (1.0f - v);
    x[i] = v;
}

int main(int argc, char **argv)
{
    int n = 2 * atoi(argv[1]), half = n / 2;
    float *x, *d_x;
    cudaMalloc(&d_x, n * sizeof(float));
    //< the host's memory
    cudaMallocHost(&x, n * sizeof(float));
    //| skeleton
    x = (float *)malloc(n * sizeof(float));
    //| memory that is not pinned
    x = (float *)malloc(n * sizeof(float));
    //>
    for (int i = 0; i < n; i++) x[i] = i % 100;
    //< the halves
    cudaStream_t streams[2];
    for (int k = 0; k < 2; k++) {
        cudaStreamCreate(&streams[k]);
        float *from = x + k * half, *to = d_x + k * half;
        size_t bytes = half * sizeof(float);
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, streams[k]);
        step<<<(half + 255) / 256, 256, 0, streams[k]>>>(to, half);
        cudaMemcpyAsync(from, to, bytes, cudaMemcpyDeviceToHost, streams[k]);
    }
    for (int k = 0; k < 2; k++) {
        cudaStreamSynchronize(streams[k]);
        cudaStreamDestroy(streams[k]);
    }
    //| skeleton
    for (int k = 0; k < 2; k++) {
        float *from = x + k * half, *to = d_x + k * half;
        size_t bytes = half * sizeof(float);
        cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice);
        step<<<(half + 255) / 256, 256>>>(to, half);
        cudaMemcpy(from, to, bytes, cudaMemcpyDeviceToHost);
    }
    //| one stream for both
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    for (int k = 0; k < 2; k++) {
        float *from = x + k * half, *to = d_x + k * half;
        size_t bytes = half * sizeof(float);
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream);
        step<<<(half + 255) / 256, 256, 0, stream>>>(to, half);
        cudaMemcpyAsync(from, to, bytes, cudaMemcpyDeviceToHost, stream);
    }
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    //| on the host
    cudaStream_t streams[2];
    for (int k = 0; k < 2; k++) {
        cudaStreamCreate(&streams[k]);
        float *from = x + k * half, *to = d_x + k * half;
        size_t bytes = half * sizeof(float);
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, streams[k]);
        step<<<1, 32, 0, streams[k]>>>(to, 0);
    }
    for (int k = 0; k < 2; k++) {
        cudaStreamSynchronize(streams[k]);
        cudaStreamDestroy(streams[k]);
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 16; k++) x[i] = fmaf(0.01f, 1.0f - x[i], x[i]);
    //| waits after each half
    cudaStream_t streams[2];
    for (int k = 0; k < 2; k++) {
        cudaStreamCreate(&streams[k]);
        float *from = x + k * half, *to = d_x + k * half;
        size_t bytes = half * sizeof(float);
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, streams[k]);
        step<<<(half + 255) / 256, 256, 0, streams[k]>>>(to, half);
        cudaMemcpyAsync(from, to, bytes, cudaMemcpyDeviceToHost, streams[k]);
        cudaStreamSynchronize(streams[k]);
        cudaStreamDestroy(streams[k]);
    }
    //| waits for one stream only
    cudaStream_t streams[2];
    for (int k = 0; k < 2; k++) {
        cudaStreamCreate(&streams[k]);
        float *from = x + k * half, *to = d_x + k * half;
        size_t bytes = half * sizeof(float);
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, streams[k]);
        step<<<(half + 255) / 256, 256, 0, streams[k]>>>(to, half);
        cudaMemcpyAsync(from, to, bytes, cudaMemcpyDeviceToHost, streams[k]);
    }
    cudaStreamSynchronize(streams[0]);
    //| the kernel is on the default stream
    cudaStream_t streams[2];
    for (int k = 0; k < 2; k++) {
        cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking);
        float *from = x + k * half, *to = d_x + k * half;
        size_t bytes = half * sizeof(float);
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, streams[k]);
        step<<<(half + 255) / 256, 256>>>(to, half);
        cudaMemcpyAsync(from, to, bytes, cudaMemcpyDeviceToHost, streams[k]);
    }
    cudaDeviceSynchronize();
    for (int k = 0; k < 2; k++) cudaStreamDestroy(streams[k]);
    //>
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i];
    printf("first %.4f, last %.4f, sum %.2f\n", x[0], x[n - 1], sum);
    cudaFree(d_x);
    //< the end
    cudaFreeHost(x);
    //| skeleton
    free(x);
    //| memory that is not pinned
    free(x);
    //>
}

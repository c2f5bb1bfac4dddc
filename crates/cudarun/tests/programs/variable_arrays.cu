// Arrays of host code whose length is known when they are reached, as g++ takes them.
#include <stdio.h>
#include <string.h>
#include <cuda_runtime.h>
__global__ void fill(float *p, float v) { p[threadIdx.x] = v; }
static float sum(const float *p, int n) { float s = 0; for (int i = 0; i < n; i++) s += p[i]; return s; }
int main(int argc, char **argv) {
    int n = argc + 1, streams_count = 2;
    cudaStream_t streams[streams_count];
    float *d[streams_count];
    for (int i = 0; i < streams_count; i++) { cudaStreamCreate(&streams[i]); cudaMalloc(&d[i], 32 * sizeof(float)); }
    for (int i = 0; i < streams_count; i++) fill<<<1, 32, 0, streams[i]>>>(d[i], i + 1);
    cudaDeviceSynchronize();
    for (int r = 1; r <= 3; r++) {
        float h[r * n], table[r][4];
        for (int i = 0; i < r * n; i++) h[i] = i;
        for (int i = 0; i < r; i++) for (int k = 0; k < 4; k++) table[i][k] = 10 * i + k;
        *h = 5;
        printf("%g %g %g\n", sum(h, r * n), h[r * n - 1], table[r - 1][3]);
    }
    float back[32 * streams_count];
    for (int i = 0; i < streams_count; i++) cudaMemcpy(back + 32 * i, d[i], 32 * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%g %g\n", back[0], back[63]);
    char text[n * 10];
    strcpy(text, "text");
    printf("%s %zu\n", text + 0, strlen(text));
    for (int i = 0; i < streams_count; i++) { cudaStreamDestroy(streams[i]); cudaFree(d[i]); }
}

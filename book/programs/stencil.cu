// Stencil: weights in constant memory, by cudaMemcpyToSymbol
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t error = (call);                                            \
        if (error != cudaSuccess) {                                            \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

const int RADIUS = 3, TAPS = 2 * RADIUS + 1;
__constant__ float weights[TAPS];

__global__ void smooth(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0;
    for (int tap = 0; tap < TAPS; tap++) {
        int at = min(max(i + tap - RADIUS, 0), n - 1);
        sum += weights[tap] * in[at];
    }
    out[i] = sum;
}

int main() {
    const int n = 72;
    const float taps[TAPS] = {1 / 64.0f, 6 / 64.0f, 15 / 64.0f, 20 / 64.0f, 15 / 64.0f, 6 / 64.0f, 1 / 64.0f};
    CHECK(cudaMemcpyToSymbol(weights, taps, sizeof taps));
    std::vector<float> signal(n, 0.0f), smoothed(n);
    for (int i = n / 3; i < n / 2; i++) signal[i] = 8;
    float *in, *out;
    CHECK(cudaMalloc(&in, n * sizeof(float)));
    CHECK(cudaMalloc(&out, n * sizeof(float)));
    CHECK(cudaMemcpy(in, signal.data(), n * sizeof(float), cudaMemcpyHostToDevice));

    smooth<<<(n + 31) / 32, 32>>>(in, out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(smoothed.data(), out, n * sizeof(float), cudaMemcpyDeviceToHost));

    for (int level = 8; level > 0; level--) {
        for (float value : smoothed) putchar(value >= level - 0.5f ? '#' : ' ');
        printf("| %d\n", level);
    }
    CHECK(cudaFree(in));
    CHECK(cudaFree(out));
}

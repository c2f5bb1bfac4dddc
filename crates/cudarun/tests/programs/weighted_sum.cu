// A sum with weights in constant memory, checked on the host.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                       \
    do {                                                                                  \
        cudaError_t error = (call);                                                       \
        if (error != cudaSuccess) {                                                       \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
            exit(1);                                                                      \
        }                                                                                 \
    } while (0)

__constant__ float weights[3];

__global__ void sum(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        out[i] = weights[0] * in[i - 1] + weights[1] * in[i] + weights[2] * in[i + 1];
}

int main(int argc, char **argv) {
    int n = argc > 1 ? atoi(argv[1]) : 1000;
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; i++) in[i] = float(i * 37 % 101);
    float host_weights[3] = {0.25f, 0.5f, 0.25f};
    float *d_in, *d_out;
    CHECK(cudaMalloc(&d_in, n * sizeof(float)));
    CHECK(cudaMalloc(&d_out, n * sizeof(float)));
    CHECK(cudaMemset(d_out, 0, n * sizeof(float)));
    CHECK(cudaMemcpy(d_in, in.data(), n * sizeof(float), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights));
    sum<<<(n + 127) / 128, 128>>>(d_in, d_out, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(out.data(), d_out, n * sizeof(float), cudaMemcpyDeviceToHost));
    int wrong = 0;
    for (int i = 1; i < n - 1; i++)
        wrong += out[i] != 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
    printf("%d elements, %d wrong\n", n, wrong);
    CHECK(cudaFree(d_in));
    CHECK(cudaFree(d_out));
    return wrong != 0;
}

// The host's side of N-body with constant memory, in CUDA C, as the chapter shows it.
// nvcc -o bodies bodies.cu && ./bodies
#include "../../kernels/ch14-4/gravity.cu"
#include "check.h"
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 10000; // two passes of 4,000 and one of 2,000
    const float softening_squared = 0.01f;
    std::vector<float4> places(n);
    for (int i = 0; i < n; i++) places[i] = make_float4(cosf(i), sinf(2.0f * i), i / (float)n, 1.0f / n);
    float4 *bodies;
    float *acceleration;
    CHECK(cudaMalloc(&bodies, n * sizeof(float4)));
    CHECK(cudaMalloc(&acceleration, 3 * n * sizeof(float)));
    CHECK(cudaMemcpy(bodies, places.data(), n * sizeof(float4), cudaMemcpyHostToDevice));
    // ANCHOR: host
    const int most = 4000; // bodies in a pass: 64,000 of 65,536 bytes
    cudaStream_t stream;
    CHECK(cudaStreamCreate(&stream));
    for (int start = 0; start < n; start += most) {
        int in_pass = std::min(most, n - start);
        size_t bytes = in_pass * sizeof(float4);
        CHECK(cudaMemcpyToSymbolAsync(pass_bodies, bodies + start, bytes, 0,
                                      cudaMemcpyDeviceToDevice, stream));
        gravity_constant<<<(n + 255) / 256, 256, 0, stream>>>(
            acceleration, bodies, softening_squared, n, in_pass, start == 0);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaStreamSynchronize(stream)); // the host waits once, for the last pass
    // ANCHOR_END: host
    std::vector<float> constant(3 * n), shared(3 * n);
    CHECK(cudaMemcpy(constant.data(), acceleration, 3 * n * sizeof(float), cudaMemcpyDeviceToHost));
    gravity_shared<<<(n + TILE - 1) / TILE, TILE>>>(acceleration, bodies, softening_squared, n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(shared.data(), acceleration, 3 * n * sizeof(float), cudaMemcpyDeviceToHost));
    float most_apart = 0.0f;
    for (int i = 0; i < 3 * n; i++) most_apart = fmaxf(most_apart, fabsf(constant[i] - shared[i]));
    printf("body 0: %g %g %g; constant and shared memory differ by at most %.1e\n", constant[0], constant[1], constant[2],
           most_apart);
    CHECK(cudaFree(bodies));
    CHECK(cudaFree(acceleration));
    return most_apart < 1e-4f ? 0 : 1;
}

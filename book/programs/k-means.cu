// k-means: points to their nearest centres, centres to the mean of their points
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t error = (call);                                            \
        if (error != cudaSuccess) {                                            \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

const int POINTS = 3000, CENTRES = 4;
__constant__ float2 centres[CENTRES];

__global__ void assign(const float2 *points, float *sums, int *counts) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= POINTS) return;
    float2 point = points[i];
    int best = 0;
    float least = INFINITY;
    for (int c = 0; c < CENTRES; c++) {
        float dx = point.x - centres[c].x, dy = point.y - centres[c].y;
        if (dx * dx + dy * dy < least) {
            least = dx * dx + dy * dy;
            best = c;
        }
    }
    atomicAdd(&sums[2 * best], point.x);
    atomicAdd(&sums[2 * best + 1], point.y);
    atomicAdd(&counts[best], 1);
}

int main() {
    const float2 around[CENTRES] = {{1, 1}, {8, 2}, {3, 7}, {9, 9}};
    std::mt19937 random(1);
    std::vector<float2> points(POINTS);
    auto spread = [&] { return (random() % 2000 - 1000.0f) / 1000; };
    for (int i = 0; i < POINTS; i++) {
        points[i].x = around[i % CENTRES].x + spread();
        points[i].y = around[i % CENTRES].y + spread();
    }
    float2 *on_device, means[CENTRES] = {{0, 0}, {5, 0}, {0, 5}, {5, 5}};
    float *sums, of_sums[2 * CENTRES];
    int *counts, of_counts[CENTRES];
    CHECK(cudaMalloc(&on_device, POINTS * sizeof(float2)));
    CHECK(cudaMalloc(&sums, sizeof of_sums));
    CHECK(cudaMalloc(&counts, sizeof of_counts));
    CHECK(cudaMemcpy(on_device, points.data(), POINTS * sizeof(float2), cudaMemcpyHostToDevice));

    for (int pass = 1; pass <= 6; pass++) {
        CHECK(cudaMemcpyToSymbol(centres, means, sizeof means));
        CHECK(cudaMemset(sums, 0, sizeof of_sums));
        CHECK(cudaMemset(counts, 0, sizeof of_counts));
        assign<<<(POINTS + 127) / 128, 128>>>(on_device, sums, counts);
        CHECK(cudaGetLastError());
        CHECK(cudaMemcpy(of_sums, sums, sizeof of_sums, cudaMemcpyDeviceToHost));
        CHECK(cudaMemcpy(of_counts, counts, sizeof of_counts, cudaMemcpyDeviceToHost));
        printf("pass %d:", pass);
        for (int c = 0; c < CENTRES; c++) {
            if (of_counts[c] > 0) means[c] = {of_sums[2 * c] / of_counts[c], of_sums[2 * c + 1] / of_counts[c]};
            printf("  (%.2f, %.2f) %d", means[c].x, means[c].y, of_counts[c]);
        }
        printf("\n");
    }
    CHECK(cudaFree(on_device));
    CHECK(cudaFree(sums));
    CHECK(cudaFree(counts));
}

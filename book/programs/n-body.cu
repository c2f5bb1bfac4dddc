// N-body: gravity by tiles in shared memory, step by step
#include <cmath>
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

const int BODIES = 512, TILE = 128;

__global__ void step(const float4 *now, float4 *next, float3 *velocities, float dt) {
    int i = blockIdx.x * TILE + threadIdx.x;
    float4 own = now[i];
    float3 force = {0, 0, 0};
    __shared__ float4 tile[TILE];
    for (int first = 0; first < BODIES; first += TILE) {
        tile[threadIdx.x] = now[first + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < TILE; j++) {
            float dx = tile[j].x - own.x, dy = tile[j].y - own.y, dz = tile[j].z - own.z;
            float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = tile[j].w * inverse * inverse * inverse;
            force.x += pull * dx;
            force.y += pull * dy;
            force.z += pull * dz;
        }
        __syncthreads();
    }
    float3 v = velocities[i];
    v = {v.x + dt * force.x, v.y + dt * force.y, v.z + dt * force.z};
    velocities[i] = v;
    next[i] = {own.x + dt * v.x, own.y + dt * v.y, own.z + dt * v.z, own.w};
}

int main() {
    std::vector<float4> bodies(BODIES);
    std::vector<float3> velocities(BODIES);
    for (int i = 0; i < BODIES; i++) {
        float angle = 0.1f * i, radius = 1 + 0.005f * i, speed = std::sqrt(1 / radius);
        bodies[i] = {radius * std::cos(angle), radius * std::sin(angle), 0.02f * (i % 7 - 3), 1.0f / BODIES};
        velocities[i] = {-speed * std::sin(angle), speed * std::cos(angle), 0};
    }
    float4 *places[2];
    float3 *v;
    for (float4 *&place : places) CHECK(cudaMalloc(&place, BODIES * sizeof(float4)));
    CHECK(cudaMalloc(&v, BODIES * sizeof(float3)));
    CHECK(cudaMemcpy(places[0], bodies.data(), BODIES * sizeof(float4), cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(v, velocities.data(), BODIES * sizeof(float3), cudaMemcpyHostToDevice));

    for (int pass = 0; pass < 10; pass++) {
        step<<<BODIES / TILE, TILE>>>(places[pass % 2], places[(pass + 1) % 2], v, 0.01f);
        CHECK(cudaGetLastError());
    }
    CHECK(cudaMemcpy(bodies.data(), places[0], BODIES * sizeof(float4), cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(velocities.data(), v, BODIES * sizeof(float3), cudaMemcpyDeviceToHost));

    double x = 0, y = 0, energy = 0;
    for (int i = 0; i < BODIES; i++) {
        x += bodies[i].x / BODIES;
        y += bodies[i].y / BODIES;
        float3 w = velocities[i];
        energy += 0.5 * (w.x * w.x + w.y * w.y + w.z * w.z) / BODIES;
    }
    printf("after 10 steps: body 0 is at (%.4f, %.4f, %.4f)\n", bodies[0].x, bodies[0].y, bodies[0].z);
    printf("centre (%.4f, %.4f), kinetic energy %.4f\n", x, y, energy);
    for (float4 *place : places) CHECK(cudaFree(place));
    CHECK(cudaFree(v));
}

// Variables of the device that the host reads and writes as if they were its own, and what it may do with them.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int counter = 3;
__constant__ float weights[2] = {0.5f, 2};
__device__ const int limit = 7;
__constant__ const float steady[2] = {1.5f, 3};
__constant__ constexpr double half = 0.5;
__managed__ int shared = 1;
struct Settings {
    int steps, size[2];
};
__device__ Settings settings;
template <class T> __device__ T zero = 0;

__host__ __device__ int steps() { return settings.steps; }

__global__ void run()
{
    counter += limit + (int)weights[1] + steps() + zero<int>;
    shared++;
}

template <class T> void add(T by) { counter += by; }

int main()
{
    settings.size[1] = 4;
    counter = 5;
    counter++;
    run<<<1, 1>>>();
    cudaDeviceSynchronize();
    printf("%d %d %d\n", counter, limit, shared);
    for (float weight : weights)
        printf("%g ", weight);
    printf("%g %zu %d\n", weights[1], sizeof(weights), settings.steps);
    add(2);
    auto twice = [] { return 2 * counter; };
    printf("%d\n", twice());

    int value;
    cudaMemcpyFromSymbol(&value, counter, sizeof(value));
    Settings own = {1, {2, 3}};
    cudaMemcpyToSymbol(settings, &own, sizeof(own));
    void *address;
    cudaGetSymbolAddress(&address, counter);
    printf("%d %d\n", value, address == &counter);
    int many[limit];
    static_assert(half < 1, "known");
    printf("%zu %g %g\n", sizeof(many) / sizeof(int), steady[1], half);
}

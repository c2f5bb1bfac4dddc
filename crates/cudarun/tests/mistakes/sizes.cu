// Sizes in the wrong unit, too small or too large.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <memory>
#include <string>
#include <vector>

struct Particle {
    float x, y, z, mass;
};

__global__ void weigh(const Particle *all, float *sums, int count)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < count)
        sums[at] = all[at].mass + all[at].x; // 1: uninitialised-read 2: uninitialised-read
}

__constant__ short weights[8];
__global__ void weighted(short *out) { out[threadIdx.x] = weights[threadIdx.x]; } // 5: uninitialised-read 6: uninitialised-read

static void check(cudaError_t error)
{
    if (error != cudaSuccess)
        printf("%s\n", cudaGetErrorName(error));
}

template <class T> T *on_device(const T *from, size_t count)
{
    T *to;
    check(cudaMalloc(&to, count * sizeof(T)));
#if WRONG == 1
    check(cudaMemcpy(to, from, count, cudaMemcpyHostToDevice)); // 1: size-in-elements
#elif WRONG == 2
    check(cudaMemcpy(to, from, sizeof(from), cudaMemcpyHostToDevice)); // 2: size-in-elements
#else
    check(cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice));
#endif
    return to;
}

int main()
{
    const int count = 200;
    std::vector<Particle> all(count, Particle{1, 2, 3, 4});
    float *sums;
#if WRONG == 3
    check(cudaMalloc(&sums, count));
#else
    check(cudaMalloc(&sums, count * sizeof(float)));
#endif
    Particle *device = on_device(all.data(), all.size());
#if WRONG != 3
    weigh<<<1, 256>>>(device, sums, count);
    check(cudaGetLastError());
#endif
    std::unique_ptr<float[]> back(new float[count]);
    check(cudaMemcpy(back.get(), sums, count * sizeof(float), cudaMemcpyDeviceToHost)); // 3: out-of-bounds
#if WRONG == 4
    check(cudaMemcpy(back.get(), device, count * sizeof(Particle), cudaMemcpyDeviceToHost)); // 4: out-of-bounds
#endif
    check(cudaFree(sums));
    check(cudaFree(device));

    short host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, *out;
#if WRONG == 5
    check(cudaMemcpyToSymbol(weights, host, 8 * sizeof(int))); // 5: out-of-bounds
#elif WRONG == 6
    check(cudaMemcpyToSymbol(weights, host, sizeof(host), 2)); // 6: out-of-bounds
#else
    check(cudaMemcpyToSymbol(weights, host, sizeof(host)));
#endif
    check(cudaMalloc(&out, sizeof(host)));
    weighted<<<1, 8>>>(out);
    check(cudaMemcpy(host, out, sizeof(host), cudaMemcpyDeviceToHost));
    check(cudaFree(out));

    std::string text = "constant";
    char *copy;
#if WRONG == 7
    check(cudaMalloc(&copy, 1ull << 13 * sizeof(int))); // 7: too-large
#elif WRONG == 8
    int huge = -1000;
    check(cudaMalloc(&copy, huge * sizeof(char))); // 8: too-large
#else
    check(cudaMalloc(&copy, 1 << 13));
    check(cudaMemcpy(copy, text.c_str(), text.size() + 1, cudaMemcpyHostToDevice));
    check(cudaFree(copy));
#endif
}

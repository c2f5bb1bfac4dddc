// Memory of both sides that the host reads before it has waited: by name, through a helper's pointer, and in functions of the library.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <iostream>
#include <string>
#include <vector>

#define CHECK(call)                                                                                                             \
    if (cudaError_t error = (call))                                                                                             \
    printf("%s\n", cudaGetErrorString(error))

__managed__ int steps;
__managed__ float energy[32];

__global__ void move(float *x)
{
    x[threadIdx.x] += 1;
    energy[threadIdx.x] = x[threadIdx.x];
    if (threadIdx.x == 0)
        steps++;
}
__global__ void upper(char *text) { text[threadIdx.x] -= 32; }

template <class T> T *managed(size_t count)
{
    T *all;
    CHECK(cudaMallocManaged(&all, count * sizeof(T)));
    memset(all, 0, count * sizeof(T));
    return all;
}

int main()
{
    float *x = managed<float>(32);
    x[3] = 2;
    move<<<1, 32>>>(x);
#if WRONG == 1
    printf("%d\n", steps); // 1: unordered
#elif WRONG == 2
    printf("%g\n", x[3]); // 2: unordered
#elif WRONG == 3
    float copy[8];
    memcpy(copy, x, sizeof copy); // 3: unordered
#elif WRONG == 4
    std::vector<float> all(32);
    size_t bytes = all.size() * sizeof(float);
    memcpy(all.data(), energy, bytes); // 4: unordered
#endif
    CHECK(cudaDeviceSynchronize());
    printf("%d %g %g\n", steps, x[3], energy[3]);

    char *text = managed<char>(8);
    strcpy(text, "managed");
    upper<<<1, 7>>>(text);
#if WRONG == 5
    printf("%s\n", text); // 5: unordered
#elif WRONG == 6
    std::string kept = text; // 6: unordered
#elif WRONG == 7
    fwrite(text, 1, 7, stdout); // 7: unordered
#endif
    CHECK(cudaDeviceSynchronize());
    puts(text);
    CHECK(cudaFree(text));
    CHECK(cudaFree(x));
}

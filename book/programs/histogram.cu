// Histogram: letters of a text, counted in shared memory
#include <cstdio>
#include <cstdlib>
#include <string>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t error = (call);                                            \
        if (error != cudaSuccess) {                                            \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

const int BINS = 26;

__global__ void count(const char *text, int n, unsigned *bins) {
    __shared__ unsigned own[BINS];
    if (threadIdx.x < BINS) own[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && text[i] >= 'a' && text[i] <= 'z') atomicAdd(&own[text[i] - 'a'], 1);
    __syncthreads();
    if (threadIdx.x < BINS) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

int main() {
    std::string text;
    while (text.size() < 20000) text += "the quick brown fox jumps over the lazy dog ";
    char *characters;
    unsigned *bins, counts[BINS];
    CHECK(cudaMalloc(&characters, text.size()));
    CHECK(cudaMalloc(&bins, sizeof counts));
    CHECK(cudaMemcpy(characters, text.data(), text.size(), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(bins, 0, sizeof counts));

    count<<<(text.size() + 255) / 256, 256>>>(characters, text.size(), bins);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(counts, bins, sizeof counts, cudaMemcpyDeviceToHost));

    for (int bin = 0; bin < BINS; bin++) {
        printf("%c %5u ", 'a' + bin, counts[bin]);
        for (unsigned bar = 0; bar < counts[bin] / 50; bar++) putchar('#');
        putchar('\n');
    }
    CHECK(cudaFree(characters));
    CHECK(cudaFree(bins));
}

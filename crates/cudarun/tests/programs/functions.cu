// Names of functions as arguments: of the runtime's templates, of algorithms, and of classes that hold them.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

__global__ void twice(float *p, int n) {
    if (threadIdx.x < n) p[threadIdx.x] *= 2;
}
template <class T> __global__ void set(T *p) { p[0] = 1; }

void end(int *p) {
    printf("end of %d\n", *p);
    delete p;
}
bool greater(int a, int b) { return a > b; }
template <class F, class... A> auto call(F &&f, A... a) { return f(a...); }

int main() {
    cudaFuncAttributes attributes;
    printf("%d %d\n", cudaFuncGetAttributes(&attributes, twice), cudaFuncGetAttributes(&attributes, set<int>));
    int blocks, grid, block;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, twice, 256, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, twice, 0, 0);
    printf("%d blocks of 256; %d of %d\n", blocks, grid, block);
    { std::shared_ptr<int> three(new int(3), end); }
    std::vector<int> values{1, 3, 2};
    std::sort(values.begin(), values.end(), greater);
    std::function<bool(int, int)> held = greater;
    printf("%d %d %d, %d %d\n", values[0], values[1], values[2], held(2, 1), call(greater, 1, 2));
    float *d, h[4] = {1, 2, 3, 4};
    int n = 3;
    cudaMalloc(&d, sizeof h);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    void *arguments[] = {&d, &n};
    cudaLaunchKernel((void *)twice, dim3(1), dim3(32), arguments, 0, 0);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%g %g %g %g\n", h[0], h[1], h[2], h[3]);
    cudaFree(d);
    return 0;
}

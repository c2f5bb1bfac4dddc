// A copy without a pitch into rows with one: the rows are drawn with their padding.
#include <cstdio>

int main() {
    const int width = 100, height = 3;
    float h[height][width], *d;
    size_t pitch;
    for (int i = 0; i < width * height; i++) h[0][i] = i;
    cudaMallocPitch(&d, &pitch, width * sizeof(float), height);
    cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy2D(d, pitch, h, width * sizeof(float), width, height, cudaMemcpyHostToDevice);
    cudaMemcpy2D(d, 400, h, width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice);
    printf("%zu\n", pitch);
    cudaFree(d);
}

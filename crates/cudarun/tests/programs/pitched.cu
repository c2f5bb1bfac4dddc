// Rows with a pitch, copied there and back, and one of them on its own.
#include <cstdio>

__global__ void twice(char *rows, size_t pitch, int width, int height) {
    int x = threadIdx.x, y = blockIdx.x;
    float *row = (float *)(rows + y * pitch);
    if (x < width && y < height) row[x] *= 2;
}

int main() {
    const int width = 50, height = 5;
    static float in[height][width], out[height][width];
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) in[y][x] = y * 100 + x;
    char *rows;
    size_t pitch;
    cudaMallocPitch(&rows, &pitch, width * sizeof(float), height);
    cudaMemcpy2D(rows, pitch, in, sizeof in[0], sizeof in[0], height, cudaMemcpyHostToDevice);
    twice<<<height, 64>>>(rows, pitch, width, height);
    cudaMemcpy2D(out, sizeof out[0], rows, pitch, sizeof out[0], height, cudaMemcpyDeviceToHost);
    float one;
    cudaMemcpy(&one, rows + 3 * pitch + 7 * sizeof(float), sizeof one, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) wrong += out[y][x] != 2 * in[y][x];
    printf("pitch %zu, %d wrong, row 3 column 7: %g\n", pitch, wrong, one);
    cudaFree(rows);
    return 0;
}

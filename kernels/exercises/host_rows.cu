// Copy rows into pitched memory and back.
//
// The kernel scales a matrix whose rows begin `pitch` bytes apart. The host's matrix
// has no gaps between its rows. At present, the program copies as if neither had.
//
// Allocate the device's rows with cudaMallocPitch, copy all rows there with one
// cudaMemcpy2D, launch the kernel in blocks of 64 threads along a row, and copy the
// rows back with another. Widths and pitches are in bytes.

#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void scale(float *rows, size_t pitch, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y;
    float *row = (float *)((char *)rows + y * pitch);
    if (x < width && y < height) row[x] = 2.0f * row[x] + y;
}

int main(int argc, char **argv)
{
    int width = atoi(argv[1]), height = atoi(argv[2]);
    std::vector<float> m(width * height);
    for (int i = 0; i < width * height; i++) m[i] = i % 251;
    float *rows;
    size_t pitch;
    dim3 grid((width + 63) / 64, height);
    //<
    size_t bytes = width * sizeof(float);
    cudaMallocPitch(&rows, &pitch, bytes, height);
    cudaMemcpy2D(rows, pitch, m.data(), bytes, bytes, height, cudaMemcpyHostToDevice);
    scale<<<grid, 64>>>(rows, pitch, width, height);
    cudaMemcpy2D(m.data(), bytes, rows, pitch, bytes, height, cudaMemcpyDeviceToHost);
    //| skeleton
    cudaMallocPitch(&rows, &pitch, width, height);
    cudaMemcpy(rows, m.data(), m.size() * sizeof(float), cudaMemcpyHostToDevice);
    scale<<<grid, 64>>>(rows, pitch, width, height);
    cudaMemcpy(m.data(), rows, m.size() * sizeof(float), cudaMemcpyDeviceToHost);
    //| widths in elements
    cudaMallocPitch(&rows, &pitch, width * sizeof(float), height);
    cudaMemcpy2D(rows, pitch, m.data(), width, width, height, cudaMemcpyHostToDevice);
    scale<<<grid, 64>>>(rows, pitch, width, height);
    cudaMemcpy2D(m.data(), width, rows, pitch, width, height, cudaMemcpyDeviceToHost);
    //| the device's pitch on the host
    size_t bytes = width * sizeof(float);
    cudaMallocPitch(&rows, &pitch, bytes, height);
    cudaMemcpy2D(rows, pitch, m.data(), pitch, bytes, height, cudaMemcpyHostToDevice);
    scale<<<grid, 64>>>(rows, pitch, width, height);
    cudaMemcpy2D(m.data(), pitch, rows, pitch, bytes, height, cudaMemcpyDeviceToHost);
    //| row by row
    size_t bytes = width * sizeof(float);
    cudaMallocPitch(&rows, &pitch, bytes, height);
    char *row = (char *)rows;
    for (int y = 0; y < height; y++)
        cudaMemcpy(row + y * pitch, &m[y * width], bytes, cudaMemcpyHostToDevice);
    scale<<<grid, 64>>>(rows, pitch, width, height);
    for (int y = 0; y < height; y++)
        cudaMemcpy(&m[y * width], row + y * pitch, bytes, cudaMemcpyDeviceToHost);
    //| rows without padding
    pitch = width * sizeof(float);
    cudaMalloc(&rows, pitch * height);
    cudaMemcpy2D(rows, pitch, m.data(), pitch, pitch, height, cudaMemcpyHostToDevice);
    scale<<<grid, 64>>>(rows, pitch, width, height);
    cudaMemcpy2D(m.data(), pitch, rows, pitch, pitch, height, cudaMemcpyDeviceToHost);
    //| on the host
    cudaMallocPitch(&rows, &pitch, width * sizeof(float), height);
    scale<<<grid, 64>>>(rows, pitch, 0, 0);
    for (int i = 0; i < width * height; i++) m[i] = 2.0f * m[i] + i / width;
    //>
    cudaFree(rows);
    double sum = 0;
    for (float one : m) sum += one;
    printf("first %g, last %g, sum %.1f\n", m[0], m[width * height - 1], sum);
}

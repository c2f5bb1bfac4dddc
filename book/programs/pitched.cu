// Pitched image: rows by cudaMallocPitch and cudaMemcpy2D, written as a picture
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

__global__ void draw(unsigned char *pixels, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    unsigned char *row = pixels + y * pitch; // rows begin every `pitch` bytes
    float dx = x - width / 2.0f, dy = y - height / 2.0f;
    row[x] = 128 + 127 * cosf(sqrtf(dx * dx + dy * dy) / 4);
}

int main() {
    const int width = 300, height = 200;
    unsigned char *pixels;
    size_t pitch;
    CHECK(cudaMallocPitch(&pixels, &pitch, width, height));
    printf("a row has %d bytes, and the next one begins after %zu\n", width, pitch);

    dim3 block(32, 8), grid((width + 31) / 32, (height + 7) / 8);
    draw<<<grid, block>>>(pixels, pitch, width, height);
    CHECK(cudaGetLastError());
    std::vector<unsigned char> image(width * height);
    CHECK(cudaMemcpy2D(image.data(), width, pixels, pitch, width, height, cudaMemcpyDeviceToHost));
    CHECK(cudaFree(pixels));

    FILE *file = fopen("rings.pgm", "wb");
    if (!file) {
        perror("rings.pgm");
        return 1;
    }
    fprintf(file, "P5\n%d %d\n255\n", width, height);
    fwrite(image.data(), 1, image.size(), file);
    fclose(file);
}

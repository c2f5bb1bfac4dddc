// The host's side of the ray tracer, in CUDA C, as the chapter shows it. It writes the picture to rays.ppm.
// nvcc -o rays rays.cu && ./rays
#include "../../kernels/ch6-2/rays.cu"
#include "check.h"
#include <cstdio>
#include <cstdlib>
#include <vector>

static float random_below(float most) { return most * (rand() / (float)RAND_MAX); }

int main() {
    std::vector<Sphere> scene(SPHERES);
    for (Sphere &s : scene) {
        s.red = random_below(1), s.green = random_below(1), s.blue = random_below(1);
        s.x = random_below(1000) - 500, s.y = random_below(1000) - 500, s.z = random_below(1000) - 500;
        s.radius = random_below(100) + 20;
    }
    // ANCHOR: host
    const int width = 500, height = 350; // do not have to be multiples of 16
    uchar4 *image;
    CHECK(cudaMalloc(&image, width * height * sizeof(uchar4)));
    CHECK(cudaMemcpyToSymbol(spheres, scene.data(), scene.size() * sizeof(Sphere)));

    const dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
    rays_constant_20<<<grid, block>>>(image, width, height, 2.0f); // warms up

    cudaEvent_t start, stop;
    CHECK(cudaEventCreate(&start));
    CHECK(cudaEventCreate(&stop));
    CHECK(cudaEventRecord(start)); // only the kernel is between the events
    rays_constant_20<<<grid, block>>>(image, width, height, 2.0f);
    CHECK(cudaEventRecord(stop));
    CHECK(cudaGetLastError());

    std::vector<uchar4> pixels(width * height);
    const size_t bytes = pixels.size() * sizeof(uchar4);
    CHECK(cudaMemcpy(pixels.data(), image, bytes, cudaMemcpyDeviceToHost));
    float milliseconds;
    CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
    // ANCHOR_END: host
    printf("%.4f ms\n", milliseconds);
    FILE *file = fopen("rays.ppm", "wb");
    if (!file) {
        fprintf(stderr, "rays.ppm cannot be written\n");
        return 1;
    }
    fprintf(file, "P6 %d %d 255\n", width, height);
    for (uchar4 pixel : pixels) fwrite(&pixel, 1, 3, file);
    fclose(file);
    CHECK(cudaEventDestroy(start));
    CHECK(cudaEventDestroy(stop));
    CHECK(cudaFree(image));
    return 0;
}

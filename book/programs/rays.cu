// Ray tracer: spheres with shadows and reflections, written as a picture
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

struct Vec {
    float x, y, z;
};
__host__ __device__ Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
__host__ __device__ Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
__host__ __device__ Vec operator*(float f, Vec a) { return {f * a.x, f * a.y, f * a.z}; }
__device__ float dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ Vec unit(Vec a) { return rsqrtf(dot(a, a)) * a; }

struct Sphere {
    Vec centre;
    float radius;
    Vec colour;
    float mirror;
};
const int SPHERES = 5;
__constant__ Sphere spheres[SPHERES];

// Distance to the nearest sphere, and which it is; none is -1.
__device__ int nearest(Vec from, Vec to, float &distance) {
    int found = -1;
    for (int s = 0; s < SPHERES; s++) {
        Vec d = from - spheres[s].centre;
        float b = dot(d, to), c = dot(d, d) - spheres[s].radius * spheres[s].radius, root = b * b - c;
        if (root < 0) continue;
        float t = -b - sqrtf(root);
        if (t > 1e-3f && t < distance) {
            distance = t;
            found = s;
        }
    }
    return found;
}

__global__ void render(uchar3 *pixels, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Vec from = {0, 1, 4}, to = unit({(x - width / 2.0f) / height, (height / 2.0f - y) / height - 0.1f, -1});
    Vec light = unit({1, 2, 1.5f}), colour = {0, 0, 0};
    float share = 1;
    for (int bounce = 0; bounce < 4 && share > 0.02f; bounce++) {
        float distance = INFINITY;
        int hit = nearest(from, to, distance);
        if (hit < 0) {
            float up = 0.5f * (to.y + 1);
            colour = colour + share * ((1 - up) * Vec{1, 1, 1} + up * Vec{0.4f, 0.6f, 1});
            break;
        }
        const Sphere &sphere = spheres[hit];
        from = from + distance * to;
        Vec normal = unit(from - sphere.centre);
        float shadow = INFINITY;
        bool lit = nearest(from, light, shadow) < 0;
        float shade = 0.15f + (lit ? 0.85f * fmaxf(0, dot(normal, light)) : 0);
        colour = colour + share * (1 - sphere.mirror) * shade * sphere.colour;
        share *= sphere.mirror;
        to = to - 2 * dot(to, normal) * normal;
    }
    auto level = [](float f) { return (unsigned char)(255 * sqrtf(fminf(f, 1))); };
    pixels[y * width + x] = make_uchar3(level(colour.x), level(colour.y), level(colour.z));
}

int main() {
    const Sphere scene[SPHERES] = {
        {{0, -1000, 0}, 1000, {0.6f, 0.6f, 0.5f}, 0.1f}, {{0, 1, 0}, 1, {0.9f, 0.9f, 0.9f}, 0.8f},
        {{-1.8f, 0.7f, 0.6f}, 0.7f, {0.9f, 0.2f, 0.2f}, 0.2f}, {{1.7f, 0.6f, 0.9f}, 0.6f, {0.2f, 0.5f, 0.9f}, 0.3f},
        {{0.5f, 0.3f, 1.6f}, 0.3f, {0.3f, 0.8f, 0.3f}, 0.1f},
    };
    const int width = 320, height = 200;
    CHECK(cudaMemcpyToSymbol(spheres, scene, sizeof scene));
    uchar3 *pixels;
    std::vector<uchar3> image(width * height);
    CHECK(cudaMalloc(&pixels, image.size() * sizeof(uchar3)));
    dim3 block(16, 8), grid((width + 15) / 16, (height + 7) / 8);
    render<<<grid, block>>>(pixels, width, height);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(image.data(), pixels, image.size() * sizeof(uchar3), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(pixels));

    FILE *file = fopen("spheres.ppm", "wb");
    if (!file) {
        perror("spheres.ppm");
        return 1;
    }
    fprintf(file, "P6\n%d %d\n255\n", width, height);
    fwrite(image.data(), sizeof(uchar3), image.size(), file);
    fclose(file);
    printf("spheres.ppm: %d x %d pixels\n", width, height);
}

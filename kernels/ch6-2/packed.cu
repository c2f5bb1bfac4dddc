// The kernels of rays.cu with a sphere in two float4: what every ray needs, and what only the nearest sphere's ray needs.
// One 16-byte load brings the first, and the image is the same, bit for bit.

// ANCHOR: packed
struct Packed {
    float4 place; // x, y, z, radius
    float4 paint; // red, green, blue, nothing
};

__constant__ Packed spheres[2048]; // 32 bytes each: all of the 65,536
// ANCHOR_END: packed

struct Ray {
    float x, y;
    float red, green, blue;
    float depth;
};

// ANCHOR: look
__device__ void look(Ray &ray, const Packed &sphere) {
    float4 place = sphere.place;
    float dx = ray.x - place.x, dy = ray.y - place.y;
    float inside = fmaf(-dx, dx, fmaf(-dy, dy, place.w * place.w));
    if (inside > 0.0f) {
        float height = sqrtf(inside);
        float depth = height + place.z;
        if (depth > ray.depth) {
            float4 paint = sphere.paint;
            float shade = height / place.w;
            ray.red = paint.x * shade;
            ray.green = paint.y * shade;
            ray.blue = paint.z * shade;
            ray.depth = depth;
        }
    }
}
// ANCHOR_END: look

__device__ Ray aim(int x, int y, int width, int height, float scale) {
    return {__fmul_rn(x - width / 2, scale), __fmul_rn(y - height / 2, scale), 0.0f, 0.0f, 0.0f, -2e10f};
}

__device__ uchar4 colour(const Ray &ray) {
    return make_uchar4((int)(ray.red * 255), (int)(ray.green * 255), (int)(ray.blue * 255), 255);
}

extern "C" __global__ void packed_constant(uchar4 *image, int width, int height, float scale, int count) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Ray ray = aim(x, y, width, height, scale);
    for (int i = 0; i < count; i++) look(ray, spheres[i]);
    image[y * width + x] = colour(ray);
}

extern "C" __global__ void packed_global(uchar4 *image, int width, int height, float scale, int count,
                                         const Packed *list) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Ray ray = aim(x, y, width, height, scale);
    for (int i = 0; i < count; i++) look(ray, list[i]);
    image[y * width + x] = colour(ray);
}

#define TILE 256

extern "C" __global__ void packed_shared(uchar4 *image, int width, int height, float scale, int count,
                                         const Packed *list) {
    __shared__ Packed tile[TILE];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    Ray ray = aim(x, y, width, height, scale);
    for (int first = 0; first < count; first += TILE) {
        int here = min(TILE, count - first);
        const float4 *from = &list[first].place;
        float4 *to = &tile[0].place;
        for (int i = thread; i < 2 * here; i += threads) to[i] = from[i];
        __syncthreads();
        for (int i = 0; i < here; i++) look(ray, tile[i]);
        __syncthreads();
    }
    if (x < width && y < height) image[y * width + x] = colour(ray);
}

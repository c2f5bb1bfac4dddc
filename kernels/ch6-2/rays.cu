// Ray tracing as in lab 6.2: spheres, looked at along parallel rays, one ray a pixel; where do the spheres lie?
//
// Of the spheres that a ray meets, the nearest gives the pixel its colour, darker where the sphere turns away. `image` has
// width * height pixels, row by row, and 0 < width * height < 2^29; `scale` is the width of a pixel in the scene's unit.
//
// The first two kernels compute as the source does. All others do the same operations in the same order, fused where it
// says fmaf and nowhere else, so that they make the same image bit for bit.

// ANCHOR: sphere
struct Sphere {
    float red, green, blue;
    float radius;
    float x, y, z;
};
// ANCHOR_END: sphere

// ANCHOR: declaration
#define SPHERES 20
#define MOST 2340 // 28 bytes each: one more would not fit into the 65,536 bytes of constant memory

__constant__ Sphere spheres[MOST];
// ANCHOR_END: declaration

// ANCHOR: source
// Where the ray meets the sphere, if it does; and the cosine of the angle at which the sphere is seen there.
__device__ float hit(const Sphere &sphere, float ray_x, float ray_y, float *cosine) {
    float dx = ray_x - sphere.x, dy = ray_y - sphere.y;
    if (dx * dx + dy * dy < sphere.radius * sphere.radius) {
        float height = sqrtf(sphere.radius * sphere.radius - dx * dx - dy * dy);
        *cosine = height / sqrtf(sphere.radius * sphere.radius);
        return height + sphere.z;
    }
    return -2e10f;
}

// The source's form: 20 spheres, a number known when it is compiled; each of a pixel's four bytes is stored by itself.
extern "C" __global__ void source_constant(unsigned char *image, int width, int height, float scale) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float ray_x = __fmul_rn(x - width / 2, scale), ray_y = __fmul_rn(y - height / 2, scale);
    float red = 0.0f, green = 0.0f, blue = 0.0f, nearest = -2e10f;
    for (int i = 0; i < SPHERES; i++) {
        float cosine;
        float depth = hit(spheres[i], ray_x, ray_y, &cosine);
        if (depth > nearest) {
            red = spheres[i].red * cosine;
            green = spheres[i].green * cosine;
            blue = spheres[i].blue * cosine;
            nearest = depth;
        }
    }
    unsigned char *pixel = image + 4 * (y * width + x);
    pixel[0] = (int)(red * 255);
    pixel[1] = (int)(green * 255);
    pixel[2] = (int)(blue * 255);
    pixel[3] = 255;
}
// ANCHOR_END: source

extern "C" __global__ void source_global(unsigned char *image, int width, int height, float scale,
                                         const Sphere *list) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float ray_x = __fmul_rn(x - width / 2, scale), ray_y = __fmul_rn(y - height / 2, scale);
    float red = 0.0f, green = 0.0f, blue = 0.0f, nearest = -2e10f;
    for (int i = 0; i < SPHERES; i++) {
        float cosine;
        float depth = hit(list[i], ray_x, ray_y, &cosine);
        if (depth > nearest) {
            red = list[i].red * cosine;
            green = list[i].green * cosine;
            blue = list[i].blue * cosine;
            nearest = depth;
        }
    }
    unsigned char *pixel = image + 4 * (y * width + x);
    pixel[0] = (int)(red * 255);
    pixel[1] = (int)(green * 255);
    pixel[2] = (int)(blue * 255);
    pixel[3] = 255;
}

// ANCHOR: look
struct Ray {
    float x, y;             // it runs along z
    float red, green, blue; // of the nearest sphere that it met
    float depth;            // and where it met that one
};

__device__ void look(Ray &ray, const Sphere &sphere) {
    float dx = ray.x - sphere.x, dy = ray.y - sphere.y;
    float inside = fmaf(-dx, dx, fmaf(-dy, dy, sphere.radius * sphere.radius));
    if (inside > 0.0f) {
        float height = sqrtf(inside);
        float depth = height + sphere.z;
        if (depth > ray.depth) {
            float shade = height / sphere.radius;
            ray.red = sphere.red * shade;
            ray.green = sphere.green * shade;
            ray.blue = sphere.blue * shade;
            ray.depth = depth;
        }
    }
}
// ANCHOR_END: look

// ANCHOR: ends
// The ray of a pixel. The product is rounded by itself: fused into a later subtraction it would be another ray.
__device__ Ray aim(int x, int y, int width, int height, float scale) {
    return {__fmul_rn(x - width / 2, scale), __fmul_rn(y - height / 2, scale), 0.0f, 0.0f, 0.0f, -2e10f};
}

__device__ uchar4 colour(const Ray &ray) {
    return make_uchar4((int)(ray.red * 255), (int)(ray.green * 255), (int)(ray.blue * 255), 255);
}
// ANCHOR_END: ends

// ANCHOR: constant_20
extern "C" __global__ void rays_constant_20(uchar4 *image, int width, int height, float scale) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Ray ray = aim(x, y, width, height, scale);
    for (int i = 0; i < SPHERES; i++) look(ray, spheres[i]);
    image[y * width + x] = colour(ray);
}
// ANCHOR_END: constant_20

extern "C" __global__ void rays_global_20(uchar4 *image, int width, int height, float scale, const Sphere *list) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Ray ray = aim(x, y, width, height, scale);
    for (int i = 0; i < SPHERES; i++) look(ray, list[i]);
    image[y * width + x] = colour(ray);
}

// ANCHOR: unrolled
extern "C" __global__ void rays_constant_unrolled(uchar4 *image, int width, int height, float scale) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Ray ray = aim(x, y, width, height, scale);
#pragma unroll
    for (int i = 0; i < SPHERES; i++) look(ray, spheres[i]);
    image[y * width + x] = colour(ray);
}
// ANCHOR_END: unrolled

extern "C" __global__ void rays_global_unrolled(uchar4 *image, int width, int height, float scale,
                                                const Sphere *list) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Ray ray = aim(x, y, width, height, scale);
#pragma unroll
    for (int i = 0; i < SPHERES; i++) look(ray, list[i]);
    image[y * width + x] = colour(ray);
}

// ANCHOR: constant
extern "C" __global__ void rays_constant(uchar4 *image, int width, int height, float scale, int count) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Ray ray = aim(x, y, width, height, scale);
    for (int i = 0; i < count; i++) look(ray, spheres[i]);
    image[y * width + x] = colour(ray);
}
// ANCHOR_END: constant

// ANCHOR: global
extern "C" __global__ void rays_global(uchar4 *image, int width, int height, float scale, int count,
                                       const Sphere *list) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Ray ray = aim(x, y, width, height, scale);
    for (int i = 0; i < count; i++) look(ray, list[i]);
    image[y * width + x] = colour(ray);
}
// ANCHOR_END: global

extern "C" __global__ void rays_restrict(uchar4 *__restrict__ image, int width, int height, float scale, int count,
                                         const Sphere *__restrict__ list) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    Ray ray = aim(x, y, width, height, scale);
    for (int i = 0; i < count; i++) look(ray, list[i]);
    image[y * width + x] = colour(ray);
}

// ANCHOR: shared
#define TILE 256

// The block copies 256 spheres at a time into shared memory. Threads beyond the image have no pixel, but they copy and
// wait at the barriers like the others.
extern "C" __global__ void rays_shared(uchar4 *image, int width, int height, float scale, int count,
                                       const Sphere *list) {
    __shared__ Sphere tile[TILE];
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    Ray ray = aim(x, y, width, height, scale);
    for (int first = 0; first < count; first += TILE) {
        int here = min(TILE, count - first);
        const float *from = &list[first].red;
        float *to = &tile[0].red;
        for (int i = thread; i < 7 * here; i += threads) to[i] = from[i];
        __syncthreads();
        for (int i = 0; i < here; i++) look(ray, tile[i]);
        __syncthreads();
    }
    if (x < width && y < height) image[y * width + x] = colour(ray);
}
// ANCHOR_END: shared

// Spheres in constant memory, seen along parallel rays, one for each pixel of a square image; of the spheres that a ray
// hits, the nearest gives the colour, darker where it turns away. For a width that is a multiple of blockDim.

#define SPHERES 20

struct Sphere {
    float red, green, blue;
    float radius;
    float x, y, z;
};

__constant__ Sphere spheres[SPHERES];

extern "C" __global__ void render(uchar4 *image) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int width = gridDim.x * blockDim.x;
    float ray_x = x - width / 2, ray_y = y - width / 2;
    float red = 0.0f, green = 0.0f, blue = 0.0f, nearest = -1e20f;
    for (int i = 0; i < SPHERES; i++) {
        const Sphere &sphere = spheres[i];
        float dx = ray_x - sphere.x, dy = ray_y - sphere.y;
        float inside = sphere.radius * sphere.radius - dx * dx - dy * dy;
        if (inside <= 0.0f) continue;
        float height = sqrtf(inside);
        float depth = height + sphere.z;
        if (depth <= nearest) continue;
        float shade = height / sphere.radius;
        red = sphere.red * shade, green = sphere.green * shade, blue = sphere.blue * shade;
        nearest = depth;
    }
    image[y * width + x] = make_uchar4(red * 255.0f, green * 255.0f, blue * 255.0f, 255);
}

struct Sphere { float x, y, z, r, colour; };
__constant__ Sphere spheres[8];
extern "C" __global__ void cast(int *out, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float fx = (x - 32) * 0.2f, fy = (y - 32) * 0.2f, nearest = -1e9f, colour = 0;
    for (int i = 0; i < 8; i++) {
        float dx = fx - spheres[i].x, dy = fy - spheres[i].y, r = spheres[i].r;
        float d = r * r - dx * dx - dy * dy;
        if (d > 0) {
            float z = sqrtf(d) + spheres[i].z;
            if (z > nearest) {
                nearest = z;
                colour = spheres[i].colour * z;
            }
        }
    }
    out[y * w + x] = (int)(colour * 10);
}

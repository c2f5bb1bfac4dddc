// Read a colour once.
//
// The spheres are in constant memory. Their colours are in global memory, since in the
// end each ray needs a different colour. While a ray goes through the list, every
// sphere that is nearer than those before gives it a new colour, and all of these
// colours but the last are loaded for nothing. A warp makes a request for each sphere
// that is the nearest so far for at least one of its 32 rays.
//
// Change the kernel so that a warp makes at most one request to global memory. Of
// spheres that are equally near, the first in the list gives the colour. If a ray meets
// none, its pixel is 0. This is about traffic: an H200, whose L1 holds all of the
// colours, takes the same time either way.

#define SPHERES 20

struct Sphere { float x, y, z, radius; };

__constant__ Sphere spheres[SPHERES];

__global__ void draw(const int *__restrict__ paint, int *image, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    float nearest = -1e30f;
    //<
    int seen = -1;
    //| skeleton
    int colour = 0;
    //| a colour for every ray
    int seen = 0;
    //| no colour for the first
    int seen = 0;
    //>
    for (int i = 0; i < SPHERES; i++) {
        float dx = x - spheres[i].x, dy = y - spheres[i].y;
        float inside = spheres[i].radius * spheres[i].radius - dx * dx - dy * dy;
        if (inside > 0.0f && spheres[i].z + sqrtf(inside) > nearest) {
            nearest = spheres[i].z + sqrtf(inside);
            //<
            seen = i;
            //| skeleton
            colour = paint[i];
            //>
        }
    }
    //<
    image[y * width + x] = seen >= 0 ? paint[seen] : 0;
    //| skeleton
    image[y * width + x] = colour;
    //| a colour for every ray
    image[y * width + x] = paint[seen];
    //| the colour of no sphere
    image[y * width + x] = paint[seen];
    //| no colour for the first
    image[y * width + x] = seen > 0 ? paint[seen] : 0;
    //>
}

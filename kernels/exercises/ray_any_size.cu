// Draw a picture of any size.
//
// Each thread draws one pixel. Its ray runs along z, and of the spheres that it meets,
// it sees the one whose surface reaches the greatest z. Like the chapter's source, the
// kernel assumes that blocks of 16 × 16 threads cover the picture exactly, and it even
// computes the length of a row from their number.
//
// Make it right for every width and height. The grid has exactly as many blocks as are
// needed to cover the picture.

#define SPHERES 20

struct Sphere { float x, y, z, radius; };

__constant__ Sphere spheres[SPHERES];

__global__ void draw(float *image, int width, int height)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    //<
    if (x >= width || y >= height) return;
    int pixel = y * width + x;
    //| skeleton
    int pixel = y * blockDim.x * gridDim.x + x;
    //| the pixel alone guarded
    int pixel = y * blockDim.x * gridDim.x + x;
    if (pixel >= width * height) return;
    //| the last column left out
    if (x >= width - 1 || y >= height - 1) return;
    int pixel = y * width + x;
    //>
    float nearest = 0.0f; // the background
    for (int i = 0; i < SPHERES; i++) {
        float dx = x - spheres[i].x, dy = y - spheres[i].y;
        float inside = spheres[i].radius * spheres[i].radius - dx * dx - dy * dy;
        if (inside > 0.0f) nearest = fmaxf(nearest, spheres[i].z + sqrtf(inside));
    }
    image[pixel] = nearest;
}

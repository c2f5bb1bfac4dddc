// Let the compiler know every address.
//
// All lanes of a warp read the same sphere at the same time, so that no read is
// replayed. Still, each number of a sphere is a load from constant memory at an address
// that a register holds, three or four loads a sphere. A constant whose address is
// known when the kernel is compiled needs no such load: it becomes an operand of the
// arithmetic, or one uniform load for the warp.
//
// Change the kernel so that no load from constant memory takes its address from a
// register: the count of constant loads must be 0. The picture always has SPHERES
// spheres; `count` has the same value.

#define SPHERES 20

struct Sphere { float x, y, z, radius; };

__constant__ Sphere spheres[SPHERES];

__global__ void draw(float *image, int width, int height, int count)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;

    float nearest = 0.0f; // the background
    //<
    #pragma unroll
    for (int i = 0; i < SPHERES; i++) {
    //| skeleton
    for (int i = 0; i < count; i++) {
    //| unrolled, of unknown length
    #pragma unroll
    for (int i = 0; i < count; i++) {
    //| unrolled by four
    #pragma unroll 4
    for (int i = 0; i < SPHERES; i++) {
    //>
        float dx = x - spheres[i].x, dy = y - spheres[i].y;
        float inside = spheres[i].radius * spheres[i].radius - dx * dx - dy * dy;
        if (inside > 0.0f) nearest = fmaxf(nearest, spheres[i].z + sqrtf(inside));
    }
    image[y * width + x] = nearest;
}

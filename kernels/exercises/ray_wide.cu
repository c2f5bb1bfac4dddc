// Stage the spheres, and read each with one load.
//
// For each sphere of the list a warp makes three requests to global memory, and a
// fourth where one of its rays meets the sphere. A list has at most 256 spheres, and a
// block has 256 threads: if each of them loads one sphere, the whole list is in shared
// memory.
//
// Change the kernel so that a warp makes at most one request to global memory, and at
// most one load from shared memory for each sphere of the list. The pointer `spheres`
// is aligned to 16 bytes. The picture may have any size.

#define MOST 256

struct Sphere { float x, y, z, radius; };

__global__ void draw(const Sphere *spheres, float *image, int width, int height,
                     int count)
{
    //<
    __shared__ float4 list[MOST];
    //| skeleton
    //| an array for each number
    __shared__ float list_x[MOST], list_y[MOST], list_z[MOST], list_radius[MOST];
    //>
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    //<
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (thread < count) list[thread] = ((const float4 *)spheres)[thread];
    __syncthreads();
    if (x >= width || y >= height) return;
    //| skeleton
    if (x >= width || y >= height) return;
    //| no threads beyond the picture
    if (x >= width || y >= height) return;
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (thread < count) list[thread] = ((const float4 *)spheres)[thread];
    __syncthreads();
    //| the threads of a row
    if (threadIdx.x < count) list[threadIdx.x] = ((const float4 *)spheres)[threadIdx.x];
    __syncthreads();
    if (x >= width || y >= height) return;
    //| no barrier
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (thread < count) list[thread] = ((const float4 *)spheres)[thread];
    if (x >= width || y >= height) return;
    //| an array for each number
    int thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (thread < count) {
        float4 sphere = ((const float4 *)spheres)[thread];
        list_x[thread] = sphere.x;
        list_y[thread] = sphere.y;
        list_z[thread] = sphere.z;
        list_radius[thread] = sphere.w;
    }
    __syncthreads();
    if (x >= width || y >= height) return;
    //>

    float nearest = 0.0f; // the background
    for (int i = 0; i < count; i++) {
        //<
        float4 sphere = list[i]; // x, y, z, and the radius in w
        float dx = x - sphere.x, dy = y - sphere.y;
        float inside = sphere.w * sphere.w - dx * dx - dy * dy;
        if (inside > 0.0f) nearest = fmaxf(nearest, sphere.z + sqrtf(inside));
        //| skeleton
        float dx = x - spheres[i].x, dy = y - spheres[i].y;
        float inside = spheres[i].radius * spheres[i].radius - dx * dx - dy * dy;
        if (inside > 0.0f) nearest = fmaxf(nearest, spheres[i].z + sqrtf(inside));
        //| an array for each number
        float dx = x - list_x[i], dy = y - list_y[i];
        float inside = list_radius[i] * list_radius[i] - dx * dx - dy * dy;
        if (inside > 0.0f) nearest = fmaxf(nearest, list_z[i] + sqrtf(inside));
        //>
    }
    image[y * width + x] = nearest;
}

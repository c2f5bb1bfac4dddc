// Exchange the roles of x and y.
//
// The kernel squares the elements of a matrix in pitched memory, one thread an element.
// At present, x counts rows and y counts columns. The lanes of a warp are numbered
// along x, so they are one below the other, and each needs a different sector.
//
// Put the lanes of a warp side by side, so that loads and stores take no more sectors
// than the floats of each row fill, 4 for 32 of them, and up to three more where a row
// ends. The grid has enough threads in both directions for either assignment, and the
// block is 32 × 8.

__global__ void square(const float *in, float *out, size_t pitch,
                       int width, int height)
{
    //<
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    //| skeleton
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    //| the threads alone
    int row = blockIdx.x * blockDim.x + threadIdx.y;
    int column = blockIdx.y * blockDim.y + threadIdx.x;
    //| the guards too
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    //>
    //<
    if (column >= width || row >= height) return;
    //| the guards too
    if (column >= height || row >= width) return;
    //>
    float value = ((const float *)((const char *)in + row * pitch))[column];
    //<
    ((float *)((char *)out + row * pitch))[column] = value * value;
    //| the store's place too
    ((float *)((char *)out + column * pitch))[row] = value * value;
    //>
}

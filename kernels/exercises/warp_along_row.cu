// Lay the warps along rows.
//
// A block of 1,024 threads computes 32 × 32 elements of C = A * B. Its threads are
// numbered from 0, and the kernel decides which of them computes which element. At
// present, a warp is a column of C: its lanes need 32 elements of A, one below the
// other. The rows of all matrices are `stride` floats apart, a multiple of 128 bytes,
// so these are all in one bank of L1's data, and the load takes 32 wavefronts.
//
// Assign the elements so that each load takes one wavefront.

__global__ void product(const float *a, const float *b, float *c,
                        int rows, int inner, int columns, int stride)
{
    //<
    int row = blockIdx.y * 32 + threadIdx.x / 32;
    int column = blockIdx.x * 32 + threadIdx.x % 32;
    //| skeleton
    int row = blockIdx.y * 32 + threadIdx.x % 32;
    int column = blockIdx.x * 32 + threadIdx.x / 32;
    //| two rows of sixteen
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    int row = blockIdx.y * 32 + warp / 2 * 2 + lane / 16;
    int column = blockIdx.x * 32 + warp % 2 * 16 + lane % 16;
    //| the blocks too
    int row = blockIdx.x * 32 + threadIdx.x / 32;
    int column = blockIdx.y * 32 + threadIdx.x % 32;
    //| blocks as wide as they have threads
    int row = blockIdx.y * blockDim.y + threadIdx.x / 32;
    int column = blockIdx.x * blockDim.x + threadIdx.x % 32;
    //>
    if (row >= rows || column >= columns) return;
    float sum = 0.0f;
    for (int k = 0; k < inner; k++) {
        sum += a[row * stride + k] * b[k * stride + column];
    }
    c[row * stride + column] = sum;
}

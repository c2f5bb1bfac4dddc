// Find a pitch for columns.
//
// Each thread sums one row of a matrix, so a load of a warp goes down a column. At
// present, rows are a multiple of 128 bytes apart. All lanes then ask for the same
// place in 32 different lines, and all their words are in one of the 32 banks of L1's
// data, which gives one word at a time: a load takes 32 wavefronts.
//
// Change `stride_of`, so that every load takes one wavefront, for any width. Do not
// change the kernels.

// Distance from row to row, in floats. `data` has room for 9 more a row than now.
__device__ int stride_of(int width)
{
    //<
    return width | 1;
    //| skeleton
    return (width + 31) / 32 * 32;
    //| no padding
    return width;
    //| one more
    return width + 1;
    //| a sector more
    return (width + 31) / 32 * 32 + 8;
    //>
}

__global__ void fill(const float *in, float *data, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    data[i / width * stride_of(width) + i % width] = in[i];
}

__global__ void sum_rows(const float *data, float *out, int width, int height)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height) return;
    float sum = 0.0f;
    for (int i = 0; i < width; i++) {
        sum += data[row * stride_of(width) + i];
    }
    out[row] = sum;
}

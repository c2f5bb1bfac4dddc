// Pad no more than it takes.
//
// Rows of a matrix are used one at a time, in a random order, by a warp each. Without
// padding, a row usually begins within a sector, and takes one more sector than its
// length needs. cudaMallocPitch would begin each row at a multiple of 512 bytes, for
// which there is not enough memory here.
//
// Change `stride_of`, so that a row takes no more sectors than its length requires, and
// fits in `data`, which has room for `8 * ceil(width / 8)` floats a row. Do not change
// the kernels. This is about space and traffic: an H200 takes as long without.

// Distance from row to row, in floats.
__device__ int stride_of(int width)
{
    //<
    return (width + 7) / 8 * 8;
    //| skeleton
    return width;
    //| as cudaMallocPitch
    return (width + 127) / 128 * 128;
    //| multiples of 16 bytes
    return (width + 3) / 4 * 4;
    //| too short
    return width / 8 * 8;
    //>
}

__global__ void fill(const float *in, float *data, int width, int height)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= width * height) return;
    data[i / width * stride_of(width) + i % width] = in[i];
}

__global__ void pick(const float *data, const int *order, float *out,
                     int width, int height)
{
    int line = blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32;
    if (line >= height) return;
    const float *row = data + order[line] * stride_of(width);
    for (int first = 0; first < width; first += 32) {
        int i = first + threadIdx.x % 32;
        if (i < width) out[line * width + i] = row[i];
    }
}

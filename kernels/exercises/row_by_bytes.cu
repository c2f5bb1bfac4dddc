// Find a row by its pitch.
//
// The matrix is in pitched memory: `pitch` is the distance from row to row, in bytes,
// as cudaMallocPitch returns it. The kernel doubles every element. At present, it moves
// a pointer to float by `row * pitch`, which is four times too far.
//
// Find the row. The bytes between the end of a row and the beginning of the next must
// not change.

__global__ void twice(float *data, size_t pitch, int width, int height)
{
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    //<
    if (column >= width || row >= height) return;
    float *line = (float *)((char *)data + row * pitch);
    //| skeleton
    if (column >= width || row >= height) return;
    float *line = data + row * pitch;
    //| rows without padding
    if (column >= width || row >= height) return;
    float *line = data + row * width;
    //| the padding too
    if (row >= height) return;
    float *line = (float *)((char *)data + row * pitch);
    //>
    line[column] *= 2.0f;
}

// Rows in memory, as lab 4.2 runs them: how they begin decides how many 32-byte sectors a warp touches.
//
// A pitch is in bytes, as cudaMallocPitch returns it; a row is found by bytes, and only then are they floats.

// ANCHOR: row
__device__ const float *row_of(const float *base, size_t pitch, size_t row) {
    return (const float *)((const char *)base + row * pitch);
}
// ANCHOR_END: row

__device__ float *row_of(float *base, size_t pitch, size_t row) { return (float *)((char *)base + row * pitch); }

// ANCHOR: scale
// One thread an element. The edges are guarded, so a matrix may have any size.
extern "C" __global__ void scale(const float *in, size_t in_pitch, float *out, size_t out_pitch, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < width && row < height) row_of(out, out_pitch, row)[col] = 2.0f * row_of(in, in_pitch, row)[col];
}
// ANCHOR_END: scale

#define CHUNK 64 // rows of a partial sum

// ANCHOR: down
// One thread a column: the lanes of a warp stand side by side and go down together. Each block sums CHUNK rows.
extern "C" __global__ void sum_columns(const float *in, size_t pitch, float *out, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (col >= width) return;
    int first = blockIdx.y * CHUNK, end = min(first + CHUNK, height);
    float sum = 0.0f;
    for (int row = first; row < end; row++) sum += row_of(in, pitch, row)[col];
    out[(size_t)blockIdx.y * width + col] = sum;
}
// ANCHOR_END: down

// ANCHOR: across
// One thread a row: the lanes of a warp stand below each other, so that each of its loads goes down a column.
extern "C" __global__ void sum_rows(const float *in, size_t pitch, float *out, int width, int height) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height) return;
    float sum = 0.0f;
    for (int col = 0; col < width; col++) sum += row_of(in, pitch, row)[col];
    out[row] = sum;
}
// ANCHOR_END: across

// ANCHOR: number
// Three dimensions: slices of `height` rows each. Every element gets its own number.
extern "C" __global__ void number(unsigned *base, size_t pitch, int width, int height, int depth) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int slice = blockIdx.z;
    if (col >= width || row >= height || slice >= depth) return;
    unsigned *line = (unsigned *)((char *)base + ((size_t)slice * height + row) * pitch);
    line[col] = ((unsigned)slice * height + row) * width + col;
}
// ANCHOR_END: number

// ANCHOR: part
// A warp a row: its first lanes write `floats` values, side by side from the beginning of the row on.
extern "C" __global__ void store_part(float *out, size_t pitch, int floats, int height) {
    int col = threadIdx.x;
    for (int row = blockIdx.x * blockDim.y + threadIdx.y; row < height; row += gridDim.x * blockDim.y)
        if (col < floats) row_of(out, pitch, row)[col] = row;
}
// ANCHOR_END: part

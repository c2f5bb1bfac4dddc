// Leave room for other blocks.
//
// The kernel adds up each column of 40 rows, and then, for each column, its sum and
// those of the columns left and right of it, as far as the block has them. A block has
// 256 threads and as many columns. At present it copies all of its rows to shared
// memory, 40 KiB.
//
// A multiprocessor of an H200 holds 2,048 threads, which are eight such blocks, but it
// has 228 KiB of shared memory, and each block takes 1 KiB of it in addition to its
// own: only five of these blocks fit. The fewer warps there are, the fewer loads are in
// flight.
//
// Which of these numbers does another thread need? Take 1,024 bytes of shared memory,
// so that it no longer limits how many blocks fit. Each number is read once from global
// memory.

#define ROWS 40

__global__ void smooth(const float *in, float *out, int width)
{
    int t = threadIdx.x, column = blockIdx.x * blockDim.x + t;
    //<
    __shared__ float sums[256];
    float sum = 0.0f;
    if (column < width) {
        for (int row = 0; row < ROWS; row++) sum += in[row * width + column];
    }
    sums[t] = sum;
    __syncthreads();
    if (t > 0) sum += sums[t - 1];
    if (t < 255) sum += sums[t + 1];
    if (column < width) out[column] = sum;
    //| skeleton
    __shared__ float rows[ROWS][256];
    for (int row = 0; row < ROWS; row++) {
        rows[row][t] = column < width ? in[row * width + column] : 0.0f;
    }
    __syncthreads();
    float sum = 0.0f;
    for (int row = 0; row < ROWS; row++) {
        for (int k = max(t - 1, 0); k <= min(t + 1, 255); k++) sum += rows[row][k];
    }
    if (column < width) out[column] = sum;
    //| no shared memory
    float sum = 0.0f;
    for (int k = max(t - 1, 0); k <= min(t + 1, 255); k++) {
        int other = blockIdx.x * blockDim.x + k;
        for (int row = 0; row < ROWS && other < width; row++) {
            sum += in[row * width + other];
        }
    }
    if (column < width) out[column] = sum;
    //| half of the rows at a time
    __shared__ float rows[ROWS / 2][256];
    float sum = 0.0f;
    for (int first = 0; first < ROWS; first += ROWS / 2) {
        for (int row = 0; row < ROWS / 2; row++) {
            rows[row][t] = column < width ? in[(first + row) * width + column] : 0.0f;
        }
        __syncthreads();
        for (int row = 0; row < ROWS / 2; row++) {
            for (int k = max(t - 1, 0); k <= min(t + 1, 255); k++) sum += rows[row][k];
        }
        __syncthreads();
    }
    if (column < width) out[column] = sum;
    //| columns beyond the last are left out
    __shared__ float sums[256];
    if (column >= width) return;
    float sum = 0.0f;
    for (int row = 0; row < ROWS; row++) sum += in[row * width + column];
    sums[t] = sum;
    __syncthreads();
    if (t > 0) sum += sums[t - 1];
    if (t < 255) sum += sums[t + 1];
    out[column] = sum;
    //>
}

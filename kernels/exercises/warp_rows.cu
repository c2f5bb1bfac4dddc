// Sum each row with a warp.
//
// Write to out[r] the sum of row r of `data`, which has `height` rows of `width`
// floats, `pitch` bytes apart. The grid has a warp for each row, in blocks of 128
// threads.
//
// 32 lanes that read neighbouring floats take as few sectors as the row has. That
// leaves a sum in each lane, and lanes can add theirs without any memory between them:
// `__shfl_down_sync(0xffffffff, sum, d)` returns the `sum` of the lane that is d places
// further on, and all lanes of the warp must call it. After d = 16, 8, 4, 2, 1, lane 0
// has the sum of all.
//
// Read each sector of a row once, and use no shared memory.

__global__ void sum_rows(const float *data, float *out, size_t pitch,
                         int width, int height)
{
    //<
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= height) return;
    const float *line = (const float *)((const char *)data + row * pitch);
    float sum = 0.0f;
    for (int i = lane; i < width; i += 32) sum += line[i];
    for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
    if (lane == 0) out[row] = sum;
    //| skeleton
    // YOUR CODE
    //| a lane adds all
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= height || lane > 0) return;
    const float *line = (const float *)((const char *)data + row * pitch);
    float sum = 0.0f;
    for (int i = 0; i < width; i++) sum += line[i];
    out[row] = sum;
    //| a thread for each row
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= height) return;
    const float *line = (const float *)((const char *)data + row * pitch);
    float sum = 0.0f;
    for (int i = 0; i < width; i++) sum += line[i];
    out[row] = sum;
    //| through shared memory
    __shared__ float sums[128];
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= height) return;
    const float *line = (const float *)((const char *)data + row * pitch);
    float sum = 0.0f;
    for (int i = lane; i < width; i += 32) sum += line[i];
    sums[threadIdx.x] = sum;
    __syncwarp();
    if (lane == 0) {
        for (int k = 1; k < 32; k++) sum += sums[threadIdx.x + k];
        out[row] = sum;
    }
    //| the lower lanes alone
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= height) return;
    const float *line = (const float *)((const char *)data + row * pitch);
    float sum = 0.0f;
    for (int i = lane; i < width; i += 32) sum += line[i];
    for (int d = 16; d > 0; d /= 2) {
        if (lane < d) sum += __shfl_down_sync(0xffffffff, sum, d);
    }
    if (lane == 0) out[row] = sum;
    //| atomic additions
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= height) return;
    const float *line = (const float *)((const char *)data + row * pitch);
    float sum = 0.0f;
    for (int i = lane; i < width; i += 32) sum += line[i];
    if (lane == 0) out[row] = 0.0f;
    __syncwarp();
    atomicAdd(&out[row], sum);
    //| one warp does all
    int lane = threadIdx.x;
    if (blockIdx.x > 0 || lane >= 32) return;
    for (int row = 0; row < height; row++) {
        const float *line = (const float *)((const char *)data + row * pitch);
        float sum = 0.0f;
        for (int i = lane; i < width; i += 32) sum += line[i];
        for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffff, sum, d);
        if (lane == 0) out[row] = sum;
    }
    //| nothing is added up
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
    if (row >= height) return;
    const float *line = (const float *)((const char *)data + row * pitch);
    float sum = 0.0f;
    for (int i = lane; i < width; i += 32) sum += line[i];
    if (lane == 0) out[row] = sum;
    //>
}

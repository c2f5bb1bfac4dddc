__global__ void sum(float *data)
{
    __shared__ float tile[256];
    int t = threadIdx.x;
    tile[t] = data[t];
    for (int step = 128; step > 0; step /= 2) {
        if (t < step) {
            tile[t] += tile[t + step];
            __syncthreads();
        }
    }
    if (t == 0)
        data[0] = tile[0];
}
// ANCHOR: warnings
warning[divergent-barrier]: `__syncthreads()` under a condition that depends on the thread
 --> barrier_in_branch.cu:9:13
  |
7 |         if (t < step) {
  |             -------- this condition depends on the thread
8 |             tile[t] += tile[t + step];
9 |             __syncthreads();
  |             ^^^^^^^^^^^^^^^ where not all threads of a block arrive here, the others may wait without end
  |
help: move the barrier out of the condition: let every thread reach it, and put only the work under the `if`

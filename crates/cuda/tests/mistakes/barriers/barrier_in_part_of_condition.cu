__global__ void first(float *p)
{
    __shared__ float s[32];
    if (blockIdx.x == 0 && threadIdx.x < 32) {
        s[threadIdx.x] = p[threadIdx.x];
        __syncthreads();
        p[threadIdx.x] = s[31 - threadIdx.x];
    }
}
// ANCHOR: warnings
warning[divergent-barrier]: `__syncthreads()` under a condition that depends on the thread
 --> barrier_in_part_of_condition.cu:6:9
  |
4 |     if (blockIdx.x == 0 && threadIdx.x < 32) {
  |                            ---------------- this condition depends on the thread
5 |         s[threadIdx.x] = p[threadIdx.x];
6 |         __syncthreads();
  |         ^^^^^^^^^^^^^^^ where not all threads of a block arrive here, the others may wait without end
  |
help: move the barrier out of the condition: let every thread reach it, and put only the work under the `if`

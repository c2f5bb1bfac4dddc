// The mean of 2 * RADIUS + 1 neighbours, from shared memory and from global memory: what is the cost of the halo?
//
// `in` has RADIUS elements before the first that an output belongs to, and after the last block's.
#ifndef RADIUS
#define RADIUS 4
#endif

extern "C" __global__ void staged(const float *in, float *out, int n) {
    extern __shared__ float part[];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    part[RADIUS + t] = in[i];
    for (int h = t; h < RADIUS; h += blockDim.x) {
        part[h] = in[i - t - RADIUS + h];
        part[RADIUS + blockDim.x + h] = in[i - t + blockDim.x + h];
    }
    __syncthreads();
    float sum = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; k++) sum += part[RADIUS + t + k];
    if (i < n) out[i] = sum / (2 * RADIUS + 1);
}

extern "C" __global__ void direct(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0.0f;
    for (int k = -RADIUS; k <= RADIUS; k++) sum += in[i + k];
    if (i < n) out[i] = sum / (2 * RADIUS + 1);
}

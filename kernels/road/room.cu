// A table read again and again by blocks that also take shared memory: L1 has what is left of the same 256 KiB.

// ANCHOR: reread
extern "C" __global__ void reread(const float4 *table, float *out, int entries, int rounds) {
    extern __shared__ float taken[];
    float sum = 0.0f;
    for (int r = 0; r < rounds; r++)
        for (int i = threadIdx.x; i < entries; i += blockDim.x) {
            float4 v = table[i];
            sum += v.x + v.y + v.z + v.w;
        }
    if (sum < 0.0f) taken[threadIdx.x] = sum;
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
// ANCHOR_END: reread

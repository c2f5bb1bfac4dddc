// Each warp's first lane sums what the lanes of its warp have written, without __syncwarp; the block's barrier comes later.
extern "C" __global__ void totals(const int *in, int *out)
{
    __shared__ int values[64];
    __shared__ int sums[2];
    int t = threadIdx.x;
    values[t] = in[t] + t; // fault
    if (t % 32 == 0) {
        int sum = 0;
#pragma unroll 1
        for (int i = 0; i < 32; i++)
            sum += values[t + i]; // fault
        sums[t / 32] = sum;
    }
    __syncthreads();
    if (t == 0)
        out[0] = sums[0] + sums[1];
}

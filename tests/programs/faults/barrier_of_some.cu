// Sums 250 values in steps of 64; in the last step some threads have none left and do not come to the barrier.
extern "C" __global__ void steps(const int *in, int *out)
{
    __shared__ int sums[64];
    int t = threadIdx.x;
    sums[t] = 0;
    __syncthreads();
    for (int first = 0; first < 256; first += 64)
        if (first + t < 250) {
            sums[t] += in[first + t];
            __syncthreads(); // fault
        }
    if (t == 0) {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += sums[i];
        out[0] = sum;
    }
}

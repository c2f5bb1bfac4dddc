// The first thread sums what all threads of the block have written, and does not wait for them.
extern "C" __global__ void total(const int *in, int *out)
{
    __shared__ int squares[96];
    int t = threadIdx.x;
    squares[t] = in[t] * in[t]; // fault
    if (t == 0) {
        int sum = 0;
#pragma unroll 1
        for (int i = 0; i < 96; i++)
            sum += squares[i]; // fault
        out[0] = sum;
    }
}

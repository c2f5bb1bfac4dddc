__global__ void k(float *x, int n)
{
    for (int s = n / 2; s > 0, s >>= 1) {
        if (threadIdx.x < s) x[threadIdx.x] += x[threadIdx.x + s];
        __syncthreads();
    }
}
// ANCHOR: errors
error: expected `;` before the step of `for`
 --> for_comma_step.cu:3:30
  |
3 |     for (int s = n / 2; s > 0, s >>= 1) {
  |                              ^
  |
help: write `for (start; condition; step)`

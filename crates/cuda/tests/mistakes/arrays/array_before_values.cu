__global__ void rows(const float *in, float *out, int n)
{
    float sums[4];
    for (int i = 0; i < n; ++i)
        for (int k = 0; k < 4; ++k) sums[k] += in[4 * i + k];
    out[threadIdx.x] = sums[threadIdx.x % 4];
}
// ANCHOR: warnings
warning[uninitialised]: array `sums` is uninitialised when an element is used here
 --> array_before_values.cu:5:37
  |
3 |     float sums[4];
  |           ---- declared here without a value
4 |     for (int i = 0; i < n; ++i)
5 |         for (int k = 0; k < 4; ++k) sums[k] += in[4 * i + k];
  |                                     ^^^^^^^ nothing has been stored in it yet
  |
help: fill it first, or write `sums[…] = {}` for zeros

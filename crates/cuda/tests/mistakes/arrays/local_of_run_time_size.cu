__global__ void sums(float *out, const float *in, int n)
{
    float part[n];
    for (int i = 0; i < n; i++)
        part[i] = in[i] * 2;
    out[threadIdx.x] = part[threadIdx.x];
}
// ANCHOR: errors
error: the length of an array must be known at compile time
 --> local_of_run_time_size.cu:3:16
  |
3 |     float part[n];
  |                ^ expression is not a constant: it must be known at compile time
  |
help: use a constant (`#define`, `constexpr int`, a template parameter), or `extern __shared__ T name[];` with the size given at the launch

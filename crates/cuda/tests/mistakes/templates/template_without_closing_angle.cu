template <typename T, int N
__device__ T sum(const T *x)
{
    T s = 0;
    for (int i = 0; i < N; i++) s += x[i];
    return s;
}

__global__ void k(const float *x, float *out)
{
    out[0] = sum<float, 4>(x);
}
// ANCHOR: errors
error: expected `>`
 --> template_without_closing_angle.cu:1:28
  |
1 | template <typename T, int N
  |                            ^ write `>` here

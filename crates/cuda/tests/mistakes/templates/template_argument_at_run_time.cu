template <int N> __device__ float sum(const float *a) { float s = 0; for (int i = 0; i < N; i++) s += a[i]; return s; }
__global__ void sums(const float *a, float *out, int n)
{
    out[threadIdx.x] = sum<n>(a) + sum<blockDim.x>(a);
    out[0] = sum(a, 4);
}
// ANCHOR: errors
error: expression is not a constant: it must be known at compile time
 --> template_argument_at_run_time.cu:4:28
  |
4 |     out[threadIdx.x] = sum<n>(a) + sum<blockDim.x>(a);
  |                            ^
  |                            |
  |                            the value of `n` is known only at run time
  |
help: use a number or a `constexpr` variable; a value known only at run time belongs in an `if`, or in an ordinary function parameter

error: expression is not a constant: it must be known at compile time
 --> template_argument_at_run_time.cu:4:40
  |
4 |     out[threadIdx.x] = sum<n>(a) + sum<blockDim.x>(a);
  |                                        ^^^^^^^^^^
  |                                        |
  |                                        the value of `blockDim.x` is known only at run time
  |
help: use a number or a `constexpr` variable; a value known only at run time belongs in an `if`, or in an ordinary function parameter

error: no matching function for call to `sum`: could not infer template argument `N`, a number
 --> template_argument_at_run_time.cu:5:14
  |
1 | template <int N> __device__ float sum(const float *a) { float s = 0; for (int i = 0; i < N; i++) s += a[i]; return s; }
  |                                   --- declared here
...
5 |     out[0] = sum(a, 4);
  |              ^^^
  |
help: write it after the name, as in `sum<16>(…)`

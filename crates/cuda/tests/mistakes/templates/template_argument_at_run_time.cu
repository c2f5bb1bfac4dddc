template <int N> __device__ float sum(const float *a) { float s = 0; for (int i = 0; i < N; i++) s += a[i]; return s; }
__global__ void sums(const float *a, float *out, int n)
{
    out[threadIdx.x] = sum<n>(a) + sum<blockDim.x>(a);
    out[0] = sum(a, 4);
}
// ANCHOR: errors
error: this must be known when the kernel is compiled
 --> template_argument_at_run_time.cu:4:28
  |
4 |     out[threadIdx.x] = sum<n>(a) + sum<blockDim.x>(a);
  |                            ^
  |                            |
  |                            the value of `n`, which is known only when the program runs
  |
help: write a number or a `constexpr` variable; what only the running kernel knows goes into an `if`, or to a function as an ordinary parameter

error: this must be known when the kernel is compiled
 --> template_argument_at_run_time.cu:4:40
  |
4 |     out[threadIdx.x] = sum<n>(a) + sum<blockDim.x>(a);
  |                                        ^^^^^^^^^^
  |                                        |
  |                                        the value of `blockDim.x`, which is known only when the program runs
  |
help: write a number or a `constexpr` variable; what only the running kernel knows goes into an `if`, or to a function as an ordinary parameter

error: `sum` cannot be called like this: the template's arguments are missing: the number `N` cannot be found out from the call
 --> template_argument_at_run_time.cu:5:14
  |
1 | template <int N> __device__ float sum(const float *a) { float s = 0; for (int i = 0; i < N; i++) s += a[i]; return s; }
  |                                   --- declared here
...
5 |     out[0] = sum(a, 4);
  |              ^^^
  |
help: write them after the name, as in `sum<16>(…)`

template <typename F>
__device__ float reduced(F f, const float *a, int n) {
    float result = a[0];
    for (int i = 1; i < n; i++) result = f(result, a[i]);
    return result;
}
__global__ void largest(const float *a, float *out, int n) {
    out[0] = reduced(max, a, n);
}
// ANCHOR: errors
error: no matching function for call to `reduced`: could not infer template argument `F`
 --> functions_of_one_name.cu:8:14
  |
2 | __device__ float reduced(F f, const float *a, int n) {
  |                  ------- declared here
...
8 |     out[0] = reduced(max, a, n);
  |              ^^^^^^^
  |
help: `max` is the name of several functions: pass a lambda that calls it, as in `[](auto x) { return max(x); }`

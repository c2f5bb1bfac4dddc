def k(a, n):
    i = threadIdx.x
    a[i] = n
// ANCHOR: errors
error: C has no `def`
 --> def_python.cu:1:1
  |
1 | def k(a, n):
  | ^^^
  |
help: write the return type instead, such as `void k(float *a, int n) { … }`

warning[missing-global]: `k` is a host function, but this exists only in kernels
 --> def_python.cu:2:9
  |
1 | def k(a, n):
  |     - declared here, without `__global__`
2 |     i = threadIdx.x
  |         ^^^^^^^^^
  |
help: write `__global__ void k(…)` for a kernel, `__device__` for what a kernel calls

__global__ void add(int *p) { p[threadIdx.x] += 1; }

int main()
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    return i;
}
// ANCHOR: warnings
warning[missing-global]: `main` is a host function, but this exists only in kernels
 --> index_in_main.cu:5:13
  |
3 | int main()
  |     ---- declared here, without `__global__`
4 | {
5 |     int i = blockIdx.x * blockDim.x + threadIdx.x;
  |             ^^^^^^^^
  |
help: write a kernel, a separate function with `__global__`, and launch it from `main`

__global__ void work(float *data, int n)
{
    float *scratch = new float[n];
    scratch[threadIdx.x] = data[threadIdx.x];
    delete[] scratch;
}
// ANCHOR: errors
error: `new` is not supported by this compiler
 --> new_in_kernel.cu:3:22
  |
3 |     float *scratch = new float[n];
  |                      ^^^^^^^^^^^^
  |
help: use a local or shared array, or `(float *)malloc(n * sizeof(float))`, which is slow and may give `nullptr`

error: `delete` is not supported by this compiler
 --> new_in_kernel.cu:5:5
  |
5 |     delete[] scratch;
  |     ^^^^^^^^^^^^^^^^
  |
help: memory from `malloc` in a kernel is freed with `free(p)`, memory from `cudaMalloc` on the host

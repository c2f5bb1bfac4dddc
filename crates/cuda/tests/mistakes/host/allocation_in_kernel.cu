__global__ void work(float *data, int n)
{
    float *scratch;
    cudaMalloc(&scratch, n * sizeof(float));
    scratch[threadIdx.x] = data[threadIdx.x];
    cudaFree(scratch);
}
// ANCHOR: errors
error: use of undeclared identifier `cudaMalloc`
 --> allocation_in_kernel.cu:4:5
  |
4 |     cudaMalloc(&scratch, n * sizeof(float));
  |     ^^^^^^^^^^
  |
help: this is a host function: call it on the host, before or after the launch

error: use of undeclared identifier `cudaFree`
 --> allocation_in_kernel.cu:6:5
  |
6 |     cudaFree(scratch);
  |     ^^^^^^^^
  |
help: this is a host function: call it on the host, before or after the launch

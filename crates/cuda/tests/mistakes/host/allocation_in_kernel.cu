__global__ void work(float *data, int n)
{
    float *scratch;
    cudaMallocManaged(&scratch, n * sizeof(float));
    scratch[threadIdx.x] = data[threadIdx.x];
    cudaFreeHost(scratch);
}
// ANCHOR: errors
error: use of undeclared identifier `cudaMallocManaged`
 --> allocation_in_kernel.cu:4:5
  |
4 |     cudaMallocManaged(&scratch, n * sizeof(float));
  |     ^^^^^^^^^^^^^^^^^
  |
help: this is a host function: call it on the host, before or after the launch

error: use of undeclared identifier `cudaFreeHost`
 --> allocation_in_kernel.cu:6:5
  |
6 |     cudaFreeHost(scratch);
  |     ^^^^^^^^^^^^
  |
help: this is a host function: call it on the host, before or after the launch

__global__ void copy(float *to, const float *from, int n)
{
    cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
    memcpy(to, from, n);
    std::copy(from, from + n, to);
}
// ANCHOR: errors
error: use of undeclared identifier `cudaMemcpy`
 --> copy_in_kernel.cu:3:5
  |
3 |     cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyDeviceToDevice);
  |     ^^^^^^^^^^
  |
help: this is a host function: call it on the host, before or after the launch

error: use of undeclared identifier `cudaDeviceSynchronize`
 --> copy_in_kernel.cu:4:5
  |
4 |     cudaDeviceSynchronize();
  |     ^^^^^^^^^^^^^^^^^^^^^
  |
help: this is a host function: call it on the host, before or after the launch

error: `std::copy` exists only on the host: kernels do not have it
 --> copy_in_kernel.cu:6:5
  |
6 |     std::copy(from, from + n, to);
  |     ^^^^^^^^^
  |
help: kernels have no library algorithms: write the loop

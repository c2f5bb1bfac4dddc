__global__ void copy(float *to, const float *from, int n)
{
    cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
    memcpy(to, from, n);
    std::copy(from, from + n, to);
}
// ANCHOR: errors
error: nothing is called `cudaMemcpy`
 --> copy_in_kernel.cu:3:5
  |
3 |     cudaMemcpy(to, from, n * sizeof(float), cudaMemcpyDeviceToDevice);
  |     ^^^^^^^^^^
  |
help: this is a function of the host: call it there, before or after the launch

error: nothing is called `cudaDeviceSynchronize`
 --> copy_in_kernel.cu:4:5
  |
4 |     cudaDeviceSynchronize();
  |     ^^^^^^^^^^^^^^^^^^^^^
  |
help: this is a function of the host: call it there, before or after the launch

error: `std::copy` is the host's: kernels do not have it
 --> copy_in_kernel.cu:6:5
  |
6 |     std::copy(from, from + n, to);
  |     ^^^^^^^^^
  |
help: there are no algorithms of the library in kernels: write the loop

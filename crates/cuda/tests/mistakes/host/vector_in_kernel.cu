#include <vector>

__global__ void work(float *data, int n)
{
    std::vector<float> scratch(n);
    scratch[0] = data[0];
    std::string name = "kernel";
}
// ANCHOR: errors
error: `std::vector` exists only on the host: kernels do not have it
 --> vector_in_kernel.cu:5:5
  |
5 |     std::vector<float> scratch(n);
  |     ^^^^^^^^^^^^^^^^^^
  |
help: host containers do not exist in kernels: pass a pointer and a length

error: `std::string` exists only on the host: kernels do not have it
 --> vector_in_kernel.cu:7:5
  |
7 |     std::string name = "kernel";
  |     ^^^^^^^^^^^
  |
help: host containers do not exist in kernels: pass a pointer and a length

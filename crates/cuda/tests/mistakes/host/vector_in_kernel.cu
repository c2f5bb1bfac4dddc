#include <vector>

__global__ void work(float *data, int n)
{
    std::vector<float> scratch(n);
    scratch[0] = data[0];
    std::string name = "kernel";
}
// ANCHOR: errors
error: `std::vector` is the host's: kernels do not have it
 --> vector_in_kernel.cu:5:5
  |
5 |     std::vector<float> scratch(n);
  |     ^^^^^^^^^^^^^^^^^^
  |
help: the host's containers do not exist in kernels: pass a pointer and a length

error: `std::string` is the host's: kernels do not have it
 --> vector_in_kernel.cu:7:5
  |
7 |     std::string name = "kernel";
  |     ^^^^^^^^^^^
  |
help: the host's containers do not exist in kernels: pass a pointer and a length

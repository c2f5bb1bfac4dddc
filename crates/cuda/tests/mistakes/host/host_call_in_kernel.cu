#include <cstdlib>
#include <iostream>

__global__ void fill(float *data)
{
    data[threadIdx.x] = rand() / 2.0f;
    std::cout << data[threadIdx.x] << std::endl;
}
// ANCHOR: errors
error: use of undeclared identifier `rand`
 --> host_call_in_kernel.cu:6:25
  |
6 |     data[threadIdx.x] = rand() / 2.0f;
  |                         ^^^^
  |
help: kernels have no `rand`: keep a generator state for each thread, and advance it yourself

error: `std::cout` exists only on the host: kernels do not have it
 --> host_call_in_kernel.cu:7:5
  |
7 |     std::cout << data[threadIdx.x] << std::endl;
  |     ^^^^^^^^^
  |
help: in a kernel, print with `printf`

error: `std::endl` exists only on the host: kernels do not have it
 --> host_call_in_kernel.cu:7:39
  |
7 |     std::cout << data[threadIdx.x] << std::endl;
  |                                       ^^^^^^^^^
  |
help: in a kernel, print with `printf`

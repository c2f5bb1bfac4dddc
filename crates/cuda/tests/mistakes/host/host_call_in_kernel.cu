#include <cstdlib>
#include <iostream>

__global__ void fill(float *data)
{
    data[threadIdx.x] = rand() / 2.0f;
    std::cout << data[threadIdx.x] << std::endl;
}
// ANCHOR: errors
error: nothing is called `rand`
 --> host_call_in_kernel.cu:6:25
  |
6 |     data[threadIdx.x] = rand() / 2.0f;
  |                         ^^^^
  |
help: a kernel has no `rand`: keep a state of your own for each thread and step it by hand

error: `std::cout` is the host's: kernels do not have it
 --> host_call_in_kernel.cu:7:5
  |
7 |     std::cout << data[threadIdx.x] << std::endl;
  |     ^^^^^^^^^
  |
help: in a kernel, write with `printf`

error: `std::endl` is the host's: kernels do not have it
 --> host_call_in_kernel.cu:7:39
  |
7 |     std::cout << data[threadIdx.x] << std::endl;
  |                                       ^^^^^^^^^
  |
help: in a kernel, write with `printf`

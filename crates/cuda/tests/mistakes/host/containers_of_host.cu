#include <array>
#include <functional>
#include <mutex>

std::mutex guard;

__global__ void work(float *data)
{
    std::array<float, 4> local;
    std::function<float(float)> twice = [](float x) { return 2.0f * x; };
    std::lock_guard<std::mutex> lock(guard);
    data[threadIdx.x] = twice(local[0]);
}
// ANCHOR: errors
error: `std::function` exists only on the host: kernels do not have it
  --> containers_of_host.cu:10:5
   |
10 |     std::function<float(float)> twice = [](float x) { return 2.0f * x; };
   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
help: write `auto` for a lambda, a template parameter, or a pointer such as `float (*f)(float)`

error: `std::lock_guard` exists only on the host: kernels do not have it
  --> containers_of_host.cu:11:5
   |
11 |     std::lock_guard<std::mutex> lock(guard);
   |     ^^^^^^^^^^^^^^^^^^^^^^^^^^^
   |
help: the launch creates the threads of a kernel: they wait for each other in `__syncthreads()`, and count with `atomicAdd`

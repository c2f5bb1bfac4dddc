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

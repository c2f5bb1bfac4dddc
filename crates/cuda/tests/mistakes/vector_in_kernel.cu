#include <vector>

__global__ void work(float *data, int n)
{
    std::vector<float> scratch(n);
    scratch[0] = data[0];
    std::string name = "kernel";
}

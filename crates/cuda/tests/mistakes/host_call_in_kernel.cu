#include <cstdlib>
#include <iostream>

__global__ void fill(float *data)
{
    data[threadIdx.x] = rand() / 2.0f;
    std::cout << data[threadIdx.x] << std::endl;
}

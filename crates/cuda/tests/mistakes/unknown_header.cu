#include "my_helpers.cuh"
#include <curand_kernel.h>

__global__ void work(float *data)
{
    data[threadIdx.x] = helper(data[threadIdx.x]);
}

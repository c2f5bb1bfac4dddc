__global__ __launch_bounds__(2048) void work(float *data)
{
    data[threadIdx.x] = 0.0f;
}

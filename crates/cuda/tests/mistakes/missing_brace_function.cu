__device__ float square(float x)
{
    return x * x;

__global__ void apply(float *data)
{
    data[threadIdx.x] = square(data[threadIdx.x]);
}

int limit = 100;
const int step = 4;

__global__ void count(int *data)
{
    if (data[threadIdx.x] < limit)
        data[threadIdx.x] += step;
}

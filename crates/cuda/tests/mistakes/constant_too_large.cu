__constant__ float table[32768];

__global__ void look_up(float *data)
{
    data[threadIdx.x] = table[threadIdx.x];
}

__global__ void sum(float *data)
{
    float value = data[threadIdx.x];
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_down(value, offset);
    data[threadIdx.x] = value;
}

__global__ void square(float *data)
{
    int i = threadIdx.x;
    data[i] = data[i] ^ 2;
    data[i] = data[i] ** 2;
}

__global__ void child(float *data)
{
    data[threadIdx.x] = 0.0f;
}

__global__ void parent(float *data)
{
    child(data);
    child<<<1, 32>>>(data);
}

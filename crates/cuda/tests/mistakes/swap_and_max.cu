__global__ void order(float *data)
{
    int i = threadIdx.x;
    std::swap(data[i], data[i + 1]);
    data[i] = std::max(data[i], 0);
    swap(data[i], data[i + 1]);
    data[i] = max(data[i], 0);
    data[i] = Math.max(data[i], 0);
}

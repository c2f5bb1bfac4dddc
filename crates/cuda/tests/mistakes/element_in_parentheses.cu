__global__ void scale(float *data, int n)
{
    float local[4];
    int i = threadIdx.x;
    local(0) = data(i);
    data[i] = local[0];
}

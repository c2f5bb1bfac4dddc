__global__ void sum(const float *data, float *total, int n)
{
    Int i = threadIdx.x;
    unsgined count = 0;
    flaot value = data[i];
    *total = value + count;
}

__global__ void sum(const int *data, int *out)
{
    const int* a, b;
    a = data;
    b = data + 1;
    *out = a[threadIdx.x] + b[threadIdx.x];
}

__global__ void halve(float *data, float *other, int n)
{
    int i = threadIdx.x;
    data[i] = data[i] >> 1;
    if (data[i] & 1) data[i] = ~data[i];
    float *middle = (data + other) / 2;
    *middle = 0.0f;
}

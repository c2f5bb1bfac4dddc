__global__ void copy(float *data)
{
    float a[4], b[4] = {1.0f, 2.0f, 3.0f, 4.0f};
    a = b;
    float c[4] = b;
    float d[4] = data;
    data[0] = a[0] + c[0] + d[0];
}

_global_ void fill(float *data)
{
    data[threadIdx.x] = 1.0f;
}

__global__ void apply(float *data)
{
    float 2nd = data[1];
    float my-value = data[2];
    data[0] = 2nd;
}

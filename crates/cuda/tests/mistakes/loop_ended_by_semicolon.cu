__global__ void k(float *x, int n)
{
    float sum = 0.0f;
    for (int j = 0; j < n; j++);
        sum += x[threadIdx.x];
    x[threadIdx.x] = sum;
    while (x[0] < sum);
    {
        x[1] = sum;
    }
}

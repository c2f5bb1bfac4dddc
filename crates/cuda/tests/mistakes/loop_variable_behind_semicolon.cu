__global__ void k(float *x, int n)
{
    for (int j = 0; j < n; j++); {
        x[j] = 0.0f;
    }
}

__global__ void scale(float *data, int n, float factor)
{
    float factor = 2.0f;
    for (int i = 0; i < n; ++i) {
        int i = threadIdx.x;
        data[i] *= factor;
    }
}

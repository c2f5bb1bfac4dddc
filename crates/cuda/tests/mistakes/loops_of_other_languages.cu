__global__ void sums(float *out, int n)
{
    float values[4] = {1, 2, 3, 4};
    foreach (float value : values) out[0] += value;
    for int i = 0; i < n; i++ {
        out[1] += values[i];
    }
}

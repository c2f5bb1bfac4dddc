__global__ void sum(float *total, const float *values, int count)
{
    float partial = 0.0f;
    for (int i = 0; i < cuont; ++i)
        partial += values[i];
    *total = partail;
}

__global__ void twice(float *data, size_t pitch, int width)
{
    float *row = (float *)((void *)data + threadIdx.y * pitch);
    if (threadIdx.x < width) row[threadIdx.x] *= 2.0f;
}

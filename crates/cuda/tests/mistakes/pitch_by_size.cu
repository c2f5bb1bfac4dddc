__global__ void scale(float3 *image, size_t pitch, int width, int height)
{
    int x = threadIdx.x, y = blockIdx.x;
    if (x < width && y < height) image[y * (pitch / sizeof(float3)) + x].x *= 2;
}

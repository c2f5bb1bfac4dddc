__global__ void scale(float *image, int width)
{
    int x = threadIdx.x, y = blockIdx.x;
    image[y, x] *= 2.0f;
    image[y * width, x] += 1.0f;
}

__device__ void square(float x)
{
    return x * x;
}
__global__ void squares(float *a)
{
    float y = square(a[threadIdx.x]);
    a[threadIdx.x] = square(y) + sqrtf(square(2.0f));
    printf("%f\n", square(y));
    return 0;
}

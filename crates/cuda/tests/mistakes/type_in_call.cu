__device__ float twice(float x) { return 2 * x; }
__global__ void k(float *a)
{
    a[0] = twice(float a[1]);
}

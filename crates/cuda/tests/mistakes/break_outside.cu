__global__ void scale(float *a)
{
    if (a[threadIdx.x] > 3) break;
    if (a[threadIdx.x] > 2) continue;
    goto end;
}

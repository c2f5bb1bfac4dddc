__global__ void choose(float *a)
{
    switch (a[threadIdx.x]) {
    case 1.0: a[threadIdx.x] = 2; break;
    default: break;
    }
}

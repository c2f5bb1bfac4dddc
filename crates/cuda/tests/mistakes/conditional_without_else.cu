__global__ void clip(float *a, float most)
{
    int i = threadIdx.x;
    a[i] = a[i] > most ? most;
}

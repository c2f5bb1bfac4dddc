__global__ void k(float *a)
{
    for (int i = 0; i < len(a); i++) a[i] = 0.0f;
}

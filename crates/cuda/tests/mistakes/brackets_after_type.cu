__global__ void k(float *a)
{
    float[4] c;
    c[0] = a[0];
    a[1] = c[0];
}

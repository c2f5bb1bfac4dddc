__global__ void k(float *a, int n)
{
    bool done = False;
    if (!done) a[0] = 1.0f;
}

__global__ void child(float *a) { a[0] = 1.0f; }

__global__ void k(float *a)
{
    child<<1, 32>>(a);
}

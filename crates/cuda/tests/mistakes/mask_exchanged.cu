__global__ void sum(float *a, int *b)
{
    float x = a[threadIdx.x];
    x += __shfl_xor_sync(x, 0xffffffff, 1);
    a[0] = x + __reduce_add_sync(0xffffffff, x);
    b[0] = __ballot_sync(x > 0.0f);
}

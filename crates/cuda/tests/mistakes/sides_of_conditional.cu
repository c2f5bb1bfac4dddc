// One of two pointers of different types.
__global__ void choose(int *a, float *b, int n)
{
    a[0] = *(n > 3 ? a : b);
}

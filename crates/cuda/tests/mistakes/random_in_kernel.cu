__global__ void noise(float *a, int n)
{
    srand(threadIdx.x);
    a[threadIdx.x] = rand() / (float)RAND_MAX;
    if (n == 0) exit(1);
    cout << n;
}

__global__ void k(float *a, const double *b)
{
    float own[4] = {};
    int n = sizeof(a) / sizeof(a[0]);
    int m = sizeof b / sizeof(double);
    int right = sizeof(own) / sizeof(own[0]) + sizeof(a) / sizeof(int);
    if (threadIdx.x < n + m + right) a[threadIdx.x] = own[0];
}

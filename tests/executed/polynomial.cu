__constant__ double coefficients[12];
extern "C" __global__ void horner(const double *x, double *y, int n, int terms)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double r = 0;
    for (int k = terms - 1; k >= 0; k--)
        r = r * x[i] + coefficients[k];
    y[i] = r;
}
extern "C" __global__ void by_degree(const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    double r = 0;
    for (int k = 0; k < i % 12; k++)
        r += coefficients[k] * x[i];
    y[i] = r;
}

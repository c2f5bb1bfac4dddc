__constant__ int month[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
extern "C" __global__ void days(const unsigned char *in, int *out)
{
    const int weight[16] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7, 9, 3};
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int m = in[i] % 12, sum = 0;
    for (int k = 0; k < m; k++)
        sum += month[k];
    out[i] = sum * weight[in[i] & 15];
}

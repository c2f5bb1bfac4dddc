extern "C" __global__ void sort(int *data)
{
    __shared__ int s[200];
    int t = threadIdx.x, n = 200;
    data += blockIdx.x * n;
    s[t] = data[t];
    s[t + 100] = data[t + 100];
    __syncthreads();
    for (int round = 0; round < n; round++) {
        int i = 2 * t + (round & 1);
        if (i + 1 < n && s[i] > s[i + 1]) {
            int v = s[i];
            s[i] = s[i + 1];
            s[i + 1] = v;
        }
        __syncthreads();
    }
    data[t] = s[t];
    data[t + 100] = s[t + 100];
}

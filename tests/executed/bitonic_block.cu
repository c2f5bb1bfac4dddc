extern "C" __global__ void sort(int *data)
{
    __shared__ int s[512];
    int t = threadIdx.x;
    s[t] = data[t];
    s[t + 256] = data[t + 256];
    for (int size = 2; size <= 512; size *= 2)
        for (int step = size / 2; step > 0; step /= 2) {
            __syncthreads();
            int i = 2 * t - (t & (step - 1)), j = i + step;
            bool up = (i & size) == 0;
            int a = s[i], b = s[j];
            if ((a > b) == up) {
                s[i] = b;
                s[j] = a;
            }
        }
    __syncthreads();
    data[t] = s[t];
    data[t + 256] = s[t + 256];
}

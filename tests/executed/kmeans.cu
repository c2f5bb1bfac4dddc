extern "C" __global__ void assign(const float *px, const float *py, const float *cx, const float *cy, int *label, int n, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float best = 1e30f;
    int which = 0;
    for (int c = 0; c < k; c++) {
        float dx = px[i] - cx[c], dy = py[i] - cy[c], d = dx * dx + dy * dy;
        if (d < best) {
            best = d;
            which = c;
        }
    }
    label[i] = which;
}
extern "C" __global__ void update(const float *px, const float *py, const int *label, float *sums, int n, int k)
{
    __shared__ float s[3 * 16];
    if (threadIdx.x < 3 * k)
        s[threadIdx.x] = 0;
    __syncthreads();
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int c = label[i];
        atomicAdd(&s[3 * c], px[i]);
        atomicAdd(&s[3 * c + 1], py[i]);
        atomicAdd(&s[3 * c + 2], 1.0f);
    }
    __syncthreads();
    if (threadIdx.x < 3 * k)
        atomicAdd(&sums[threadIdx.x], s[threadIdx.x]);
}

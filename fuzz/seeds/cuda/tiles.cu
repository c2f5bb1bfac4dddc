#define TILE 16
template <int N>
__global__ void product(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[N][N], t[N][N + 1];
    float sum = 0;
    for (int k = 0; k < n; k += N) {
        s[threadIdx.y][threadIdx.x] = a[threadIdx.y * n + k + threadIdx.x];
        t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + threadIdx.x];
        __syncthreads();
#pragma unroll
        for (int i = 0; i < N; ++i)
            sum += s[threadIdx.y][i] * t[i][threadIdx.x];
        __syncthreads();
    }
    c[threadIdx.y * n + threadIdx.x] = sum;
}
template __global__ void product<TILE>(const float *, const float *, float *, int);

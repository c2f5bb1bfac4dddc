template <int N> __device__ float sum(const float *a) { float s = 0; for (int i = 0; i < N; i++) s += a[i]; return s; }
__global__ void sums(const float *a, float *out, int n)
{
    out[threadIdx.x] = sum<n>(a) + sum<blockDim.x>(a);
    out[0] = sum(a, 4);
}

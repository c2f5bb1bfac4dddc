// a·x plus a coefficient from constant memory times y, and how often it was called.
__constant__ float coef[2];
__device__ unsigned int calls;

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        y[i] = a * x[i] + coef[1] * y[i];
    }
    if (i == 0) {
        calls += 1;
    }
}

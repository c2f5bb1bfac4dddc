// Guard the edges.
//
// The derivative of a sampled function weights four neighbours on each side of a point.
// Here the array has no padding: the first and the last four points have no neighbours
// on one side, and their derivative is defined as 0. At present, the kernel reads past
// both ends of the array, and, in the last block, writes past its end.
//
// Guard the reads and the writes. Every one of the n outputs must be written.

#define RADIUS 4

__constant__ float coef[RADIUS + 1];

__global__ void derivative(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    //<
    if (i >= n) return;
    float sum = 0.0f;
    if (i >= RADIUS && i < n - RADIUS) {
        for (int j = 1; j <= RADIUS; j++) {
            sum += coef[j] * (in[i + j] - in[i - j]);
        }
    }
    out[i] = sum;
    //| skeleton
    float sum = 0.0f;
    for (int j = 1; j <= RADIUS; j++) {
        sum += coef[j] * (in[i + j] - in[i - j]);
    }
    out[i] = sum;
    //| leaves the edges out
    if (i < RADIUS || i >= n - RADIUS) return;
    float sum = 0.0f;
    for (int j = 1; j <= RADIUS; j++) {
        sum += coef[j] * (in[i + j] - in[i - j]);
    }
    out[i] = sum;
    //| one too far
    if (i >= n) return;
    float sum = 0.0f;
    if (i >= RADIUS && i <= n - RADIUS) {
        for (int j = 1; j <= RADIUS; j++) {
            sum += coef[j] * (in[i + j] - in[i - j]);
        }
    }
    out[i] = sum;
    //>
}

// Stencils: Jacobi's method with a halo in shared memory and a residual, one dimension with a wide radius, and three
// dimensions in a block of three.
#ifdef __clang__
#include "../clang.h"
#endif

#define W 16
#define H 8

extern "C" __global__ void jacobi(const float *before, float *after, int *changed, int width, int height)
{
    __shared__ float tile[H + 2][W + 2];
    int x = blockIdx.x * W + threadIdx.x, y = blockIdx.y * H + threadIdx.y;
    for (int j = threadIdx.y; j < H + 2; j += H)
        for (int i = threadIdx.x; i < W + 2; i += W) {
            int gx = min(max((int)(blockIdx.x * W) + i - 1, 0), width - 1), gy = min(max((int)(blockIdx.y * H) + j - 1, 0), height - 1);
            tile[j][i] = before[gy * width + gx];
        }
    __syncthreads();
    bool inner = x > 0 && y > 0 && x < width - 1 && y < height - 1;
    if (x < width && y < height) {
        int i = threadIdx.x + 1, j = threadIdx.y + 1;
        float mean = 0.25f * (tile[j - 1][i] + tile[j + 1][i] + tile[j][i - 1] + tile[j][i + 1]);
        float v = inner ? mean : tile[j][i];
        after[y * width + x] = v;
        if (fabsf(v - tile[j][i]) > 0.125f)
            atomicAdd(changed, 1);
    }
}

__constant__ float weights[9] = {0.0625f, 0.125f, 0.25f, 0.5f, 1, 0.5f, 0.25f, 0.125f, 0.0625f};

extern "C" __global__ void line(const float *in, float *out, int n)
{
    __shared__ float tile[128 + 8];
    int start = blockIdx.x * 128, i = start + threadIdx.x;
    for (int k = threadIdx.x; k < 136; k += 128) {
        int at = start + k - 4;
        tile[k] = at >= 0 && at < n ? in[at] : 0.0f;
    }
    __syncthreads();
    if (i >= n)
        return;
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 9; k++)
        sum += weights[k] * tile[threadIdx.x + k];
    out[i] = sum;
}

extern "C" __global__ void cube(const int *in, int *out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= nx || y >= ny || z >= nz)
        return;
    int at = (z * ny + y) * nx + x, sum = -6 * in[at];
    sum += in[x > 0 ? at - 1 : at] + in[x < nx - 1 ? at + 1 : at];
    sum += in[y > 0 ? at - nx : at] + in[y < ny - 1 ? at + nx : at];
    sum += in[z > 0 ? at - nx * ny : at] + in[z < nz - 1 ? at + nx * ny : at];
    out[at] = sum;
}

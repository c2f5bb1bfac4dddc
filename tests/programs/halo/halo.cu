// Stencils in three dimensions with a halo in shared memory, blocks and grids of three dimensions, and a plane-by-plane
// sweep that keeps a column in registers; then a lattice of nine velocities (D2Q9).
#ifdef __clang__
#include "../clang.h"
#endif

template <int X, int Y, int Z, typename T> __device__ void seven_points(const T *in, T *out, int nx, int ny, int nz, T centre, T side)
{
    __shared__ T tile[Z + 2][Y + 2][X + 2];
    int x = blockIdx.x * X + threadIdx.x, y = blockIdx.y * Y + threadIdx.y, z = blockIdx.z * Z + threadIdx.z;
    auto at = [=](int i, int j, int k) -> T {
        return i >= 0 && i < nx && j >= 0 && j < ny && k >= 0 && k < nz ? in[(k * ny + j) * nx + i] : T(0);
    };
    int i = threadIdx.x + 1, j = threadIdx.y + 1, k = threadIdx.z + 1;
    tile[k][j][i] = at(x, y, z);
    if (threadIdx.x == 0) {
        tile[k][j][0] = at(x - 1, y, z);
        tile[k][j][X + 1] = at(x + X, y, z);
    }
    if (threadIdx.y == 0) {
        tile[k][0][i] = at(x, y - 1, z);
        tile[k][Y + 1][i] = at(x, y + Y, z);
    }
    if (threadIdx.z == 0) {
        tile[0][j][i] = at(x, y, z - 1);
        tile[Z + 1][j][i] = at(x, y, z + Z);
    }
    __syncthreads();
    if (x >= nx || y >= ny || z >= nz)
        return;
    T sum = tile[k][j][i - 1] + tile[k][j][i + 1] + tile[k][j - 1][i] + tile[k][j + 1][i] + tile[k - 1][j][i] + tile[k + 1][j][i];
    out[(z * ny + y) * nx + x] = centre * tile[k][j][i] + side * sum;
}

extern "C" __global__ void step_float(const float *in, float *out, int nx, int ny, int nz) { seven_points<8, 4, 4>(in, out, nx, ny, nz, 0.25f, 0.125f); }
extern "C" __global__ void step_double(const double *in, double *out, int nx, int ny, int nz) { seven_points<4, 8, 2>(in, out, nx, ny, nz, 0.5, 0.0625); }

// A thread a column: three planes are in registers.
extern "C" __global__ void sweep(const int *__restrict__ in, int *__restrict__ out, int nx, int ny, int nz)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
        return;
    int plane = nx * ny, at = y * nx + x, below, here = in[at], above = in[at + plane];
    for (int z = 1; z < nz - 1; z++) {
        at += plane;
        below = here;
        here = above;
        above = in[at + plane];
        out[at] = below + above + in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] - 6 * here;
    }
}

__constant__ int ex[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
__constant__ float weight[9] = {4.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 9, 1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};

// Collide and stream, with walls that go round.
extern "C" __global__ void lattice(const float *in, float *out, int n, float omega)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
    if (x >= n)
        return;
    float f[9], density = 0, ux = 0, uy = 0;
#pragma unroll
    for (int q = 0; q < 9; q++) {
        int fx = (x - ex[q] + n) % n, fy = (y - ey[q] + n) % n;
        f[q] = in[(q * n + fy) * n + fx];
        density += f[q];
        ux += ex[q] * f[q];
        uy += ey[q] * f[q];
    }
    ux /= density;
    uy /= density;
    float square = 1.5f * (ux * ux + uy * uy);
    for (int q = 0; q < 9; q++) {
        float along = 3 * (ex[q] * ux + ey[q] * uy);
        float still = weight[q] * density * (1 + along + 0.5f * along * along - square);
        out[(q * n + y) * n + x] = f[q] + omega * (still - f[q]);
    }
}

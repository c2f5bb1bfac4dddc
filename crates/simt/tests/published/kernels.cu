// The computations of published measurements, written anew: what a thread loads, stores and computes is as it was
// measured, as far as the text says; names, layout and everything around are not.

// Streams of doubles, one element a thread (gpu-benches: gpu-stream). Dynamic shared memory limits residency and is
// not touched.
extern "C" __global__ void init(double *a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = 0.23;
}

extern "C" __global__ void scale(double *a, const double *__restrict__ b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i] * 1.2;
}

extern "C" __global__ void triad(double *a, const double *__restrict__ b, const double *__restrict__ c,
                                 const double *__restrict__ d, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) a[i] = b[i] * d[i] + c[i];
}

extern "C" __global__ void three_points(double *a, const double *__restrict__ b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n - 1 && i > 0) a[i] = 0.5 * b[i - 1] - b[i] + 0.5 * b[i + 1];
}

// One float a thread, four floats a thread.
extern "C" __global__ void saxpy(int n, float alpha, const float *x, const float *y, float *result) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) result[i] = alpha * x[i] + y[i];
}

extern "C" __global__ void add_float4(const float4 *__restrict__ a, const float4 *__restrict__ b, float4 *__restrict__ c,
                                      int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 x = a[i], y = b[i];
    c[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}

extern "C" __global__ void relu_float4(const float4 *__restrict__ a, float4 *__restrict__ c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 x = a[i];
    c[i] = make_float4(fmaxf(x.x, 0.0f), fmaxf(x.y, 0.0f), fmaxf(x.z, 0.0f), fmaxf(x.w, 0.0f));
}

// Sums of two n x n matrices, along rows and down columns.
extern "C" __global__ void add_along_rows(const float *a, const float *b, float *c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && column < n) c[row * n + column] = a[row * n + column] + b[row * n + column];
}

extern "C" __global__ void add_down_columns(const float *a, const float *b, float *c, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && column < n) c[row * n + column] = a[row * n + column] + b[row * n + column];
}

// A step of Hillis and Steele's scan.
extern "C" __global__ void scan_step(int n, int offset, const int *in, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    out[i] = i >= offset ? in[i - offset] + in[i] : in[i];
}

// The stencils of the notes on section 5.5: the coefficients in constant memory, or read through a pointer.
#define RADIUS 4
#define BDIM 32
__constant__ float coefficients[RADIUS + 1];

__device__ __forceinline__ int stage(float *tile, const float *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, at = threadIdx.x + RADIUS;
    tile[at] = in[i];
    if (threadIdx.x < RADIUS) {
        tile[at - RADIUS] = in[i - RADIUS];
        tile[at + BDIM] = in[i + BDIM];
    }
    __syncthreads();
    return i;
}

extern "C" __global__ void stencil(const float *in, float *out) {
    __shared__ float tile[BDIM + 2 * RADIUS];
    int i = stage(tile, in);
    float sum = 0.0f;
#pragma unroll
    for (int j = 1; j <= RADIUS; j++)
        sum += coefficients[j] * (tile[threadIdx.x + RADIUS + j] - tile[threadIdx.x + RADIUS - j]);
    out[i] = sum;
}

extern "C" __global__ void stencil_read_only(const float *in, float *out, const float *__restrict__ c) {
    __shared__ float tile[BDIM + 2 * RADIUS];
    int i = stage(tile, in);
    float sum = 0.0f;
#pragma unroll
    for (int j = 1; j <= RADIUS; j++)
        sum += c[j] * (tile[threadIdx.x + RADIUS + j] - tile[threadIdx.x + RADIUS - j]);
    out[i] = sum;
}

// Sums of a block's elements: through shared memory, with an atomic operation a block, by shuffles, of float4s by shuffles.
__device__ __forceinline__ void halve(float *sums) {
    for (int half = blockDim.x >> 1; half > 0; half >>= 1) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
}

extern "C" __global__ void sum_shared(const float *x, float *y, int n) {
    extern __shared__ float sums[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    halve(sums);
    if (threadIdx.x == 0) y[blockIdx.x] = sums[0];
}

extern "C" __global__ void sum_atomic(const float *x, float *y, int n) {
    extern __shared__ float sums[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    sums[threadIdx.x] = i < n ? x[i] : 0.0f;
    __syncthreads();
    halve(sums);
    if (threadIdx.x == 0) atomicAdd(y, sums[0]);
}

__device__ __forceinline__ float of_warp(float value) {
    for (int half = 16; half > 0; half >>= 1) value += __shfl_down_sync(0xffffffff, value, half);
    return value;
}

__device__ __forceinline__ void of_block(float value, float *y) {
    __shared__ float sums[32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    value = of_warp(value);
    if (lane == 0) sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        value = of_warp(lane < (int)blockDim.x / 32 ? sums[lane] : 0.0f);
        if (lane == 0) y[blockIdx.x] = value;
    }
}

extern "C" __global__ void sum_shuffle(const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    of_block(i < n ? x[i] : 0.0f, y);
}

extern "C" __global__ void sum_float4(const float *x, float *y, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    float value = 0.0f;
    if (i < n) {
        float4 four = *(const float4 *)&x[i];
        value = four.x + four.y + four.z + four.w;
    }
    of_block(value, y);
}

// An n x n matrix transposed: read down columns, read along rows, through a tile, through a padded one.
extern "C" __global__ void transpose_down_columns(const float *in, float *out, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && column < n) out[column * n + row] = in[row * n + column];
}

extern "C" __global__ void transpose_along_rows(const float *in, float *out, int n) {
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && column < n) out[column * n + row] = in[row * n + column];
}

template <int PAD>
__device__ __forceinline__ void through_tile(const float *in, float *out, int n) {
    __shared__ float tile[32][32 + PAD];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    if (x < n && y < n) tile[threadIdx.y][threadIdx.x] = in[y * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    if (x < n && y < n) out[y * n + x] = tile[threadIdx.x][threadIdx.y];
}

extern "C" __global__ void transpose_tile(const float *in, float *out, int n) { through_tile<0>(in, out, n); }

extern "C" __global__ void transpose_padded(const float *in, float *out, int n) { through_tile<1>(in, out, n); }

// Matrix products C = alpha A B + beta C, of m x k and k x n, as the well-known worklog on SGEMM goes: neighbouring
// threads down a column; along a row; through tiles of 32 x 32; 8 results a thread; 8 x 8 results a thread.
__device__ __forceinline__ float dot(const float *a, const float *b, int n, int k) {
    float sum = 0.0f;
    for (int i = 0; i < k; i++) sum += a[i] * b[i * n];
    return sum;
}

extern "C" __global__ void product_down_columns(int m, int n, int k, float alpha, const float *a, const float *b,
                                                float beta, float *c) {
    int row = blockIdx.x * blockDim.x + threadIdx.x, column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < m && column < n)
        c[row * n + column] = alpha * dot(a + row * k, b + column, n, k) + beta * c[row * n + column];
}

extern "C" __global__ void product_along_rows(int m, int n, int k, float alpha, const float *a, const float *b,
                                              float beta, float *c) {
    int row = blockIdx.x * 32 + threadIdx.x / 32, column = blockIdx.y * 32 + threadIdx.x % 32;
    if (row < m && column < n)
        c[row * n + column] = alpha * dot(a + row * k, b + column, n, k) + beta * c[row * n + column];
}

extern "C" __global__ void product_tiles(int m, int n, int k, float alpha, const float *a, const float *b, float beta,
                                         float *c) {
    __shared__ float of_a[32 * 32], of_b[32 * 32];
    int row = threadIdx.x / 32, column = threadIdx.x % 32;
    a += blockIdx.x * 32 * k;
    b += blockIdx.y * 32;
    c += blockIdx.x * 32 * n + blockIdx.y * 32;
    float sum = 0.0f;
    for (int start = 0; start < k; start += 32) {
        of_a[row * 32 + column] = a[row * k + column];
        of_b[row * 32 + column] = b[row * n + column];
        __syncthreads();
        a += 32;
        b += 32 * n;
        for (int i = 0; i < 32; i++) sum += of_a[row * 32 + i] * of_b[i * 32 + column];
        __syncthreads();
    }
    c[row * n + column] = alpha * sum + beta * c[row * n + column];
}

extern "C" __global__ void product_eight(int m, int n, int k, float alpha, const float *a, const float *b, float beta,
                                         float *c) {
    __shared__ float of_a[64 * 8], of_b[8 * 64];
    int column = threadIdx.x % 64, row = threadIdx.x / 64;
    a += blockIdx.y * 64 * k;
    b += blockIdx.x * 64;
    c += blockIdx.y * 64 * n + blockIdx.x * 64;
    int column_a = threadIdx.x % 8, row_a = threadIdx.x / 8;
    float sums[8] = {0.0f};
    for (int start = 0; start < k; start += 8) {
        of_a[row_a * 8 + column_a] = a[row_a * k + column_a];
        of_b[row * 64 + column] = b[row * n + column];
        __syncthreads();
        a += 8;
        b += 8 * n;
        for (int i = 0; i < 8; i++) {
            float other = of_b[i * 64 + column];
#pragma unroll
            for (int r = 0; r < 8; r++) sums[r] += of_a[(row * 8 + r) * 8 + i] * other;
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 8; r++) {
        float *at = &c[(row * 8 + r) * n + column];
        *at = alpha * sums[r] + beta * *at;
    }
}

extern "C" __global__ void product_eight_by_eight(int m, int n, int k, float alpha, const float *a, const float *b,
                                                  float beta, float *c) {
    __shared__ float of_a[128 * 8], of_b[8 * 128];
    int column = threadIdx.x % 16, row = threadIdx.x / 16;
    a += blockIdx.y * 128 * k;
    b += blockIdx.x * 128;
    c += blockIdx.y * 128 * n + blockIdx.x * 128;
    int row_a = threadIdx.x / 8, column_a = threadIdx.x % 8, row_b = threadIdx.x / 128, column_b = threadIdx.x % 128;
    float sums[8][8] = {{0.0f}};
    for (int start = 0; start < k; start += 8) {
#pragma unroll
        for (int down = 0; down < 128; down += 32)
            of_a[(row_a + down) * 8 + column_a] = a[(row_a + down) * k + column_a];
#pragma unroll
        for (int down = 0; down < 8; down += 2)
            of_b[(row_b + down) * 128 + column_b] = b[(row_b + down) * n + column_b];
        __syncthreads();
        a += 8;
        b += 8 * n;
        for (int i = 0; i < 8; i++) {
            float x[8], y[8];
#pragma unroll
            for (int r = 0; r < 8; r++) x[r] = of_a[(row * 8 + r) * 8 + i];
#pragma unroll
            for (int r = 0; r < 8; r++) y[r] = of_b[i * 128 + column * 8 + r];
#pragma unroll
            for (int r = 0; r < 8; r++)
#pragma unroll
                for (int s = 0; s < 8; s++) sums[r][s] += x[r] * y[s];
        }
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < 8; r++)
#pragma unroll
        for (int s = 0; s < 8; s++) {
            float *at = &c[(row * 8 + r) * n + column * 8 + s];
            *at = alpha * sums[r][s] + beta * *at;
        }
}

// Gravity of `sources` bodies on each thread's, tile by tile, as NVIDIA's sample has it; a body is x, y, z and mass.
template <typename T> struct Four { T x, y, z, w; };

template <typename T>
__device__ __forceinline__ T inverse_root(T x);
template <> __device__ __forceinline__ float inverse_root(float x) { return rsqrtf(x); }
template <> __device__ __forceinline__ double inverse_root(double x) { return rsqrt(x); }

template <typename T>
__device__ __forceinline__ void gravity(Four<T> *acceleration, const Four<T> *bodies, T softening, int sources) {
    __shared__ Four<T> tile[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    Four<T> me = bodies[i];
    T ax = 0, ay = 0, az = 0;
    for (int start = 0; start < sources; start += 256) {
        tile[threadIdx.x] = bodies[start + threadIdx.x];
        __syncthreads();
#pragma unroll 32
        for (int j = 0; j < 256; j++) {
            T dx = tile[j].x - me.x, dy = tile[j].y - me.y, dz = tile[j].z - me.z;
            T squared = dx * dx + dy * dy + dz * dz + softening;
            T inverse = inverse_root(squared);
            T pull = tile[j].w * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        __syncthreads();
    }
    acceleration[i] = Four<T>{ax, ay, az, 0};
}

extern "C" __global__ void nbody(float4 *acceleration, const float4 *bodies, float softening, int sources) {
    gravity<float>((Four<float> *)acceleration, (const Four<float> *)bodies, softening, sources);
}

extern "C" __global__ void nbody_double(double *acceleration, const double *bodies, double softening, int sources) {
    gravity<double>((Four<double> *)acceleration, (const Four<double> *)bodies, softening, sources);
}

// A step of the lattice Boltzmann method on side^3 periodic cells, D3Q19, one relaxation time, in place: of each pair of
// opposite directions, one value lies in the cell itself and one in its neighbour; after the step they have changed places.
extern "C" __global__ void lattice_boltzmann(float *f, const unsigned char *flags, float rate, int side) {
    const int X[9] = {1, 0, 0, 1, 1, 0, 1, 1, 0}, Y[9] = {0, 1, 0, 1, 0, 1, -1, 0, 1}, Z[9] = {0, 0, 1, 0, 1, 1, 0, -1, -1};
    int cells = side * side * side, n = blockIdx.x * blockDim.x + threadIdx.x;
    if (n >= cells || flags[n]) return;
    int x = n % side, y = n / side % side, z = n / (side * side);
    float value[19], density = 0.0f, ux = 0.0f, uy = 0.0f, uz = 0.0f;
    int neighbour[9];
    value[0] = f[n];
    density = value[0];
#pragma unroll
    for (int i = 0; i < 9; i++) {
        int to_x = x + X[i], to_y = y + Y[i], to_z = z + Z[i];
        to_x = to_x == side ? 0 : to_x;
        to_y = to_y == side ? 0 : to_y < 0 ? side - 1 : to_y;
        to_z = to_z == side ? 0 : to_z < 0 ? side - 1 : to_z;
        neighbour[i] = to_x + (to_y + to_z * side) * side;
        value[2 * i + 1] = f[(2 * i + 1) * cells + n];
        value[2 * i + 2] = f[(2 * i + 2) * cells + neighbour[i]];
        density += value[2 * i + 1] + value[2 * i + 2];
        float along = value[2 * i + 1] - value[2 * i + 2];
        ux += X[i] * along;
        uy += Y[i] * along;
        uz += Z[i] * along;
    }
    float inverse = 1.0f / density;
    ux *= inverse;
    uy *= inverse;
    uz *= inverse;
    float rest = 1.0f - 1.5f * (ux * ux + uy * uy + uz * uz);
    f[n] = (1.0f - rate) * value[0] + rate * (density / 3.0f) * rest;
#pragma unroll
    for (int i = 0; i < 9; i++) {
        float weight = rate * density * (i < 3 ? 1.0f / 18.0f : 1.0f / 36.0f);
        float along = X[i] * ux + Y[i] * uy + Z[i] * uz;
        float even = rest + 4.5f * along * along, odd = 3.0f * along;
        f[(2 * i + 1) * cells + n] = (1.0f - rate) * value[2 * i + 2] + weight * (even - odd);
        f[(2 * i + 2) * cells + neighbour[i]] = (1.0f - rate) * value[2 * i + 1] + weight * (even + odd);
    }
}

// Small dense products: matrix times vector by warps and by blocks with float4, batches of small matrices in registers by
// templates, a tiled product with a register block and two buffers in shared memory, carve-outs of dynamic shared memory,
// and copies that tell the compiler of alignment.

// A warp a row.
extern "C" __global__ void __launch_bounds__(128, 4) by_warps(const float4 *__restrict__ a, const float4 *__restrict__ x, float *__restrict__ y, int rows, int fours)
{
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (row >= rows)
        return;
    float sum = 0;
    for (int k = lane; k < fours; k += 32) {
        float4 p = __ldg(a + row * fours + k), q = __ldg(x + k);
        sum += p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    }
#pragma unroll
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_xor_sync(~0u, sum, d);
    if (lane == 0)
        y[row] = sum;
}

// y = A^T x with a block of columns: doubles.
extern "C" __global__ void transposed(const double *a, const double *x, double *y, int rows, int columns)
{
    __shared__ double sums[8][33];
    int c = blockIdx.x * 32 + threadIdx.x;
    double sum = 0;
    if (c < columns)
        for (int r = threadIdx.y; r < rows; r += 8)
            sum = fma(a[r * columns + c], x[r], sum);
    sums[threadIdx.y][threadIdx.x] = sum;
    __syncthreads();
    if (threadIdx.y == 0 && c < columns) {
        for (int k = 1; k < 8; k++)
            sum += sums[k][threadIdx.x];
        y[c] = sum;
    }
}

template <typename T, int N> struct Matrix {
    T v[N][N];
    __device__ Matrix operator*(const Matrix &o) const
    {
        Matrix r;
#pragma unroll
        for (int i = 0; i < N; i++)
#pragma unroll
            for (int j = 0; j < N; j++) {
                T sum = 0;
#pragma unroll
                for (int k = 0; k < N; k++)
                    sum += v[i][k] * o.v[k][j];
                r.v[i][j] = sum;
            }
        return r;
    }
    __device__ T trace() const
    {
        T t = 0;
        for (int i = 0; i < N; i++)
            t += v[i][i];
        return t;
    }
};

template <typename T, int N> __device__ void powers(const T *in, T *out, T *traces, int n, int power)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Matrix<T, N> base = reinterpret_cast<const Matrix<T, N> *>(in)[i], result = base;
    for (int e = 1; e < power; e++)
        result = result * base;
    reinterpret_cast<Matrix<T, N> *>(out)[i] = result;
    traces[i] = result.trace();
}

extern "C" __global__ void powers_int3(const int *in, int *out, int *traces, int n) { powers<int, 3>(in, out, traces, n, 4); }
extern "C" __global__ void powers_float4(const float *in, float *out, float *traces, int n) { powers<float, 4>(in, out, traces, n, 3); }
extern "C" __global__ void powers_double2(const double *in, double *out, double *traces, int n) { powers<double, 2>(in, out, traces, n, 7); }

// C = A B of n by n, n a multiple of 32: 64 threads, four by four results each, two tiles of eight columns in turn.
extern "C" __global__ void __launch_bounds__(64) tiled(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int n)
{
    __shared__ __align__(16) float left[2][8][36], right[2][8][32];
    int t = threadIdx.x, tx = t % 8, ty = t / 8, row = blockIdx.y * 32, column = blockIdx.x * 32;
    float sums[4][4] = {};
    auto load = [&](int which, int k) {
        float4 v = *reinterpret_cast<const float4 *>(a + (row + t / 2) * n + k + t % 2 * 4);
        left[which][t % 2 * 4][t / 2] = v.x;
        left[which][t % 2 * 4 + 1][t / 2] = v.y;
        left[which][t % 2 * 4 + 2][t / 2] = v.z;
        left[which][t % 2 * 4 + 3][t / 2] = v.w;
        *reinterpret_cast<float4 *>(&right[which][t / 8][t % 8 * 4]) = *reinterpret_cast<const float4 *>(b + (k + t / 8) * n + column + t % 8 * 4);
    };
    load(0, 0);
    __syncthreads();
    for (int k = 0, which = 0; k < n; k += 8, which ^= 1) {
        if (k + 8 < n)
            load(which ^ 1, k + 8);
#pragma unroll
        for (int i = 0; i < 8; i++) {
            float4 p = *reinterpret_cast<float4 *>(&left[which][i][ty * 4]), q = *reinterpret_cast<float4 *>(&right[which][i][tx * 4]);
            float ps[4] = {p.x, p.y, p.z, p.w}, qs[4] = {q.x, q.y, q.z, q.w};
#pragma unroll
            for (int y = 0; y < 4; y++)
#pragma unroll
                for (int x = 0; x < 4; x++)
                    sums[y][x] = fmaf(ps[y], qs[x], sums[y][x]);
        }
        __syncthreads();
    }
    for (int y = 0; y < 4; y++)
        *reinterpret_cast<float4 *>(c + (row + ty * 4 + y) * n + column + tx * 4) = make_float4(sums[y][0], sums[y][1], sums[y][2], sums[y][3]);
}

// Several arrays of several types in one dynamic one.
extern "C" __global__ void carved(const int *in, double *reals, short *shorts, unsigned char *bytes, int n)
{
    extern __shared__ __align__(16) unsigned char memory[];
    double *d = reinterpret_cast<double *>(memory);
    int *i = reinterpret_cast<int *>(d + n);
    short *s = reinterpret_cast<short *>(i + n);
    unsigned char *b = reinterpret_cast<unsigned char *>(s + n);
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        i[k] = in[k];
        d[n - 1 - k] = in[k] * 0.25;
        s[(k * 7) % n] = (short)in[k];
        b[(k + 3) % n] = (unsigned char)(in[k] >> 2);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < n; k += blockDim.x) {
        reals[k] = d[k] + i[k];
        shorts[k] = (short)(s[k] - b[k]);
        bytes[k] = b[n - 1 - k] ^ (unsigned char)i[k];
    }
}

struct __align__(16) Sixteen {
    char c[16];
};

extern "C" __global__ void copies(const void *from, void *to, int n)
{
    const char *f = static_cast<const char *>(__builtin_assume_aligned(from, 16));
    char *t = static_cast<char *>(__builtin_assume_aligned(to, 16));
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    __builtin_assume(n > 0);
    if (i < n) {
        memcpy(t + 32 * i, f + 32 * i, 24);
        memset(t + 32 * i + 24, i, 4);
        *reinterpret_cast<int *>(t + 32 * i + 28) = reinterpret_cast<const Sixteen *>(f)[2 * i + 1].c[15];
    }
}

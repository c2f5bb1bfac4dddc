// Kernels of which a counter differs without a pass of the workbook's own compiler: crates/cuda/src/passes says which one.
// passes.toml launches them.

struct Point {
    float x, y, z;
};

struct Row {
    int values[8];
};

struct Half {
    unsigned short bits;
};

struct alignas(4) Pair {
    Half x, y;
};

__device__ __noinline__ int power(int x, int n)
{
    int y = 1;
    for (int i = 0; i < n; i++) y *= x;
    return y;
}

__device__ __noinline__ Point scaled(Point point, float by)
{
    point.x *= by;
    point.y *= by;
    point.z *= by;
    return point;
}

__device__ __noinline__ int sign(int x)
{
    if (x < 10) return -1;
    if (x > 20) return 1;
    return 0;
}

extern "C" {

// Both calls have the exponent 4.
__global__ void powers(const int *a, int *out)
{
    int i = threadIdx.x;
    out[i] = power(a[i], 4) + power(a[i] + 1, 4);
}

// A structure is passed and returned.
__global__ void scale(const float *a, float *out)
{
    int i = threadIdx.x;
    Point point = scaled({ a[i], a[i + 1], a[i + 2] }, a[0]);
    out[i] = point.x + point.y + point.z;
}

// A function returns in three places.
__global__ void signs(const int *a, int *out)
{
    int i = threadIdx.x;
    out[i] = sign(a[i]) + sign(a[i] + 4);
}

// The element may have been loaded already.
__global__ void loaded(const int *a, int *out, int n)
{
    int i = threadIdx.x, x = 0;
    if (a[i] & 1) x = a[i + n] + 5;
    out[i] = x + a[i + n];
}

// Both ways load the element.
__global__ void both(const int *a, int *out)
{
    int i = threadIdx.x, x;
    if (i & 1) {
        x = a[i] * 3;
        __threadfence();
    } else {
        x = a[i] + 5;
    }
    out[i] = x;
}

// The sum is not used.
__global__ void unused(const int *a, int *out, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) sum += i * i;
    out[threadIdx.x] = a[threadIdx.x];
}

// An iteration loads what the one before has stored.
__global__ void running(int *out, int n)
{
    for (int i = 1; i < n; i++) out[i] += out[i - 1];
}

// A loop adds to an element of memory.
__global__ void sums(const int *__restrict__ a, int *__restrict__ out, int n)
{
    for (int i = 0; i < n; i++) out[threadIdx.x] += a[i];
}

// The first store is overwritten.
__global__ void twice(int *out)
{
    int i = threadIdx.x;
    out[i] = 0;
    int x = 3 * i;
    out[i] = x;
}

// A copy of a parameter is only read.
__global__ void looked_up(const Row row, int *out)
{
    Row copy = row;
    out[threadIdx.x] = copy.values[threadIdx.x % 8];
}

// One half of a word is copied.
__global__ void halves(const unsigned *a, Half *out, unsigned n)
{
    Pair pair;
    *(unsigned *)&pair = a[threadIdx.x] * n;
    out[threadIdx.x] = pair.x;
}

// Bits are rotated.
__global__ void rotated(const unsigned *a, unsigned *out)
{
    unsigned x = a[threadIdx.x];
    out[threadIdx.x] = (x << 7 | x >> 25) + (x << 18 | x >> 14);
}

}

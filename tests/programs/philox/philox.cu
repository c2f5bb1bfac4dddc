// Random numbers: Philox by counters, xorshift with Monte Carlo's pi, MRG32k3a in 64-bit arithmetic, PCG in 128 bits, a
// Sobol sequence from a table in constant memory, and integrals with normal numbers.

struct Philox {
    uint4 counter;
    uint2 key;
    __device__ static uint2 multiply(unsigned a, unsigned b) { return make_uint2(a * b, __umulhi(a, b)); }
    __device__ uint4 operator()() const
    {
        uint4 c = counter;
        uint2 k = key;
#pragma unroll
        for (int round = 0; round < 10; round++) {
            uint2 a = multiply(0xd2511f53u, c.x), b = multiply(0xcd9e8d57u, c.z);
            c = make_uint4(b.y ^ c.y ^ k.x, b.x, a.y ^ c.w ^ k.y, a.x);
            k.x += 0x9e3779b9u;
            k.y += 0xbb67ae85u;
        }
        return c;
    }
};

extern "C" __global__ void philox(uint4 *out, unsigned long long seed, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = Philox{make_uint4(i, i >> 3, ~i, 7), make_uint2((unsigned)seed, (unsigned)(seed >> 32))}();
}

__device__ unsigned xorshift(unsigned &s)
{
    s ^= s << 13;
    s ^= s >> 17;
    s ^= s << 5;
    return s;
}

extern "C" __global__ void pi(unsigned *inside, float *estimates, int tries)
{
    __shared__ unsigned count;
    if (threadIdx.x == 0)
        count = 0;
    __syncthreads();
    unsigned state = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 1, mine = 0;
    for (int k = 0; k < tries; k++) {
        float x = xorshift(state) * 0x1p-32f, y = xorshift(state) * 0x1p-32f;
        mine += __fmaf_rn(x, x, __fmul_rn(y, y)) < 1.0f;
    }
    atomicAdd(&count, mine);
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(inside, count);
        estimates[blockIdx.x] = 4.0f * count / (tries * blockDim.x);
    }
}

extern "C" __global__ void mrg32k3a(double *out, int n)
{
    const long long m1 = 4294967087ll, m2 = 4294944443ll;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long long a[3] = {i + 1, 12345, 67890}, b[3] = {999, i * 77 + 5, 31};
    for (int k = 0; k < n; k++) {
        long long p = (1403580 * a[1] - 810728 * a[0]) % m1, q = (527612 * b[2] - 1370589 * b[0]) % m2;
        p += p < 0 ? m1 : 0;
        q += q < 0 ? m2 : 0;
        a[0] = a[1], a[1] = a[2], a[2] = p;
        b[0] = b[1], b[1] = b[2], b[2] = q;
    }
    out[i] = ((a[2] - b[2] + m1) % m1) * 2.328306549295727688e-10;
}

// PCG XSL RR 128/64.
extern "C" __global__ void pcg(unsigned long long *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned __int128 s = (unsigned __int128)0x9e3779b97f4a7c15ull << 64 | i, m = (unsigned __int128)2549297995355413924ull << 64 | 4865540595714422341ull;
    for (int k = 0; k <= n; k++)
        s = s * m + ((unsigned __int128)6364136223846793005ull << 64 | 1442695040888963407ull);
    unsigned long long x = (unsigned long long)(s >> 64) ^ (unsigned long long)s;
    int r = (int)(s >> 122);
    out[i] = x >> r | x << (-r & 63);
}

// Direction numbers of the polynomial x^3 + x + 1; the table itself is made at compile time.
struct Directions {
    unsigned v[32];
    __host__ __device__ constexpr Directions() : v()
    {
        unsigned m[3] = {1, 3, 7};
        for (int k = 0; k < 32; k++)
            v[k] = k < 3 ? m[k] << (31 - k) : v[k - 2] ^ v[k - 3] ^ v[k - 3] >> 3;
    }
};
__constant__ Directions directions;

extern "C" __global__ void sobol(float *points, unsigned *raw, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        unsigned gray = i ^ i >> 1, x = 0;
        for (int k = 0; gray; k++, gray >>= 1)
            if (gray & 1)
                x ^= directions.v[k];
        raw[i] = x;
        points[i] = x * 0x1p-32f;
    }
}

// An option's price: Box and Muller, exp, a sum over the block.
extern "C" __global__ void option(float *prices, int paths)
{
    __shared__ float sums[64];
    unsigned state = threadIdx.x * 747796405u + blockIdx.x * 2891336453u + 1;
    float sum = 0;
    for (int k = 0; k < paths; k++) {
        float u = (xorshift(state) >> 8) * 0x1p-24f + 0x1p-25f, v = (xorshift(state) >> 8) * 0x1p-24f, s, c;
        float radius = sqrtf(-2.0f * logf(u));
        sincospif(2.0f * v, &s, &c);
        sum += fmaxf(100.0f * expf(0.2f * radius * c - 0.02f) - 105.0f, 0.0f);
        sum += fmaxf(100.0f * expf(0.2f * radius * s - 0.02f) - 105.0f, 0.0f);
    }
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int d = 32; d > 0; d /= 2) {
        if (threadIdx.x < d)
            sums[threadIdx.x] += sums[threadIdx.x + d];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        prices[blockIdx.x] = sums[0] / (128 * paths);
}

// Prices by a binomial tree: each thread keeps a stretch of the last row in registers and hands its first value to its
// neighbour in shared memory, step by step; and by points of a sequence without gaps, made with Gray codes.
#define THREADS 64
#define EACH 4
#define STEPS (THREADS * EACH)

struct Option {
    float spot, strike, spread, up, down; // of a step: half the logarithm's width, discounted chances
};

__constant__ Option options[16];
__device__ float prices[16];

extern "C" __global__ void tree()
{
    __shared__ float first[THREADS + 1];
    const Option option = options[blockIdx.x];
    float call[EACH + 1];
    int t = threadIdx.x;
#pragma unroll
    for (int i = 0; i < EACH; i++)
        call[i] = fmaxf(option.spot + option.spread * (2 * (t * EACH + i) - STEPS) - option.strike, 0.0f);
    if (t == 0)
        first[THREADS] = fmaxf(option.spot + option.spread * STEPS - option.strike, 0.0f);
    for (int left = STEPS; left > 0; left--) {
        first[t] = call[0];
        __syncthreads();
        call[EACH] = first[t + 1];
        __syncthreads();
        // Those beyond the row's end have nothing left to do.
        if (left > t * EACH - 1) {
#pragma unroll
            for (int i = 0; i < EACH; i++)
                call[i] = option.up * call[i + 1] + option.down * call[i];
        }
    }
    if (t == 0)
        prices[blockIdx.x] = call[0];
}

// Points of one dimension a row of blocks; `directions` has 32 words for each.
extern "C" __global__ void sequence(const unsigned *directions, float *points, unsigned count)
{
    __shared__ unsigned v[32];
    if (threadIdx.x < 32)
        v[threadIdx.x] = directions[blockIdx.y * 32 + threadIdx.x];
    __syncthreads();
    unsigned first = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
    unsigned code = first ^ first >> 1, x = 0;
    for (int k = 0; k < __ffs(stride) - 1; k++)
        x ^= -(code >> k & 1) & v[k];
    float *mine = points + blockIdx.y * count;
    unsigned always = v[__ffs(stride) - 2];
    for (unsigned i = first; i < count; i += stride) {
        mine[i] = x * 2.3283064e-10f;
        // The numbers up to the next one differ in two bits of their Gray codes.
        x ^= always ^ v[__ffs(~(i | (stride - 1))) - 1];
    }
}

// How far each point's value lies on the normal distribution, near its middle by a quotient of polynomials.
extern "C" __global__ void middle(const float *points, float *values, int count)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) {
        float y = points[i] - 0.5f, z = y * y;
        float above = ((-25.44106f * z + 41.391197f) * z - 18.615f) * z + 2.5066282f;
        float below = (((3.1308291f * z - 21.06224f) * z + 23.083367f) * z - 8.473511f) * z + 1.0f;
        values[i] = __fdiv_rn(y * above, below);
    }
}

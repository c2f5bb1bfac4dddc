// Kernels of neural networks: softmax by warps and as one pass, layer normalisation by Welford's sums, GELU and others
// with vectors, a convolution layer as a product, max pooling with places, cross entropy, Adam, attention with online
// softmax over tiles, top k, and embedding with scattered sums.

__device__ float lowest() { return __int_as_float(0xff800000); }

struct Moments {
    float mean, m2, count;
};

__device__ Moments merge(Moments a, Moments b)
{
    float n = a.count + b.count, d = b.mean - a.mean, part = n > 0 ? b.count / n : 0;
    return {a.mean + d * part, a.m2 + b.m2 + d * d * a.count * part, n};
}

extern "C" __global__ void layer_norm(const float *in, const float *scale, float *out, int n)
{
    Moments m = {0, 0, 0};
    const float *row = in + blockIdx.x * n;
    for (int k = threadIdx.x; k < n; k += 32) {
        m.count += 1;
        float d = row[k] - m.mean;
        m.mean += d / m.count;
        m.m2 += d * (row[k] - m.mean);
    }
    for (int d = 16; d > 0; d >>= 1)
        m = merge(m, {__shfl_xor_sync(~0u, m.mean, d), __shfl_xor_sync(~0u, m.m2, d), __shfl_xor_sync(~0u, m.count, d)});
    float inverse = rsqrtf(m.m2 / n + 1e-5f);
    for (int k = threadIdx.x; k < n; k += 32)
        out[blockIdx.x * n + k] = (row[k] - m.mean) * inverse * scale[k];
}

template <typename T, typename F> __device__ T over_block(T v, F f)
{
    __shared__ T parts[32];
    int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
    for (int d = 16; d > 0; d >>= 1)
        v = f(v, __shfl_down_sync(~0u, v, d));
    __syncthreads();
    if (lane == 0)
        parts[warp] = v;
    __syncthreads();
    v = parts[0];
    for (int w = 1; w < warps; w++)
        v = f(v, parts[w]);
    return v;
}

extern "C" __global__ void softmax(const float *in, float *out, float *losses, const int *labels, int n)
{
    const float *row = in + blockIdx.x * n;
    float most = lowest(), sum = 0;
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        most = fmaxf(most, row[k]);
    most = over_block(most, [](float a, float b) { return fmaxf(a, b); });
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        sum += expf(row[k] - most);
    sum = over_block(sum, [](float a, float b) { return a + b; });
    for (int k = threadIdx.x; k < n; k += blockDim.x)
        out[blockIdx.x * n + k] = expf(row[k] - most) / sum;
    if (threadIdx.x == 0)
        losses[blockIdx.x] = logf(sum) + most - row[labels[blockIdx.x] % n];
}

extern "C" __global__ void activations(const float4 *in, float4 *out, int fours)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= fours)
        return;
    float4 v = in[i];
    auto gelu = [](float x) { return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x))); };
    out[i] = make_float4(gelu(v.x), v.y / (1 + expf(-v.y)), v.z > 0 ? v.z : expm1f(v.z), 0.5f * v.w * (1 + erff(v.w * 0.70710678f)));
}

// One head: a warp a query; keys and values pass in tiles of 32 through shared memory.
template <int Width> __device__ void attend(const float *q, const float *k, const float *v, float *out, int n, bool causal)
{
    __shared__ float keys[32][Width + 1], values[32][Width];
    int lane = threadIdx.x, query = blockIdx.x * blockDim.y + threadIdx.y;
    float most = lowest(), sum = 0, result = 0;
    for (int base = 0; base < n; base += 32) {
        for (int i = threadIdx.y * 32 + lane; i < 32 * Width; i += 32 * blockDim.y) {
            int row = base + i / Width;
            keys[i / Width][i % Width] = row < n ? k[row * Width + i % Width] : 0;
            values[i / Width][i % Width] = row < n ? v[row * Width + i % Width] : 0;
        }
        __syncthreads();
        float score = 0;
        for (int c = 0; c < Width; c++)
            score = fmaf(q[query * Width + c], keys[lane][c], score);
        score = base + lane < n && (!causal || base + lane <= query) ? score * rsqrtf(Width) : lowest();
        float here = score;
        for (int d = 16; d > 0; d >>= 1)
            here = fmaxf(here, __shfl_xor_sync(~0u, here, d));
        float now = fmaxf(most, here), old = expf(most - now), weight = expf(score - now);
        sum *= old;
        result *= old;
        for (int j = 0; j < 32; j++) {
            float w = __shfl_sync(~0u, weight, j);
            sum += w;
            if (lane < Width)
                result += w * values[j][lane];
        }
        most = now;
        __syncthreads();
    }
    if (lane < Width)
        out[query * Width + lane] = result / sum;
}

extern "C" __global__ void attention(const float *q, const float *k, const float *v, float *out, int n) { attend<16>(q, k, v, out, n, false); }
extern "C" __global__ void causal(const float *q, const float *k, const float *v, float *out, int n) { attend<8>(q, k, v, out, n, true); }

// Three by three, several channels; weights are in shared memory.
extern "C" __global__ void layer(const float *in, const float *weights, float *out, int size, int channels)
{
    extern __shared__ float kept[];
    int each = channels * 9, x = threadIdx.x, y = threadIdx.y, o = blockIdx.x;
    for (int i = y * blockDim.x + x; i < each; i += blockDim.x * blockDim.y)
        kept[i] = weights[o * each + i];
    __syncthreads();
    float sum = 0;
    for (int c = 0; c < channels; c++)
#pragma unroll
        for (int j = 0; j < 3; j++)
#pragma unroll
            for (int i = 0; i < 3; i++)
                sum = fmaf(in[(c * (size + 2) + y + j) * (size + 2) + x + i], kept[c * 9 + j * 3 + i], sum);
    out[(o * size + y) * size + x] = fmaxf(sum, 0.1f * sum);
}

extern "C" __global__ void pool(const float *in, float *out, unsigned char *places, int size)
{
    int x = threadIdx.x, y = threadIdx.y, half = size / 2;
    const float *corner = in + (blockIdx.x * size + 2 * y) * size + 2 * x;
    float best = corner[0];
    int place = 0;
    for (int k = 1; k < 4; k++) {
        float v = corner[k / 2 * size + k % 2];
        if (v > best)
            best = v, place = k;
    }
    out[(blockIdx.x * half + y) * half + x] = best;
    places[(blockIdx.x * half + y) * half + x] = place;
}

extern "C" __global__ void adam(float *weights, const float *slopes, float2 *state, float rate, int step, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float g = slopes[i];
    float2 s = state[i];
    s.x = 0.9f * s.x + 0.1f * g;
    s.y = 0.999f * s.y + 0.001f * g * g;
    state[i] = s;
    weights[i] -= rate * (s.x / (1 - powf(0.9f, step))) / (sqrtf(s.y / (1 - powf(0.999f, step))) + 1e-8f);
}

// The four greatest of a warp's values, one after the other, with their places.
extern "C" __global__ void top(const float *in, float *best, int *places)
{
    unsigned long long mine = (unsigned long long)__float_as_uint(in[blockIdx.x * 32 + threadIdx.x] + 8) << 32 | (31 - threadIdx.x);
    for (int k = 0; k < 4; k++) {
        unsigned long long most = mine;
        for (int d = 16; d > 0; d >>= 1) {
            unsigned long long other = __shfl_xor_sync(~0u, most, d);
            most = other > most ? other : most;
        }
        if (most == mine) {
            best[blockIdx.x * 4 + k] = __uint_as_float((unsigned)(most >> 32)) - 8;
            places[blockIdx.x * 4 + k] = threadIdx.x;
            mine = 0;
        }
    }
}

// Let all lanes read the same coefficient.
//
// The samples of four channels of sound are interleaved: sample `i` belongs to channel
// `i % 4`, and n is a multiple of 4. Each channel has its own filter, a set of eight
// coefficients in constant memory. A block has 128 threads and computes 512 consecutive
// samples of `out`, four a thread. At present, neighbouring lanes compute neighbouring
// samples, so that a warp reads from four sets at a time.
//
// Find another assignment of samples to threads, such that all lanes of a warp read the
// same coefficient at the same time. The coefficients stay in constant memory, and a
// warp takes no more requests and no more sectors of global memory than now: 5 sectors
// for 32 floats, on average. `in` and `out` begin at multiples of 16 bytes.

#define CHANNELS 4
#define TAPS 8

//<
__constant__ float coef[CHANNELS][TAPS];
//| in global memory
__device__ float coef[CHANNELS][TAPS];
//>

__global__ void mix(const float *in, float *out, int n)
{
    //<
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int k = 0; k < TAPS; k++) {
        float4 x = *(const float4 *)(in + i + CHANNELS * k);
        sum.x += coef[0][k] * x.x;
        sum.y += coef[1][k] * x.y;
        sum.z += coef[2][k] * x.z;
        sum.w += coef[3][k] * x.w;
    }
    *(float4 *)(out + i) = sum;
    //| skeleton
    for (int j = 0; j < 4; j++) {
        int i = (4 * blockIdx.x + j) * blockDim.x + threadIdx.x;
        if (i >= n) return;
        int channel = i % CHANNELS;
        float sum = 0.0f;
        for (int k = 0; k < TAPS; k++) {
            sum += coef[channel][k] * in[i + CHANNELS * k];
        }
        out[i] = sum;
    }
    //| a channel for each warp
    for (int j = 0; j < 4; j++) {
        int channel = threadIdx.x / 32;
        int first = (4 * blockIdx.x + j) * blockDim.x;
        int i = first + CHANNELS * (threadIdx.x % 32) + channel;
        if (i >= n) return;
        float sum = 0.0f;
        for (int k = 0; k < TAPS; k++) {
            sum += coef[channel][k] * in[i + CHANNELS * k];
        }
        out[i] = sum;
    }
    //| a loop for each channel
    for (int j = 0; j < 4; j++) {
        int i = (4 * blockIdx.x + j) * blockDim.x + threadIdx.x;
        if (i >= n) return;
        float sum = 0.0f;
        for (int c = 0; c < CHANNELS; c++) {
            if (c != i % CHANNELS) continue;
            for (int k = 0; k < TAPS; k++) sum += coef[c][k] * in[i + CHANNELS * k];
        }
        out[i] = sum;
    }
    //| sample by sample
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    for (int c = 0; c < CHANNELS; c++) {
        float sum = 0.0f;
        for (int k = 0; k < TAPS; k++) {
            sum += coef[c][k] * in[i + CHANNELS * k + c];
        }
        out[i + c] = sum;
    }
    //| one channel for all
    int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= n) return;
    float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    for (int k = 0; k < TAPS; k++) {
        float4 x = *(const float4 *)(in + i + CHANNELS * k);
        sum.x += coef[0][k] * x.x;
        sum.y += coef[0][k] * x.y;
        sum.z += coef[0][k] * x.z;
        sum.w += coef[0][k] * x.w;
    }
    *(float4 *)(out + i) = sum;
    //>
}

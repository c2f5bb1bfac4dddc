// Give each warp one set of coefficients.
//
// The samples of four channels of sound are interleaved: sample `i` belongs to channel
// `i % 4`. Each channel has a filter of its own, a set of eight coefficients in
// constant memory. As it stands, thread i computes sample i, so that a warp reads from
// four sets at a time.
//
// Find another assignment of samples to threads, such that all lanes of a warp read the
// same coefficient. A block has 128 threads and computes 128 consecutive samples of
// `out`, but which thread computes which of them is up to you. The coefficients stay in
// constant memory, and a warp makes no more requests of global memory than now.

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
    int channel = threadIdx.x / 32;
    int i = blockIdx.x * blockDim.x + CHANNELS * (threadIdx.x % 32) + channel;
    //| skeleton
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int channel = i % CHANNELS;
    //| a loop for each channel
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int channel = i % CHANNELS;
    //| the channel of the warp for all
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int channel = threadIdx.x / 32;
    //| sixteen lanes each
    int channel = threadIdx.x / 16 % CHANNELS;
    int first = blockIdx.x * blockDim.x + 64 * (threadIdx.x / 64);
    int i = first + CHANNELS * (threadIdx.x % 16) + channel;
    //>
    if (i >= n) return;
    float sum = 0.0f;
    //<
    for (int k = 0; k < TAPS; k++) {
        sum += coef[channel][k] * in[i + CHANNELS * k];
    }
    //| a loop for each channel
    for (int c = 0; c < CHANNELS; c++) {
        if (c != channel) continue;
        for (int k = 0; k < TAPS; k++) sum += coef[c][k] * in[i + CHANNELS * k];
    }
    //>
    out[i] = sum;
}

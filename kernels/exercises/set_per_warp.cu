// Give each warp one set of coefficients.
//
// Four sounds are played at once: element i belongs to sound i % 4, and each sound has a filter of its own, a set of
// eight coefficients in constant memory. As it stands, thread i computes element i, so that a warp reads from four sets
// at a time.
//
// Find another assignment of elements to threads, such that all lanes of a warp read the same coefficient. A block has
// 128 threads and computes 128 consecutive elements of `out`, but which thread computes which of them is up to you.

#define SOUNDS 4
#define TAPS 8

__constant__ float coef[SOUNDS][TAPS];

__global__ void mix(const float *in, float *out, int n)
{
    //<
    int sound = threadIdx.x / 32;
    int i = blockIdx.x * blockDim.x + SOUNDS * (threadIdx.x % 32) + sound;
    //| skeleton
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sound = i % SOUNDS;
    //| the sound of the warp for all
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int sound = threadIdx.x / 32;
    //| sixteen lanes each
    int sound = threadIdx.x / 16 % SOUNDS;
    int i = blockIdx.x * blockDim.x + 64 * (threadIdx.x / 64) + SOUNDS * (threadIdx.x % 16) + sound;
    //>
    if (i >= n) return;
    float sum = 0.0f;
    for (int k = 0; k < TAPS; k++) {
        sum += coef[sound][k] * in[i + SOUNDS * k];
    }
    out[i] = sum;
}

// The case of the array in the wrong memory.
//
// A thread takes eight neighbouring samples to an array, smooths them, and multiplies
// the first `taps` of them by coefficients in constant memory; `taps` is 1 to 8. Eight
// floats fit into registers. The report says that the array is not there.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark.

#define TAPS 8

__constant__ float tap[TAPS];

__global__ void filter(const float *in, float *out, int taps, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float window[TAPS], sum = 0.0f;
    for (int k = 0; k < TAPS; k++) window[k] = in[i + k];
    for (int k = 1; k < TAPS; k++) window[k] = 0.5f * (window[k] + window[k - 1]);
    //<
    for (int k = 0; k < TAPS; k++) { // cause
        if (k < taps) sum += tap[k] * window[k];
    }
    //| skeleton
    for (int k = 0; k < taps; k++) {
        sum += tap[k] * window[k];
    }
    //| all eight
    for (int k = 0; k < TAPS; k++) { // cause
        sum += tap[k] * window[k];
    }
    //| the sum is marked
    for (int k = 0; k < TAPS; k++) {
        if (k < taps) sum += tap[k] * window[k];
    }
    //| in shared memory
    __shared__ float own[128][TAPS + 1];
    for (int k = 0; k < TAPS; k++) own[threadIdx.x][k] = window[k];
    for (int k = 0; k < taps; k++) { // cause
        sum += tap[k] * own[threadIdx.x][k];
    }
    //>
    //<
    out[i] = sum;
    //| the sum is marked
    out[i] = sum; // cause
    //>
}

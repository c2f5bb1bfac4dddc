// Take a table part by part.
//
// A filter has more taps than its constant array has room for. The host copies one part
// after the other to `part`, and launches the kernel after each copy. It passes the
// number of the first tap that is in `part`, and how many taps it holds. The last part
// may be shorter than the array; after it come taps of an earlier part. `out` is 0 at
// the start. At present, the kernel assumes that the part is the whole table.
//
// Change the kernel so that `out` has the sums over all taps after the last launch.

#define PART 64

__constant__ float part[PART];

// out[i] is the sum of tap[k] * in[i + k] over all k.
__global__ void filter(const float *in, float *out, int first, int count, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    //<
    for (int k = 0; k < count; k++) {
        sum += part[k] * in[i + first + k];
    }
    out[i] += sum;
    //| skeleton
    for (int k = 0; k < PART; k++) {
        sum += part[k] * in[i + k];
    }
    out[i] = sum;
    //| all of the array
    for (int k = 0; k < PART; k++) {
        sum += part[k] * in[i + first + k];
    }
    out[i] += sum;
    //| the number in the table
    for (int k = first; k < first + count; k++) {
        sum += part[k] * in[i + k];
    }
    out[i] += sum;
    //| the last part alone
    for (int k = 0; k < count; k++) {
        sum += part[k] * in[i + first + k];
    }
    out[i] = sum;
    //>
}

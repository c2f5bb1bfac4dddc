// The case of the two tables.
//
// The kernel shifts each of n samples by one of 16 numbers, which the host copies to
// the constant `shift` before the launch. On the author's GPU, all samples came out
// unshifted, without an error.
//
// Read the report: which line is the cause? Write `// cause` at the end of that line,
// mend it, and leave the mark.

__constant__ float shift[16];
__constant__ float shift_of_channel[16];

__global__ void apply(const float *in, float *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int channel = i % 16;
    float sample = in[i];
    //<
    float by = shift[channel]; // cause
    //| skeleton
    float by = shift_of_channel[channel];
    //| the sum is marked
    float by = shift_of_channel[channel];
    //| the wrong channel
    float by = shift[channel / 16]; // cause
    //>
    //<
    out[i] = sample + by;
    //| the sum is marked
    out[i] = sample + by; // cause
    //>
}

// A filter whose parameters promise that they are different memory, launched with one buffer for both.
extern "C" __global__ void smooth(const float *__restrict__ in, float *__restrict__ out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1) {
        float sum = in[i - 1] + in[i] + in[i + 1]; // fault
        out[i] = sum / 3; // fault
    }
}

// Sums 256 values into one: threads read the sum, and write what they make of it, with nothing between the two.
extern "C" __global__ void sum(const float *in, float *total)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    *total += in[i]; // fault
}

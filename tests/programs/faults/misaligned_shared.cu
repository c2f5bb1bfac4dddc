// A record of 12 bytes begins with a double: thread 1's lies on a multiple of 4 alone.
extern "C" __global__ void records(const double *in, double *out)
{
    __shared__ __align__(8) unsigned char bytes[12 * 32];
    double *mine = (double *)(bytes + 12 * threadIdx.x);
    *mine = in[threadIdx.x]; // fault
    __syncthreads();
    out[threadIdx.x] = *(double *)(bytes + 12 * (threadIdx.x ^ 2));
}

// An assertion that fails for one thread.
#include <cassert>

extern "C" __global__ void roots(const float *in, float *out)
{
    float v = in[threadIdx.x];
    assert(v != 17.0f); // fault
    out[threadIdx.x] = sqrtf(v);
}

__device__ float twice(float x) { return 2.0f * x; }

__global__ void apply(float *data, int which)
{
    float (*function)(float) = which ? twice : nullptr;
    data[threadIdx.x] = function(data[threadIdx.x]);
}

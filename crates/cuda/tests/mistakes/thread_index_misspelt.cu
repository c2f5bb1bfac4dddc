__global__ void copy(float *to, const float *from)
{
    int i = threadidx.x + blockIdx.x * blockDim.x;
    to[i] = from[i];
}

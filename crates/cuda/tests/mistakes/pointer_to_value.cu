__global__ void copy(float *to, const float *from)
{
    to = from[threadIdx.x];
    to[threadIdx.x] = from;
}

__global__ void copy(float *to, const float *from)
{
    int i = threadIdx;
    to[i] = from[threadIdx];
}

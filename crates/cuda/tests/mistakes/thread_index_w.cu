__global__ void copy(float *to, const float *from)
{
    int i = threadIdx.i;
    to[i] = from[i];
}

using real = float
__device__ real half = 0.5f;
const int count = 32,
__global__ void k(float *out)
{
    int last 31;
    float a = out[0], float b = fmaxf(out[1], half);
    out[last] = a + b * count;
}

extern "C" __global__ void darts(int *hits, int rounds)
{
    unsigned s = (blockIdx.x * blockDim.x + threadIdx.x) * 2654435761u + 12345u;
    int in = 0;
    for (int i = 0; i < rounds; i++) {
        s = s * 1664525u + 1013904223u;
        float x = (s >> 8) * (1.0f / 16777216);
        s = s * 1664525u + 1013904223u;
        float y = (s >> 8) * (1.0f / 16777216);
        if (x * x + y * y < 1)
            in++;
    }
    atomicAdd(&hits[blockIdx.x], in);
}
extern "C" __global__ void walks(float *out, int rounds)
{
    int id = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned s = id ^ 61u;
    float at = 0;
    for (int i = 0; i < rounds; i++) {
        s ^= s << 13;
        s ^= s >> 17;
        s ^= s << 5;
        if (s & 1)
            at += 1;
        else
            at -= 1;
        if (at > 5)
            break;
    }
    out[id] = at;
}

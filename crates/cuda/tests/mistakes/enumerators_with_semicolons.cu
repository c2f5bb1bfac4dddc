enum Mode { ADD; SUBTRACT; };
__global__ void k(float *out, Mode mode)
{
    if (mode == SUBTRACT) out[0] = -out[0];
}

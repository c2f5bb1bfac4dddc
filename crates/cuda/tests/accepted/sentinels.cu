// The largest unsigned number stands for none.
__global__ void find(const unsigned *ids, size_t *out, unsigned char *kinds)
{
    unsigned id = ids[threadIdx.x];
    if (id == -1) out[0] = 0;
    if (id != ~0x0) out[1] = id;
    if (out[2] == -1) out[2] = 0;
}

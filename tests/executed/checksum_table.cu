__constant__ unsigned table[256];
extern "C" __global__ void crc(const unsigned char *in, unsigned *out, int n)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned c = 0xffffffff;
    for (int i = 0; i < n; i++)
        c = table[(c ^ in[t * n + i]) & 255] ^ c >> 8;
    out[t] = ~c;
}

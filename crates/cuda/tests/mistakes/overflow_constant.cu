__global__ void big(long long *out)
{
    int million = 1000000 * 1000000;
    unsigned char small = 300;
    int big = 3000000000;
    out[0] = million + small + big;
}

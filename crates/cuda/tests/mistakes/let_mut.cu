__global__ void k(float *out)
{
    let mut x = 1.0;
    x += out[0];
    out[0] = x;
}

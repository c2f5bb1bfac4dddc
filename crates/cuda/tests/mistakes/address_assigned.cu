__global__ void k(float *out, int row)
{
    (out + row) = 1.0f;
    &out[row] = 2.0f;
}

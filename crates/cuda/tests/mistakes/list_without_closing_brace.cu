__global__ void rows(float *out)
{
    int rows[2][2] = {{1, 2}, {3, 4};
    out[0] = rows[1][0];
}

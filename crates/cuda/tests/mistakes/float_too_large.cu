__global__ void scale(float *data, double *wide)
{
    data[0] = 1e50f;
    data[1] = 1e-60f;
    data[2] = 1e50;
    data[3] = 0e500f;
    wide[0] = 1e400;
    int count = 3e9f;
    data[4] = count;
}

__device__ float[3] cross(float a[3], float b[3])
{
    float c[3];
    c[0] = a[1] * b[2] - a[2] * b[1];
    return c;
}

__global__ void find(float *a, float *end, int n)
{
    for (float *p = a; p < n; p++)
        if (p == 3.0f) *p = 0;
    if (a > 0 && end != n) *end = a;
}

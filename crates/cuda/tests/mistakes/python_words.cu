__global__ void scale(float *a, int n)
{
    int i = threadIdx.x;
    bool found = False;
    float *p = None;
    var x = a[i];
    if (not found and i < n) a[i] = x;
    elif (i == n) a[i] = 0;
}

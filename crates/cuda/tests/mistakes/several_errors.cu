__global__ void work(float *data, int n)
{
    int i = threadIdx.x
    float x = dta[i];
    if (i < n {
        data[i] = x +;
    }
    else
        data[i] = undefined_function(x);
}

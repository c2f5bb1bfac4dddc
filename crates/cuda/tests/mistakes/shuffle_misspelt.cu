__global__ void k(float *x)
{
    x[threadIdx.x] = __shufl_down_sync(0xffffffff, x[threadIdx.x], 1);
    x[threadIdx.x] += cospif(make_flaot2(1.0f, 2.0f).x);
}

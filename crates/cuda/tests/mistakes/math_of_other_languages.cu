__global__ void roots(float *a)
{
    int i = threadIdx.x;
    a[i] = Math.sqrt(a[i]) + math::sin(a[i]) + a[i].sqrt();
    a[i] = sqr(a[i]) + ln(a[i]) + M_PI + PI;
}

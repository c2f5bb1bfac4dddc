__global__ void k(float *a, int n)
{
    int i = threadIdx.x;
    if (i === n) a[i] = 1.0f;
}
// ANCHOR: errors
error: C has no `===`
 --> equal_three.cu:4:11
  |
4 |     if (i === n) a[i] = 1.0f;
  |           ^^^
  |
help: write `==`

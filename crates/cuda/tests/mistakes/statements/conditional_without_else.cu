__global__ void clip(float *a, float most)
{
    int i = threadIdx.x;
    a[i] = a[i] > most ? most;
}
// ANCHOR: errors
error: expected `:` and the value for a false condition, found `;`
 --> conditional_without_else.cu:4:30
  |
4 |     a[i] = a[i] > most ? most;
  |                        -     ^
  |                        |
  |                        to match this `?`

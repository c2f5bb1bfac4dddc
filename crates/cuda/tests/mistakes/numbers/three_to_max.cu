__global__ void largest(float *a)
{
    int i = threadIdx.x;
    a[i] = max(a[i], a[i + 1], a[i + 2]);
    a[i] = fmax(a[i]);
}
// ANCHOR: errors
error: no matching function for call to `max`: it takes 2 arguments, not 3
 --> three_to_max.cu:4:12
  |
4 |     a[i] = max(a[i], a[i + 1], a[i + 2]);
  |            ^^^

error: no matching function for call to `fmax`: it takes 2 arguments, not 1
 --> three_to_max.cu:5:12
  |
5 |     a[i] = fmax(a[i]);
  |            ^^^^

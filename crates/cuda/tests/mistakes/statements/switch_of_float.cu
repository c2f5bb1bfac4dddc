__global__ void choose(float *a)
{
    switch (a[threadIdx.x]) {
    case 1.0: a[threadIdx.x] = 2; break;
    default: break;
    }
}
// ANCHOR: errors
error: `switch` requires an integer, not `float`
 --> switch_of_float.cu:3:13
  |
3 |     switch (a[threadIdx.x]) {
  |             ^^^^^^^^^^^^^^
  |
help: use `if` and `else if`

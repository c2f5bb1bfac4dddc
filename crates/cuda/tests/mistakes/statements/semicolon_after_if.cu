__global__ void fill(int *data, int n)
{
    int i = threadIdx.x;
    if (i < n);
        data[i] = 1;
}
// ANCHOR: warnings
warning[empty-body]: this `;` is all that the `if` decides about
 --> semicolon_after_if.cu:4:15
  |
4 |     if (i < n);
  |               ^
  |
help: remove the `;`

__global__ void fill(int *data, int n)
{
    int i = threadIdx.x;
    if (i < n);
        data[i] = 1;
}
// ANCHOR: warnings
warning[empty-body]: `if` statement has an empty body: this `;`
 --> semicolon_after_if.cu:4:15
  |
4 |     if (i < n);
  |               ^
  |
help: remove the `;`

__global__ void clear(float *data, int n)
{
    for (int i = 0, i < n, ++i)
        data[i] = 0.0f;
}
// ANCHOR: errors
error: expected `;` after the first part of `for`, found `<`
 --> for_with_commas.cu:3:22
  |
3 |     for (int i = 0, i < n, ++i)
  |                      ^ write `;` here
  |
help: `for` is written `for (start; condition; step)`

__global__ void half(float *data, int n)
{
    int i = threadIdx.x;
    data[i] = 1 / 2 * data[i];
    data[i] = data[i] + 1 / n;
}
// ANCHOR: warnings
warning[integer-division]: this is 0: integer division discards the fraction
 --> integer_division.cu:4:15
  |
4 |     data[i] = 1 / 2 * data[i];
  |               ^^^^^
  |
help: write floating-point numbers with a point: `1.0f / 2.0f`

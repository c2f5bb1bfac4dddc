__global__ void half(float *data, int n)
{
    int i = threadIdx.x;
    data[i] = 1 / 2 * data[i];
    data[i] = data[i] + 1 / n;
}
// ANCHOR: warnings
warning[integer-division]: this is 0: integers are divided without a fraction
 --> integer_division.cu:4:15
  |
4 |     data[i] = 1 / 2 * data[i];
  |               ^^^^^
  |
help: write a point for floating-point numbers: `1.0f / 2.0f`

__global__ void half_of(float *data, int n)
{
    float middle = n / 2;
    data[middle] = 0.0f;
}
// ANCHOR: errors
error: an index must be an integer, not `float`
 --> float_index.cu:4:10
  |
4 |     data[middle] = 0.0f;
  |          ^^^^^^
  |
help: write `(int)` before it

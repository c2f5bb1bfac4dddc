__global__ void k(float *out)
{
    float float sum = 0;
    sum += out[0];
    out[0] = sum;
}
// ANCHOR: errors
error: these words cannot be combined into a type
 --> type_twice.cu:3:5
  |
3 |     float float sum = 0;
  |     ^^^^^^^^^^^
  |
help: remove one of them

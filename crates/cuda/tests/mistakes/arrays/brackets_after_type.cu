__global__ void k(float *a)
{
    float[4] c;
    c[0] = a[0];
    a[1] = c[0];
}
// ANCHOR: errors
error: the brackets of an array stand behind its name
 --> brackets_after_type.cu:3:10
  |
3 |     float[4] c;
  |          ^^^
  |
help: write `float c[…]`

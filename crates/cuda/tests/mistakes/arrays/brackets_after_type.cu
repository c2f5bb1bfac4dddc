__global__ void k(float *a)
{
    float[4] c;
    c[0] = a[0];
    a[1] = c[0];
}
// ANCHOR: errors
error: brackets are not allowed here: to declare an array, place them after the name
 --> brackets_after_type.cu:3:10
  |
3 |     float[4] c;
  |          ^^^
  |
help: write `float c[…]`

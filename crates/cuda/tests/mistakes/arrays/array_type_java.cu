__global__ void k(float *a, int n)
{
    float[] w = {0.25f, 0.5f, 0.25f};
    a[0] = w[n];
}
// ANCHOR: errors
error: the brackets of an array stand behind its name
 --> array_type_java.cu:3:10
  |
3 |     float[] w = {0.25f, 0.5f, 0.25f};
  |          ^^
  |
help: write `float w[]`

__global__ void k(float *a, int n)
{
    float[] w = {0.25f, 0.5f, 0.25f};
    a[0] = w[n];
}
// ANCHOR: errors
error: brackets are not allowed here: to declare an array, place them after the name
 --> array_type_java.cu:3:10
  |
3 |     float[] w = {0.25f, 0.5f, 0.25f};
  |          ^^
  |
help: write `float w[]`

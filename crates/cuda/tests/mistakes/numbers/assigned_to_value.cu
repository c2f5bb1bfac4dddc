__global__ void scale(float *a, int n)
{
    int i = threadIdx.x;
    i + 1 = n;
    5 = i;
    fabsf(a[i]) = 3;
    a[i] = i;
}
// ANCHOR: errors
error: this is a value, not a variable: nothing can be stored in it
 --> assigned_to_value.cu:4:5
  |
4 |     i + 1 = n;
  |     ^^^^^

error: this is a value, not a variable: nothing can be stored in it
 --> assigned_to_value.cu:5:5
  |
5 |     5 = i;
  |     ^

error: this is a value, not a variable: nothing can be stored in it
 --> assigned_to_value.cu:6:5
  |
6 |     fabsf(a[i]) = 3;
  |     ^^^^^^^^^^^

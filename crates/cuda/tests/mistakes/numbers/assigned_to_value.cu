__global__ void scale(float *a, int n)
{
    int i = threadIdx.x;
    i + 1 = n;
    5 = i;
    fabsf(a[i]) = 3;
    a[i] = i;
}
// ANCHOR: errors
error: expression is not assignable: it is a value, not a variable
 --> assigned_to_value.cu:4:5
  |
4 |     i + 1 = n;
  |     ^^^^^

error: expression is not assignable: it is a value, not a variable
 --> assigned_to_value.cu:5:5
  |
5 |     5 = i;
  |     ^

error: expression is not assignable: it is a value, not a variable
 --> assigned_to_value.cu:6:5
  |
6 |     fabsf(a[i]) = 3;
  |     ^^^^^^^^^^^

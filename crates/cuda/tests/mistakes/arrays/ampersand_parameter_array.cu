__global__ void k(float &a[], int n)
{
    a[0] = n;
}
// ANCHOR: errors
error: an array cannot have elements of type `float &`
 --> ampersand_parameter_array.cu:1:27
  |
1 | __global__ void k(float &a[], int n)
  |                           ^^
  |
help: an array is passed as a pointer to its first element: write `float *`

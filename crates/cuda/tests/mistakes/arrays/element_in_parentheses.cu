__global__ void scale(float *data, int n)
{
    float local[4];
    int i = threadIdx.x;
    local(0) = data(i);
    data[i] = local[0];
}
// ANCHOR: errors
error: called object of type `float[4]` is not a function
 --> element_in_parentheses.cu:5:5
  |
5 |     local(0) = data(i);
  |     ^^^^^^^^
  |
help: an element is written with brackets: `local[…]`

error: called object of type `float *` is not a function
 --> element_in_parentheses.cu:5:16
  |
5 |     local(0) = data(i);
  |                ^^^^^^^
  |
help: an element is written with brackets: `data[…]`

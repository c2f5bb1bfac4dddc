__global__ void k(float *out, int row)
{
    (out + row) = 1.0f;
    &out[row] = 2.0f;
}
// ANCHOR: errors
error: expression is not assignable: it is a value, not a variable
 --> address_assigned.cu:3:6
  |
3 |     (out + row) = 1.0f;
  |      ^^^^^^^^^
  |
help: this is an address: write `*` before it to store there

error: expression is not assignable: it is a value, not a variable
 --> address_assigned.cu:4:5
  |
4 |     &out[row] = 2.0f;
  |     ^^^^^^^^^
  |
help: `&` takes the address: remove it to store there

__global__ void k(float *out, int row)
{
    (out + row) = 1.0f;
    &out[row] = 2.0f;
}
// ANCHOR: errors
error: this is a value, not a variable: nothing can be stored in it
 --> address_assigned.cu:3:6
  |
3 |     (out + row) = 1.0f;
  |      ^^^^^^^^^
  |
help: this is an address: write `*` before it to store there

error: this is a value, not a variable: nothing can be stored in it
 --> address_assigned.cu:4:5
  |
4 |     &out[row] = 2.0f;
  |     ^^^^^^^^^
  |
help: `&` makes an address: leave it out to store there

__global__ void copy(float *to, const float *from)
{
    to = from[threadIdx.x];
    to[threadIdx.x] = from;
}
// ANCHOR: errors
error: cannot convert `const float` to `float *`
 --> pointer_to_value.cu:3:10
  |
3 |     to = from[threadIdx.x];
  |          ^^^^^^^^^^^^^^^^^
  |
help: write `&` before it for its address

error: cannot convert `const float *` to `float`
 --> pointer_to_value.cu:4:23
  |
4 |     to[threadIdx.x] = from;
  |                       ^^^^
  |
help: this is an address: write `*` before it, or an index after it, for what it points to

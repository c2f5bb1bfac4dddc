__global__ void sum(float *a, int *b)
{
    float x = a[threadIdx.x];
    x += __shfl_xor_sync(x, 0xffffffff, 1);
    a[0] = x + __reduce_add_sync(0xffffffff, x);
    b[0] = __ballot_sync(x > 0.0f);
}
// ANCHOR: errors
warning[mask]: the lanes that take part come first, as a mask: this number becomes one
 --> mask_exchanged.cu:4:26
  |
4 |     x += __shfl_xor_sync(x, 0xffffffff, 1);
  |                          ^
  |
help: write `__shfl_xor_sync(0xffffffff, …)`

error: `__reduce_add_sync` takes integers alone
 --> mask_exchanged.cu:5:16
  |
5 |     a[0] = x + __reduce_add_sync(0xffffffff, x);
  |                ^^^^^^^^^^^^^^^^^
  |
help: combine the values of a warp with `__shfl_xor_sync`, in a loop

error: `__ballot_sync` cannot be called like this: it takes 2 arguments, not 1
 --> mask_exchanged.cu:6:12
  |
6 |     b[0] = __ballot_sync(x > 0.0f);
  |            ^^^^^^^^^^^^^
  |
help: the lanes that take part come first, as a mask: `__ballot_sync(0xffffffff, …)`

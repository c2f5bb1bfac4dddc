__global__ void sum(float *a, int *b)
{
    float x = a[threadIdx.x];
    x += __shfl_xor_sync(x, 0xffffffff, 1);
    a[0] = x + __reduce_add_sync(0xffffffff, x);
    b[0] = __ballot_sync(x > 0.0f);
}
// ANCHOR: errors
warning[mask]: the first argument is the mask of participating lanes, and this number is used as one
 --> mask_exchanged.cu:4:26
  |
4 |     x += __shfl_xor_sync(x, 0xffffffff, 1);
  |                          ^
  |
help: write `__shfl_xor_sync(0xffffffff, …)`

error: `__reduce_add_sync` takes only integers
 --> mask_exchanged.cu:5:16
  |
5 |     a[0] = x + __reduce_add_sync(0xffffffff, x);
  |                ^^^^^^^^^^^^^^^^^
  |
help: combine the values of a warp with `__shfl_xor_sync`, in a loop

error: no matching function for call to `__ballot_sync`: it takes 2 arguments, not 1
 --> mask_exchanged.cu:6:12
  |
6 |     b[0] = __ballot_sync(x > 0.0f);
  |            ^^^^^^^^^^^^^
  |
help: the first argument is the mask of participating lanes: `__ballot_sync(0xffffffff, …)`

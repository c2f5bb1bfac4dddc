__global__ void count(int *total)
{
    atomicAdd(&total, 1);
}
// ANCHOR: errors
error: no matching function for call to `atomicAdd`: there is no overload for `int *`, only for `int`, `unsigned int`, `unsigned long long`, `float`, `double`
 --> atomic_of_address_of_pointer.cu:3:15
  |
3 |     atomicAdd(&total, 1);
  |               ^^^^^^
  |
help: `total` is already a pointer: remove the `&`

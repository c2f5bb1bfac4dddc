__global__ void count(int *total)
{
    atomicAdd(&total, 1);
}
// ANCHOR: errors
error: `atomicAdd` cannot be called like this: there is none for `int *`, only for `int`, `unsigned int`, `unsigned long long`, `float`, `double`
 --> atomic_of_address_of_pointer.cu:3:15
  |
3 |     atomicAdd(&total, 1);
  |               ^^^^^^
  |
help: `total` is a pointer already: leave out the `&`

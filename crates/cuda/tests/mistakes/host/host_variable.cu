int limit = 100;
const int step = 4;

__global__ void count(int *data)
{
    if (data[threadIdx.x] < limit)
        data[threadIdx.x] += step;
}
// ANCHOR: errors
error: `limit` is a host variable: a kernel cannot use it
 --> host_variable.cu:6:29
  |
1 | int limit = 100;
  |     ----- declared here, without `__device__`
...
6 |     if (data[threadIdx.x] < limit)
  |                             ^^^^^
  |
help: declare `limit` `__device__`, or pass its value to the kernel as an argument

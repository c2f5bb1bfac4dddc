__constant__ float table[32768];

__global__ void look_up(float *data)
{
    data[threadIdx.x] = table[threadIdx.x];
}
// ANCHOR: errors
error: constant memory has 65536 bytes, but `table` needs 131072
 --> constant_too_large.cu:1:20
  |
1 | __constant__ float table[32768];
  |                    ^^^^^ 131072 bytes
  |
help: declare it `__device__`, or pass a `const` pointer with `__restrict__` to the kernel

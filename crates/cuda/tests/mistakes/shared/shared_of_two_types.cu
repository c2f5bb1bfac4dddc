template <typename T>
__global__ void copy(T *data)
{
    extern __shared__ T tile[];
    tile[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}

template __global__ void copy<float>(float *);
template __global__ void copy<double>(double *);
// ANCHOR: errors
error: `tile` is declared as `float[]` and as `double[]`: all `extern __shared__` declarations of one name are the same array
  --> shared_of_two_types.cu:4:25
   |
 4 |     extern __shared__ T tile[];
   |                         ^^^^
   |                         |
   |                         previous declaration is here
...
11 | template __global__ void copy<double>(double *);
   |                          ------------ in the instantiation of `copy<double>` requested here
   |
help: rename it; in a template, declare an array of `char` and cast its address

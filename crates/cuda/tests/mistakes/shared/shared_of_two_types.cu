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
error: `tile` is declared as `float[]` and as `double[]`: all `extern __shared__` of one name are one array
  --> shared_of_two_types.cu:4:25
   |
 4 |     extern __shared__ T tile[];
   |                         ^^^^
   |                         |
   |                         the first one is here
...
11 | template __global__ void copy<double>(double *);
   |                          ------------ `copy<double>` is made for this
   |
help: give it another name; in a template, declare an array of `char` and cast its address

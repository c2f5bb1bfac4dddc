// Let the last block finish.
//
// The blocks of a launch add their numbers to `total`. The block that ends last must
// write it to `out`, and leave all variables as they were at the start: the next
// launch, with other numbers, follows without the host. Blocks may end in any order. At
// present, every block writes what it finds, and `total` grows from launch to launch.
//
// `atomicAdd`, `atomicInc` and `atomicExch` return the old value;
// `atomicInc(&x, limit)` sets `x` to 0 where it was `limit`, and
// `atomicExch(&x, value)` sets `x` to `value`. Count the blocks that are done in a
// variable of the program. Only the last block may write: a launch makes at most three
// stores, for the result and for the variables that are reset.
//
// `__threadfence()`: a thread that sees a write that comes after it also sees the
// writes that come before it. One is needed between a block's additions and the
// operation with which it counts itself. At `__syncthreads()` the threads of a block
// wait until all of them have reached it.

__device__ int total;
__device__ unsigned done;

__global__ void sum(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&total, in[i]);
    //<
    __threadfence();
    //| no fence
    //>
    __syncthreads();
    if (threadIdx.x == 0) {
        //<
        if (atomicInc(&done, gridDim.x - 1) == gridDim.x - 1) {
            *out = atomicExch(&total, 0);
        }
        //| skeleton
        *out = total;
        //| counted once and for all
        if (atomicAdd(&done, 1) == gridDim.x - 1) {
            *out = total;
            total = 0;
        }
        //| the block of the highest number
        if (blockIdx.x == gridDim.x - 1) {
            *out = total;
            total = 0;
        }
        //| every block writes
        unsigned before = atomicInc(&done, gridDim.x - 1);
        *out = atomicAdd(&total, 0);
        if (before == gridDim.x - 1) atomicExch(&total, 0);
        //| the total is kept
        if (atomicInc(&done, gridDim.x - 1) == gridDim.x - 1) *out = total;
        //>
    }
}

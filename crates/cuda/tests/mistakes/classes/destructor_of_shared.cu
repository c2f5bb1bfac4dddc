struct Queue {
    int items[32], count;
    __device__ ~Queue() { count = 0; }
};

__global__ void work(int *data)
{
    __shared__ Queue queue;
    queue.items[threadIdx.x] = data[threadIdx.x];
}
// ANCHOR: errors
error: `Queue` has a destructor: this compiler destroys only the local variables of a thread
 --> destructor_of_shared.cu:8:22
  |
3 |     __device__ ~Queue() { count = 0; }
  |                ------ destructor declared here
...
8 |     __shared__ Queue queue;
  |                      ^^^^^
  |
help: declare it in the kernel without `__shared__` and `static`, or give the class a method that releases it, and call that

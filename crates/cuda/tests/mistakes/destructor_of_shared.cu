struct Queue {
    int items[32], count;
    __device__ ~Queue() { count = 0; }
};

__global__ void work(int *data)
{
    __shared__ Queue queue;
    queue.items[threadIdx.x] = data[threadIdx.x];
}

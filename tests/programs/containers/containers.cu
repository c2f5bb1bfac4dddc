// Objects with virtual functions that one launch makes with `new`, others use, and a last one deletes; and one that lies in
// shared memory. Who gets which place is open, so sums and sets of what was taken out are compared.
#include <new>

class Container {
public:
    __device__ virtual ~Container() {}
    __device__ virtual bool put(int value) = 0;
    __device__ virtual bool take(int *value) = 0;
};

// Places are handed out by a counter; what is taken out, by another.
class Queue : public Container {
    int *values;
    bool owned;
    int room, ends, begins;

public:
    __device__ Queue(int room, int *place) : values(place ? place : new int[room]), owned(!place), room(room), ends(0), begins(0) {}
    __device__ ~Queue() override
    {
        if (owned)
            delete[] values;
    }
    __device__ bool put(int value) override
    {
        int at = atomicAdd(&ends, 1);
        if (at >= room)
            return false;
        values[at] = value;
        return true;
    }
    __device__ bool take(int *value) override
    {
        int at = atomicAdd(&begins, 1);
        if (at >= min(ends, room))
            return false;
        *value = values[at];
        return true;
    }
};

// Keeps no order at all.
class Bag : public Container {
    unsigned bits[8];

public:
    __device__ Bag() : bits() {}
    __device__ bool put(int value) override
    {
        atomicOr(&bits[value / 32 & 7], 1u << (value & 31));
        return true;
    }
    __device__ bool take(int *value) override
    {
        for (int w = 0; w < 8; w++) {
            unsigned was = atomicExch(&bits[w], 0);
            if (was) {
                *value = was;
                return true;
            }
        }
        return false;
    }
};

extern "C" __global__ void make(Container **all, int room)
{
    all[0] = new Queue(room, nullptr);
    all[1] = new Bag;
}

extern "C" __global__ void fill(Container *const *all)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    all[threadIdx.x & 1]->put(i);
}

extern "C" __global__ void drain(Container *const *all, int *sum, int *count)
{
    int value;
    if (all[0]->take(&value)) {
        atomicAdd(sum, value);
        atomicAdd(count, 1);
    }
}

extern "C" __global__ void empty(Container **all, unsigned *words, int *count)
{
    int value;
    while (all[1]->take(&value))
        words[(*count)++] = value;
    delete all[0];
    delete all[1];
    all[0] = all[1] = nullptr;
}

extern "C" __global__ void shared_one(int *seen)
{
    __shared__ int room[64];
    __shared__ __attribute__((aligned(8))) unsigned char bytes[sizeof(Queue)];
    Queue *queue = (Queue *)bytes;
    if (threadIdx.x == 0)
        new (bytes) Queue(64, room);
    __syncthreads();
    if (threadIdx.x % 3 == 0)
        queue->put(threadIdx.x);
    __syncthreads();
    int value;
    if (threadIdx.x < 32 && queue->take(&value))
        atomicAdd(&seen[value], 1);
    __syncthreads();
    if (threadIdx.x == 0)
        queue->~Queue();
}

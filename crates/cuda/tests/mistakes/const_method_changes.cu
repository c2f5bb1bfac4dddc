struct Counter {
    int value;
    __device__ void step(int by) const { value += by; }
};
__global__ void count(int *out)
{
    Counter counter = {1};
    counter.step(2);
    out[0] = counter.value;
}

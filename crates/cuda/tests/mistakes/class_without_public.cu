class Pair {
    int first, second;
    __device__ Pair(int a, int b) : first(a), second(b) {}
    __device__ int sum() const { return first + second; }
};

__global__ void k(int *out)
{
    Pair p(1, 2), q(3, 4);
    out[0] = p.sum() + q.sum();
    out[1] = p.first;
}

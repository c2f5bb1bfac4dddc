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
// ANCHOR: errors
error: `Pair` is a private member of `Pair`: only methods of `Pair` may use it
 --> class_without_public.cu:9:11
  |
3 |     __device__ Pair(int a, int b) : first(a), second(b) {}
  |                ---- declared here
...
9 |     Pair p(1, 2), q(3, 4);
  |           ^^^^^^
  |
help: write `public:` before it in the class, or give the class a method for it

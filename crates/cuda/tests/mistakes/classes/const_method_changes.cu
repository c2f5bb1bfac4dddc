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
// ANCHOR: errors
error: cannot assign to `value`: it is `const`
 --> const_method_changes.cu:3:42
  |
3 |     __device__ void step(int by) const { value += by; }
  |                                          ^^^^^^^^^^^
  |
help: the method is `const`: remove the `const` after its parameters if it is meant to change the object

struct Counter {
    int n;
    __device__ int get() { return n; }
};

__device__ void increase(int *p) { *p += 1; }
__device__ void clear(int &x) { x = 0; }

__global__ void count(const int *data, int *out, const Counter *counter)
{
    int i = threadIdx.x;
    increase(&data[i]);
    clear(data[i]);
    out[i] = counter->get();
}
// ANCHOR: errors
error: no matching function for call to `increase`: cannot convert argument 1 from `const int *` to `int *`
  --> const_argument.cu:12:14
   |
 6 | __device__ void increase(int *p) { *p += 1; }
   |                 -------- declared here
...
12 |     increase(&data[i]);
   |              ^^^^^^^^
   |
help: it points to `const` data, which may only be read

error: no matching function for call to `clear`: cannot convert argument 1 from `const int` to `int &`
  --> const_argument.cu:13:11
   |
 7 | __device__ void clear(int &x) { x = 0; }
   |                 ----- declared here
...
13 |     clear(data[i]);
   |           ^^^^^^^
   |
help: it may change its argument, which is `const` here: write `const` in the parameter's type if it does not

error: no matching function for call to `Counter::get`: the object is `const`, but the method is not marked `const`
  --> const_argument.cu:14:23
   |
 3 |     __device__ int get() { return n; }
   |                    --- declared here
...
14 |     out[i] = counter->get();
   |                       ^^^
   |
help: write `const` after the method's parentheses, if it changes nothing

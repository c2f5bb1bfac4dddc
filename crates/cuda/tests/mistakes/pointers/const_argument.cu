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
error: `increase` cannot be called like this: argument 1: `const int *` cannot be converted to `int *`
  --> const_argument.cu:12:14
   |
 6 | __device__ void increase(int *p) { *p += 1; }
   |                 -------- declared here
...
12 |     increase(&data[i]);
   |              ^^^^^^^^
   |
help: what it points to is `const`: it may be read alone

error: `clear` cannot be called like this: argument 1: `const int` cannot be converted to `int &`
  --> const_argument.cu:13:11
   |
 7 | __device__ void clear(int &x) { x = 0; }
   |                 ----- declared here
...
13 |     clear(data[i]);
   |           ^^^^^^^
   |
help: it may change its argument, which is `const` here: write `const` in the parameter's type if it does not

error: `Counter::get` cannot be called like this: the object is `const`, and this method may change it
  --> const_argument.cu:14:23
   |
 3 |     __device__ int get() { return n; }
   |                    --- declared here
...
14 |     out[i] = counter->get();
   |                       ^^^
   |
help: write `const` behind the method's parentheses, if it changes nothing

struct Stack
{
    T data[8];
    int top;
};
__device__ float add(float a, float b)
{
    return a + b;
}
__global__ void sums(float *a)
{
    Stack<float> stack;
    stack.top = 0;
    stack.data[stack.top++] = a[0];
    a[threadIdx.x] = add<float>(a[threadIdx.x], a[0]);
}
// ANCHOR: errors
error: `Stack` is not a template
  --> no_template.cu:12:5
   |
 1 | struct Stack
   |        ----- declared here
...
12 |     Stack<float> stack;
   |     ^^^^^^^^^^^^
   |
help: to make it one, write `template <typename T>` before its declaration

error: no matching function for call to `add`: it is not a template
  --> no_template.cu:15:22
   |
 6 | __device__ float add(float a, float b)
   |                  --- declared here
...
15 |     a[threadIdx.x] = add<float>(a[threadIdx.x], a[0]);
   |                      ^^^^^^^^^^
   |
help: remove the `<…>` after its name

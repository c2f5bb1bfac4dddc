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

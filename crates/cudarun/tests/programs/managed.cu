// Variables and references that both sides have, in each form of the declaration.
#include <cstdio>
__managed__ int sum = 40;
__device__ __managed__ float squares[4];
extern __shared__ int of_the_launch[];

struct Element {
    int key;
    float value;
};
// A reference is the address that the host passes: right where the element is managed.
__global__ void change(Element &element)
{
    of_the_launch[threadIdx.x] = threadIdx.x;
    __syncthreads();
    squares[threadIdx.x] = threadIdx.x * threadIdx.x;
    atomicAdd(&sum, of_the_launch[3 - threadIdx.x]);
    if (threadIdx.x == 0)
        element.value += element.key;
}
void print(char *text) { printf("%s\n", text); }

int main()
{
    Element *element;
    cudaMallocManaged(&element, sizeof(Element));
    *element = {7, 0.5f};
    sum += 2;
    change<<<1, 4, 4 * sizeof(int)>>>(*element);
    cudaDeviceSynchronize();
    printf("%d, %g %g, %g\n", sum, squares[2], squares[3], element->value);
    print("a literal for a `char *`");
    cudaFree(element);
}

// Add two vectors.
//
// Each thread adds one element of two vectors. The grid has as many blocks of 256
// threads as n elements need, so the last block may have threads to spare. At present,
// every block works on the first elements of the vectors, whatever its number, and
// nothing else is written.
//
// Give each thread of the grid its own element, and let no thread reach past the end of
// the vectors.

__global__ void add(const float *a, const float *b, float *c, int n)
{
    //<
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
    //| skeleton
    int i = threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
    //| no guard
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    c[i] = a[i] + b[i];
    //| every thread adds all
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
    //| one too far
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) c[i] = a[i] + b[i];
    //| blocks that overlap
    int i = blockIdx.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
    //| thread and block exchanged
    int i = threadIdx.x * blockDim.x + blockIdx.x;
    if (i < n) c[i] = a[i] + b[i];
    //>
}

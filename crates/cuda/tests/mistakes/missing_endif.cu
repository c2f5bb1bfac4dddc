#ifdef DOUBLE
typedef double real;
#else
typedef float real;

__global__ void clear(real *data)
{
    data[threadIdx.x] = 0;
}

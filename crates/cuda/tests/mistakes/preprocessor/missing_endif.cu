#ifdef DOUBLE
typedef double real;
#else
typedef float real;

__global__ void clear(real *data)
{
    data[threadIdx.x] = 0;
}
// ANCHOR: errors
error: unterminated `#ifdef`
 --> missing_endif.cu:1:1
  |
1 | #ifdef DOUBLE
  | ^^^^^^
  |
help: write `#endif` where the conditional lines end

__global__ void scale(float *values, float factor)
{
    if (threadIdx.x < values.size())
        values[threadIdx.x] *= factor;
    for (float value : values)
        value *= factor;
}
__global__ void rows(float grid[][], int n)
{
    grid[0][0] = n;
}
// ANCHOR: errors
error: `float *` is not a class, so it has no member `size`
 --> arrays_that_know_their_length.cu:3:30
  |
3 |     if (threadIdx.x < values.size())
  |                              ^^^^
  |
help: a pointer does not know how many elements it points to: pass their number to the kernel, and count up to it

error: invalid range expression of type `float *`: it is neither an array nor a class with `begin()` and `end()`
 --> arrays_that_know_their_length.cu:5:24
  |
5 |     for (float value : values)
  |                        ^^^^^^
  |
help: a pointer does not know how many elements it points to: pass their number to the kernel, and count up to it

error: only the first dimension of an array may be omitted
 --> arrays_that_know_their_length.cu:8:32
  |
8 | __global__ void rows(float grid[][], int n)
  |                                ^^
  |
help: write the others, as in `float a[][32]`, or pass a pointer and compute `a[row * width + column]`

__global__ void sum(const float *data, float *total, int n)
{
    Int i = threadIdx.x;
    unsgined count = 0;
    flaot value = data[i];
    *total = value + count;
}
// ANCHOR: errors
error: unknown type name `Int`
 --> misspelt_type.cu:3:5
  |
3 |     Int i = threadIdx.x;
  |     ^^^
  |
help: C++ calls it `int`

error: unknown type name `unsgined`
 --> misspelt_type.cu:4:5
  |
4 |     unsgined count = 0;
  |     ^^^^^^^^
  |
help: did you mean `unsigned`?

error: unknown type name `flaot`
 --> misspelt_type.cu:5:5
  |
5 |     flaot value = data[i];
  |     ^^^^^
  |
help: did you mean `float`?

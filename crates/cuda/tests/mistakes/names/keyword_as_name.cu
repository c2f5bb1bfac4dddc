__global__ void apply(float *data, int new, float default)
{
    data[threadIdx.x] = default + new;
}
// ANCHOR: errors
error: expected a name, found keyword `new`
 --> keyword_as_name.cu:1:40
  |
1 | __global__ void apply(float *data, int new, float default)
  |                                        ^^^
  |
help: choose another name

error: expected an expression, found `default`
 --> keyword_as_name.cu:3:25
  |
3 |     data[threadIdx.x] = default + new;
  |                         ^^^^^^^ a value is missing here

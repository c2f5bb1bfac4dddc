__global__ void apply(float *data)
{
    float square(float x)
    {
        return x * x;
    }
    data[threadIdx.x] = square(data[threadIdx.x]);
}
// ANCHOR: errors
error: function definition is not allowed here: `square` is inside another function
 --> nested_function.cu:3:11
  |
3 |     float square(float x)
  |           ^^^^^^
4 |     {
  |     - its body begins here
  |
help: is the `}` that ends the enclosing function missing before it?

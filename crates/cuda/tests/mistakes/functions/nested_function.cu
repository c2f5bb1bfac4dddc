__global__ void apply(float *data)
{
    float square(float x)
    {
        return x * x;
    }
    data[threadIdx.x] = square(data[threadIdx.x]);
}
// ANCHOR: errors
error: `square` cannot be defined inside of another function
 --> nested_function.cu:3:11
  |
3 |     float square(float x)
  |           ^^^^^^
4 |     {
  |     - its body begins here
  |
help: is a `}` missing before it, which ends the function around it?

struct Point
{
    float x, y;
    __device__ Point(float a, float b) : x(a), y(b);
};
__global__ void k(float *out)
{
    Point p(1.0f, 2.0f);
    out[0] = p.x + p.y;
}
// ANCHOR: errors
error: a constructor that initialises members must have a body
 --> constructor_without_body.cu:4:52
  |
4 |     __device__ Point(float a, float b) : x(a), y(b);
  |                                                    ^
  |
help: write `{}` instead of `;`

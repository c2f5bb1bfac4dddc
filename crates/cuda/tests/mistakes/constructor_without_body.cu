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

template <typename T> struct Stack
{
    static constexpr int depth = 8;
};
namespace geometry
{
    __device__ float square(float x) { return x * x; }
}
enum class Color { Red, Green };
__global__ void k(float *a)
{
    a[0] = Stack<float>::dept;
    a[1] = geometry::sqare(a[0]);
    a[2] = int(Color::red);
}

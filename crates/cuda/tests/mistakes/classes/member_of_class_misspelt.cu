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
// ANCHOR: errors
error: no member named `dept` in `Stack<float>`
  --> member_of_class_misspelt.cu:12:26
   |
12 |     a[0] = Stack<float>::dept;
   |                          ^^^^
   |
help: did you mean `Stack<float>::depth`?

error: no member named `sqare` in `geometry`
  --> member_of_class_misspelt.cu:13:22
   |
13 |     a[1] = geometry::sqare(a[0]);
   |                      ^^^^^
   |
help: did you mean `geometry::square`?

error: no member named `red` in `Color`
  --> member_of_class_misspelt.cu:14:23
   |
14 |     a[2] = int(Color::red);
   |                       ^^^
   |
help: did you mean `Color::Red`?

__global__ void order(float *data)
{
    int i = threadIdx.x;
    std::swap(data[i], data[i + 1]);
    data[i] = std::max(data[i], 0);
    swap(data[i], data[i + 1]);
    data[i] = max(data[i], 0);
    data[i] = Math.max(data[i], 0);
}
// ANCHOR: errors
error: `std::swap` is not known without its header
 --> swap_and_max.cu:4:5
  |
4 |     std::swap(data[i], data[i + 1]);
  |     ^^^^^^^^^
  |
help: write `#include <utility>` at the beginning of the file

error: `std::max` requires two values of the same type, not `float` and `int`
 --> swap_and_max.cu:5:15
  |
5 |     data[i] = std::max(data[i], 0);
  |               ^^^^^^^^
  |
help: cast one of them, or write a constant in the other's type, such as `0.0f`

error: use of undeclared identifier `swap`
 --> swap_and_max.cu:6:5
  |
6 |     swap(data[i], data[i + 1]);
  |     ^^^^
  |
help: write `#include <utility>` at the beginning of the file

error: call to `max` is ambiguous
 --> swap_and_max.cu:7:15
  |
7 |     data[i] = max(data[i], 0);
  |               ^^^
  |
help: its arguments have different types (`float`, `int`): cast one, or write a constant in the other's type, such as `0.0f`

error: use of undeclared identifier `Math`
 --> swap_and_max.cu:8:15
  |
8 |     data[i] = Math.max(data[i], 0);
  |               ^^^^
  |
help: mathematical functions need no prefix: `sqrtf(x)`, `sinf(x)`, `max(a, b)`

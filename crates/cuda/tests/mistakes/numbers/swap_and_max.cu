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

error: `std::max` compares values of one type, not `float` and `int`
 --> swap_and_max.cu:5:15
  |
5 |     data[i] = std::max(data[i], 0);
  |               ^^^^^^^^
  |
help: cast one of them, or write a constant in the other's type, such as `0.0f`

error: nothing is called `swap`
 --> swap_and_max.cu:6:5
  |
6 |     swap(data[i], data[i + 1]);
  |     ^^^^
  |
help: write `#include <utility>` at the beginning of the file

error: `max` may mean several functions here, none better than the others
 --> swap_and_max.cu:7:15
  |
7 |     data[i] = max(data[i], 0);
  |               ^^^
  |
help: its arguments are of different types (`float`, `int`): cast one, or write a constant in the other's type, such as `0.0f`

error: nothing is called `Math`
 --> swap_and_max.cu:8:15
  |
8 |     data[i] = Math.max(data[i], 0);
  |               ^^^^
  |
help: mathematical functions stand alone: `sqrtf(x)`, `sinf(x)`, `max(a, b)`

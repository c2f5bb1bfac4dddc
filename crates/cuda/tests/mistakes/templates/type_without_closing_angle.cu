template <typename T> struct Pair
{
    T first, second;
};
__global__ void sum(float *a)
{
    Pair<float pair = {a[0], a[1]};
    a[2] = pair.first + pair.second;
}
// ANCHOR: errors
error: expected `>`
 --> type_without_closing_angle.cu:7:15
  |
7 |     Pair<float pair = {a[0], a[1]};
  |               ^ write `>` here

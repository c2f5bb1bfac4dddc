struct Row {
    static constexpr int length = 32;
};
template <template <class> class Box, class T> __device__ T first(const T *p)
{
    return p[0];
}
template <class T> struct Pair {
};
template <class T> __device__ auto twice(T v)
{
    decltype(v)::value_type sum = v.x;
    return sum + sum;
}
__global__ void fill(float *out)
{
    Row row;
    int n = 3;
    out[threadIdx.x % decltype(row)::lenght] = first<Pair>(out);
    out[1] = decltype(n)::size() + twice(row);
}
// ANCHOR: errors
error: no type named `value_type` in `decltype(v)`
  --> members_of_decltype.cu:12:18
   |
12 |     decltype(v)::value_type sum = v.x;
   |                  ^^^^^^^^^^

error: no member named `lenght` in `decltype(row)`
  --> members_of_decltype.cu:19:38
   |
19 |     out[threadIdx.x % decltype(row)::lenght] = first<Pair>(out);
   |                                      ^^^^^^
   |
help: did you mean `decltype(row)::length`?

error: `int` is not a class, so it has no members
  --> members_of_decltype.cu:20:14
   |
20 |     out[1] = decltype(n)::size() + twice(row);
   |              ^^^^^^^^^^^

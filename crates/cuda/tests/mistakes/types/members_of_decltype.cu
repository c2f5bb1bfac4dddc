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
error: there is no type `decltype(v)::value_type`
  --> members_of_decltype.cu:12:18
   |
12 |     decltype(v)::value_type sum = v.x;
   |                  ^^^^^^^^^^

error: nothing is called `decltype(row)::lenght`
  --> members_of_decltype.cu:19:38
   |
19 |     out[threadIdx.x % decltype(row)::lenght] = first<Pair>(out);
   |                                      ^^^^^^
   |
help: did you mean `decltype(row)::length`?

error: `int` has no members: it is no class
  --> members_of_decltype.cu:20:14
   |
20 |     out[1] = decltype(n)::size() + twice(row);
   |              ^^^^^^^^^^^

__global__ void choose(int *a, int n)
{
    int low = 1;
    switch (a[threadIdx.x]) {
    case low: a[threadIdx.x] = 2; break;
    case n: a[threadIdx.x] = 3; break;
    case 4: a[threadIdx.x] = 5; break;
    case 4: a[threadIdx.x] = 6; break;
    }
}
// ANCHOR: errors
error: this must be known when the kernel is compiled
 --> case_not_constant.cu:5:10
  |
5 |     case low: a[threadIdx.x] = 2; break;
  |          ^^^
  |          |
  |          the value of `low`, which is known only when the program runs
  |
help: write a number or a `constexpr` variable; what only the running kernel knows goes into an `if`, or to a function as an ordinary parameter

error: this must be known when the kernel is compiled
 --> case_not_constant.cu:6:10
  |
6 |     case n: a[threadIdx.x] = 3; break;
  |          ^
  |          |
  |          the value of `n`, which is known only when the program runs
  |
help: write a number or a `constexpr` variable; what only the running kernel knows goes into an `if`, or to a function as an ordinary parameter

error: the value 4 has a `case` already
 --> case_not_constant.cu:8:10
  |
7 |     case 4: a[threadIdx.x] = 5; break;
  |          - here
8 |     case 4: a[threadIdx.x] = 6; break;
  |          ^

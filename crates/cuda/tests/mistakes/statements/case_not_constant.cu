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
error: expression is not a constant: it must be known at compile time
 --> case_not_constant.cu:5:10
  |
5 |     case low: a[threadIdx.x] = 2; break;
  |          ^^^
  |          |
  |          the value of `low` is known only at run time
  |
help: use a number or a `constexpr` variable; a value known only at run time belongs in an `if`, or in an ordinary function parameter

error: expression is not a constant: it must be known at compile time
 --> case_not_constant.cu:6:10
  |
6 |     case n: a[threadIdx.x] = 3; break;
  |          ^
  |          |
  |          the value of `n` is known only at run time
  |
help: use a number or a `constexpr` variable; a value known only at run time belongs in an `if`, or in an ordinary function parameter

error: duplicate case value 4
 --> case_not_constant.cu:8:10
  |
7 |     case 4: a[threadIdx.x] = 5; break;
  |          - previous case is here
8 |     case 4: a[threadIdx.x] = 6; break;
  |          ^

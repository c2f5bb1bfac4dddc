__global__ void set(int *a, int n)
{
    int i = threadIdx.x;
    a[i] == n;
    i + 1;
    n;
}
// ANCHOR: warnings
warning[unused-comparison]: comparison result unused
 --> comparison_as_statement.cu:4:5
  |
4 |     a[i] == n;
  |     ^^^^^^^^^ this has no effect
  |
help: write `=` to assign

warning[unused-value]: expression result unused
 --> comparison_as_statement.cu:5:5
  |
5 |     i + 1;
  |     ^^^^^ this has no effect
  |
help: store the result in a variable, or remove the statement

warning[unused-value]: expression result unused
 --> comparison_as_statement.cu:6:5
  |
6 |     n;
  |     ^ this has no effect
  |
help: store the result in a variable, or remove the statement

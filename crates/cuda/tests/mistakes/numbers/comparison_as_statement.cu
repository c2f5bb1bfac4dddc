__global__ void set(int *a, int n)
{
    int i = threadIdx.x;
    a[i] == n;
    i + 1;
    n;
}
// ANCHOR: warnings
warning[unused-comparison]: the result of this comparison is not used
 --> comparison_as_statement.cu:4:5
  |
4 |     a[i] == n;
  |     ^^^^^^^^^ this does nothing
  |
help: write `=` to assign

warning[unused-value]: this computes a value that nobody uses
 --> comparison_as_statement.cu:5:5
  |
5 |     i + 1;
  |     ^^^^^ this does nothing
  |
help: store the result in a variable, or remove the statement

warning[unused-value]: this computes a value that nobody uses
 --> comparison_as_statement.cu:6:5
  |
6 |     n;
  |     ^ this does nothing
  |
help: store the result in a variable, or remove the statement

__global__ void even(int *data)
{
    int i = threadIdx.x;
    if (i & 1 == 0)
        data[i] = 0;
}
// ANCHOR: warnings
warning[precedence]: `1 == 0` is evaluated before `&`
 --> bit_and_comparison.cu:4:13
  |
4 |     if (i & 1 == 0)
  |             ^^^^^^ comparisons have higher precedence
  |
help: put what belongs together in parentheses, as in `(a & b) == c`

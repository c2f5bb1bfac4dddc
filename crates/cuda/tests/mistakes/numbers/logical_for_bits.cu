__global__ void check(int *flags, int i, int n)
{
    if (i > 0 & i < n)
        flags[i] = 1;
    if (i = n || i == 0)
        flags[i] = 2;
    if (flags[i] == 1 || 2)
        flags[i] = 3;
}
// ANCHOR: warnings
warning[assignment-in-condition]: result of an assignment used as a condition
 --> logical_for_bits.cu:5:9
  |
5 |     if (i = n || i == 0)
  |         ^^^^^^^^^^^^^^^ `=` stores the right side, and the condition tests the stored value
  |
help: write `==` to compare; put the assignment in its own parentheses if it is intended

warning[constant-condition]: `2` alone is always true
 --> logical_for_bits.cu:7:26
  |
7 |     if (flags[i] == 1 || 2)
  |                          ^
  |
help: repeat the whole comparison, as in `x == 1 || x == 2`

__global__ void first(int *data)
{
    int i = threadIdx.x;
    if (i = 0)
        data[0] = 1;
}
// ANCHOR: warnings
warning[assignment-in-condition]: this assigns where a condition is wanted
 --> assignment_in_condition.cu:4:9
  |
4 |     if (i = 0)
  |         ^^^^^ `=` stores the right side, and the condition is what was stored
  |
help: write `==` to compare; if it is meant, put it in parentheses of its own

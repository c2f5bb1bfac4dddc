__global__ void first(int *data)
{
    int i = threadIdx.x;
    if (i = 0)
        data[0] = 1;
}
// ANCHOR: warnings
warning[assignment-in-condition]: result of an assignment used as a condition
 --> assignment_in_condition.cu:4:9
  |
4 |     if (i = 0)
  |         ^^^^^ `=` stores the right side, and the condition tests the stored value
  |
help: write `==` to compare; put the assignment in its own parentheses if it is intended

__global__ void wait(int *flags, int n)
{
    int done = 0;
    while (done = 0)
        done = flags[threadIdx.x];
    if (n =! 3)
        flags[0] = 1;
    flags[1] =+ 2;
}
// ANCHOR: warnings
warning[assignment-in-condition]: result of an assignment used as a condition
 --> reversed_operators.cu:4:12
  |
4 |     while (done = 0)
  |            ^^^^^^^^ `=` stores the right side, and the condition tests the stored value
  |
help: write `==` to compare; put the assignment in its own parentheses if it is intended

warning[reversed-operator]: `=!` is `=` followed by unary `!`
 --> reversed_operators.cu:6:9
  |
6 |     if (n =! 3)
  |         ^^^^^^ this stores a value
  |
help: write `!=`, or a space between the two

warning[reversed-operator]: `=+` is `=` followed by unary `+`
 --> reversed_operators.cu:8:5
  |
8 |     flags[1] =+ 2;
  |     ^^^^^^^^^^^^^ this stores a value
  |
help: write `+=`, or a space between the two

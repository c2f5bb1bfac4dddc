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
warning[assignment-in-condition]: this assigns where a condition is wanted
 --> reversed_operators.cu:4:12
  |
4 |     while (done = 0)
  |            ^^^^^^^^ `=` stores the right side, and the condition is what was stored
  |
help: write `==` to compare; if it is meant, put it in parentheses of its own

warning[turned-operator]: `=!` is `=` and then `!`
 --> reversed_operators.cu:6:9
  |
6 |     if (n =! 3)
  |         ^^^^^^ this stores a value
  |
help: write `!=`, or a space between the two

warning[turned-operator]: `=+` is `=` and then `+`
 --> reversed_operators.cu:8:5
  |
8 |     flags[1] =+ 2;
  |     ^^^^^^^^^^^^^ this stores a value
  |
help: write `+=`, or a space between the two

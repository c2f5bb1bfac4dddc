__global__ void clamp(float *data)
{
    int i = threadIdx.x;
    fminf(data[i], 1.0f);
    data[i] + 1.0f;
    i;
    data[i] == 0.0f;
}
// ANCHOR: warnings
warning[unused-value]: expression result unused
 --> unused_result.cu:4:5
  |
4 |     fminf(data[i], 1.0f);
  |     ^^^^^^^^^^^^^^^^^^^^ this has no effect
  |
help: store the result in a variable, or remove the statement

warning[unused-value]: expression result unused
 --> unused_result.cu:5:5
  |
5 |     data[i] + 1.0f;
  |     ^^^^^^^^^^^^^^ this has no effect
  |
help: store the result in a variable, or remove the statement

warning[unused-value]: expression result unused
 --> unused_result.cu:6:5
  |
6 |     i;
  |     ^ this has no effect
  |
help: store the result in a variable, or remove the statement

warning[unused-comparison]: comparison result unused
 --> unused_result.cu:7:5
  |
7 |     data[i] == 0.0f;
  |     ^^^^^^^^^^^^^^^ this has no effect
  |
help: write `=` to assign

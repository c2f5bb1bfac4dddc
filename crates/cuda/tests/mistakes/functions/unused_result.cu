__global__ void clamp(float *data)
{
    int i = threadIdx.x;
    fminf(data[i], 1.0f);
    data[i] + 1.0f;
    i;
    data[i] == 0.0f;
}
// ANCHOR: warnings
warning[unused-value]: this computes a value that nobody uses
 --> unused_result.cu:4:5
  |
4 |     fminf(data[i], 1.0f);
  |     ^^^^^^^^^^^^^^^^^^^^ this does nothing
  |
help: store the result in a variable, or remove the statement

warning[unused-value]: this computes a value that nobody uses
 --> unused_result.cu:5:5
  |
5 |     data[i] + 1.0f;
  |     ^^^^^^^^^^^^^^ this does nothing
  |
help: store the result in a variable, or remove the statement

warning[unused-value]: this computes a value that nobody uses
 --> unused_result.cu:6:5
  |
6 |     i;
  |     ^ this does nothing
  |
help: store the result in a variable, or remove the statement

warning[unused-comparison]: the result of this comparison is not used
 --> unused_result.cu:7:5
  |
7 |     data[i] == 0.0f;
  |     ^^^^^^^^^^^^^^^ this does nothing
  |
help: write `=` to assign

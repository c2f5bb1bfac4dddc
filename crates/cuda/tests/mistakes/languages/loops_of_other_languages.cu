__global__ void sums(float *out, int n)
{
    float values[4] = {1, 2, 3, 4};
    foreach (float value : values) out[0] += value;
    for int i = 0; i < n; i++ {
        out[1] += values[i];
    }
}
// ANCHOR: errors
error: C++ has no `foreach`
 --> loops_of_other_languages.cu:4:5
  |
4 |     foreach (float value : values) out[0] += value;
  |     ^^^^^^^
  |
help: write `for (float x : array)`

error: the header of `for` must be in parentheses
 --> loops_of_other_languages.cu:5:9
  |
5 |     for int i = 0; i < n; i++ {
  |         ^^^^^^^^^^^^^^^^^^^^^
  |
help: write `for (start; condition; step)`

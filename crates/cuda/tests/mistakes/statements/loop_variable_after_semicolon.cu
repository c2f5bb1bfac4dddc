__global__ void k(float *x, int n)
{
    for (int j = 0; j < n; j++); {
        x[j] = 0.0f;
    }
}
// ANCHOR: errors
warning[empty-body]: this `;` is all that the `for` repeats
 --> loop_variable_after_semicolon.cu:3:32
  |
3 |     for (int j = 0; j < n; j++); {
  |                                ^
  |
help: remove the `;`

error: nothing is called `j`
 --> loop_variable_after_semicolon.cu:4:11
  |
3 |     for (int j = 0; j < n; j++); {
  |              - declared here, in a block or loop that has ended
4 |         x[j] = 0.0f;
  |           ^
  |
help: the `;` behind the parentheses is all that this loop repeats: remove it

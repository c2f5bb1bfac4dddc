__global__ void k(float *x, int n)
{
    for (int j = 0; j < n; j++); {
        x[j] = 0.0f;
    }
}
// ANCHOR: errors
warning[empty-body]: `for` loop has an empty body: this `;`
 --> loop_variable_after_semicolon.cu:3:32
  |
3 |     for (int j = 0; j < n; j++); {
  |                                ^
  |
help: remove the `;`

error: use of undeclared identifier `j`
 --> loop_variable_after_semicolon.cu:4:11
  |
3 |     for (int j = 0; j < n; j++); {
  |              - declared here, in a block or loop that has ended
4 |         x[j] = 0.0f;
  |           ^
  |
help: the `;` after the parentheses is the whole body of this loop: remove it

__global__ void scale(float *x, int n)
{
    int i = threadIdx.x;
    / one thread, one element
    if (i < n) x[i] *= 2.0f;
}
// ANCHOR: errors
error: a statement cannot begin with `/`
 --> slash_for_comment.cu:4:5
  |
4 |     / one thread, one element
  |     ^
  |
help: write `//` for a comment

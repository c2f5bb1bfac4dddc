__global__ void k(float *a, int n)
{
    # the index of this thread
    int i = threadIdx.x;
    a[i] = 1.0f;
}
// ANCHOR: errors
error: invalid preprocessing directive `#the`
 --> hash_comment.cu:3:5
  |
3 |     # the index of this thread
  |     ^^^^^
  |
help: if this is meant as a comment, begin it with `//`

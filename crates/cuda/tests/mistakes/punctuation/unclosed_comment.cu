/* Scales an array.

__global__ void scale(float *data, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        data[i] *= factor;
}
// ANCHOR: errors
error: unterminated comment
 --> unclosed_comment.cu:1:1
  |
1 | /* Scales an array.
  | ^^ begins here
  |
help: close it with `*/`

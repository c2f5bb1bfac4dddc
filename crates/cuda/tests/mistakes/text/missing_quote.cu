__global__ void hello()
{
    printf("Hello from thread %d\n, threadIdx.x);
}
// ANCHOR: errors
error: unterminated string: missing closing `"`
 --> missing_quote.cu:3:12
  |
3 |     printf("Hello from thread %d\n, threadIdx.x);
  |            ^ begins here
  |
help: close it with `"` on the same line

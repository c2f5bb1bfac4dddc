__global__ void hello()
{
    printf(“Hello from thread %d\n”, threadIdx.x);
}
// ANCHOR: errors
error: unexpected typographic character `“`
 --> typographic_quotes.cu:3:12
  |
3 |     printf(“Hello from thread %d\n”, threadIdx.x);
  |            ^
  |
help: write `"`; such characters come from text copied from a page or a document

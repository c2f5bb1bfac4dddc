__global__ void hello()
{
    printf(“Hello from thread %d\n”, threadIdx.x);
}
// ANCHOR: errors
error: `“` is a typographic character, not one of C++
 --> typographic_quotes.cu:3:12
  |
3 |     printf(“Hello from thread %d\n”, threadIdx.x);
  |            ^
  |
help: write `"`; such characters come with text copied from a page or a document

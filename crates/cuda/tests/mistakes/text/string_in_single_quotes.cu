__global__ void hello()
{
    printf('hello from %d\n', threadIdx.x);
}
// ANCHOR: errors
error: there are several characters between single quotes
 --> string_in_single_quotes.cu:3:12
  |
3 |     printf('hello from %d\n', threadIdx.x);
  |            ^^^^^^^^^^^^^^^^^
  |
help: text is written between double quotes: `"text"`

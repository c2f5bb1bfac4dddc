__global__ void hello()
{
    printf('hello from %d\n', threadIdx.x);
}
// ANCHOR: errors
error: more than one character in a character literal
 --> string_in_single_quotes.cu:3:12
  |
3 |     printf('hello from %d\n', threadIdx.x);
  |            ^^^^^^^^^^^^^^^^^
  |
help: a string is written in double quotes: `"text"`

__global__ void k(int n)
{
    printf("%s\n", n);
}
// ANCHOR: warnings
warning[format]: `%s` wants a text (`const char *`), and this is `int`
 --> printf_string_of_int.cu:3:20
  |
3 |     printf("%s\n", n);
  |                    ^
  |
help: write `%d`

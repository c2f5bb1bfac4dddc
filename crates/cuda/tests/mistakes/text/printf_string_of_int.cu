__global__ void k(int n)
{
    printf("%s\n", n);
}
// ANCHOR: warnings
warning[format]: format `%s` expects a string (`const char *`), but the argument has type `int`
 --> printf_string_of_int.cu:3:20
  |
3 |     printf("%s\n", n);
  |                    ^
  |
help: write `%d`

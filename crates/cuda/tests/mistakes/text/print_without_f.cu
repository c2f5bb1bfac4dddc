__global__ void k(int n)
{
    print("n = %d\n", n);
}
// ANCHOR: errors
error: use of undeclared identifier `print`
 --> print_without_f.cu:3:5
  |
3 |     print("n = %d\n", n);
  |     ^^^^^
  |
help: in a kernel, print with `printf`

__global__ void k(int n)
{
    std::cout << n << std::endl;
}
// ANCHOR: errors
error: `std::cout` exists only on the host: kernels do not have it
 --> cout.cu:3:5
  |
3 |     std::cout << n << std::endl;
  |     ^^^^^^^^^
  |
help: in a kernel, print with `printf`

error: `std::endl` exists only on the host: kernels do not have it
 --> cout.cu:3:23
  |
3 |     std::cout << n << std::endl;
  |                       ^^^^^^^^^
  |
help: in a kernel, print with `printf`

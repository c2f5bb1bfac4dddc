__global__ void hello()
{
    printf('hello from %d\n', threadIdx.x);
}

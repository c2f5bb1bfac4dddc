// A kernel that is launched with a lambda of the host.
template <class F> __global__ void each(F function)
{
    function(threadIdx.x);
}

int main()
{
    int factor = 3;
    each<<<1, 32>>>([=] __device__(int at) { printf("%d\n", factor * at); });
}

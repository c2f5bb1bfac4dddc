// The body of a `do` hides what is around it; its condition sees only that.
#define CHECK(call) \
    do { \
        int status = (call); \
        if (status != 0) __trap(); \
    } while (0)
__device__ int f(int x) { return x; }
__global__ void k(int *p, int n)
{
    int status = n;
    CHECK(f(n));
    do {
        int n = 3;
        p[n] = status;
    } while (--n > 0);
    do
        int status = 2;
    while (--n > 0);
    for (int i = 0; i < n; i++)
        do {
            int i = 4;
            p[i] = 1;
        } while (p[5]);
}

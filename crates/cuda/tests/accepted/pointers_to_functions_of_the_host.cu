// Constant pointers to functions, which a host passes around.
typedef float (*const op)(float);
void host(long (*const f)(const long, long), int (*volatile g)(int)) { long (*const h)(const long, long) = f; }
__global__ void k(int *p, int n)
{
    if (0 || n == 1) p[0] = 1;
    if (1 && n == 1) p[1] = 1;
}

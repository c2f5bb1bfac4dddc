#if __CUDA_ARCH__ >= 700 && defined(X) || !defined(Y)
#define CAT(a, b) a##b
#define STR(x) #x
#define FOR(i, n) for (int i = 0; i < (n); ++i)
#else
#error no
#endif
__device__ int CAT(va, lue) = 3;
__global__ void k(int *p)
{
    FOR(i, 4) FOR(j, 3)
    {
        p[i * 3 + j] = value + i;
        if (j == 2) goto end;
    }
end:
    static_assert(sizeof(STR(a b)) == 4, "size");
    __shared__ int s[4];
    s[threadIdx.x & 3] = (int)(threadIdx.x ^ 0x1fu) >> 2;
    __syncthreads();
    union { int i; float f; } u = {s[0]};
    p[0] = u.f > 1.5f ? ~u.i : -u.i;
}

// Formats whose arguments do not fit, each with a warning, and others of which none is said; what a kernel's printf does not know is
// printed unchanged, as an H200 does.
#include <cstdio>
#include <cstdint>
enum Kind { one };
__global__ void kernel(size_t n, const float *p)
{
    printf("%zu %5zu %jd %Lf\n", n, n, n, 1.0);
    printf("%.*f\n", 2, 1.5);
    printf("1%hhd\n", 7);
    printf("%llu %d %5.2f %-3d|%*d %s %c %x %p\n", (unsigned long long)n, (int)n, p[0], 5, 4, 7, "text", 'c', one, (void *)0);
    printf("%d\n", p[0]);
}
int main()
{
    int i = 3;
    double d = 1.5;
    float f = 2.5f;
    char text[16] = "text";
    long long wide = 1;
    size_t size = 4;
    uint8_t byte = 5;
    short small = 6;
    printf("%d %i %u %x %c %hhu %hd %5.*f %-8s %p\n", i, true, i, i, 'c', byte, small, 1, f, text, nullptr);
    printf("%zu %lu %ld %lld %jd %td %lf %g %% %s %d\n", size, size, wide, wide, wide, text - text, d, f, i ? "a" : "b", one);
    printf("%d\n", f);
    printf("%f\n", i);
    printf("%d %d\n", i);
    printf("%d\n", i, i);
    printf("%ld\n", i);
    fprintf(stdout, "%d\n", size);
    snprintf(text, sizeof text, "%s", "short");
    sprintf(text, "%x", text);
    printf("100%\n");
    sscanf("1 2 3 4 five", "%d %f %lf %hhu %15s", &i, &f, &d, &byte, text);
    printf("%d %f %f %d %s\n", i, f, d, byte, text);
    sscanf("1 2 3", "%d %lf %f", i ? &i : 0, &f, &d);
    sscanf("1 skipped 2", "%d %*s %lld %n", &i, &wide, &i);
    sscanf("1", "%d %d", &i);
    if (i < 0) sscanf("1", "%d", i);
    float *p;
    cudaMallocManaged(&p, 4);
    *p = 1;
    kernel<<<1, 1>>>(size, p);
    cudaDeviceSynchronize();
    cudaFree(p);
    printf("%d %x\n", wide, (unsigned long long)wide);
}

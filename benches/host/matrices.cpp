// The product of two matrices of doubles, as the host of many programs finds what to compare with.
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv)
{
    if (argc == 1) return 0;
    const int times = atoi(argv[1]);
    const int n = 250;
    std::vector<double> a(n * n), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++) a[i] = i % 7, b[i] = i % 5;
    for (int pass = 0; pass < times; pass++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double sum = 0;
                for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
                c[i * n + j] += sum;
            }
    double trace = 0;
    for (int i = 0; i < n; i++) trace += c[i * n + i];
    printf("%g\n", trace);
}

// OpenMP's directives, whose work one thread does: variables that are private stay as they are outside.
#include <cstdio>
#include <omp.h>

int main()
{
    int x = 5, y = 7, i = 99, last = -1, t = 3, c = 0, a[10];
#pragma omp parallel for private(x) firstprivate(y)
    for (i = 0; i < 10; i++) {
        x = i;
        y += i;
        a[i] = x + (y > 7);
    }
    printf("%d %d %d %d\n", x, y, i, a[9]);
#pragma omp parallel for lastprivate(last) schedule(static, 2)
    for (int k = 0; k < 10; k++)
        last = k * 2;
    long sum = 100;
    int product = 1, most = 0;
#pragma omp parallel for reduction(+ : sum) reduction(max : most) reduction(* : product)
    for (int k = 1; k < 6; k++) {
        sum += k;
        most = a[k] > most ? a[k] : most;
        product *= k;
    }
    printf("%d %ld %d %d\n", last, sum, most, product);
    int j;
#pragma omp parallel for collapse(2) private(j)
    for (i = 0; i < 4; i++)
        for (j = 0; j < 5; j++) {
#pragma omp atomic
            c += i * j;
        }
#pragma omp parallel num_threads(1) private(t) shared(c) default(none)
    {
        t = 1;
#pragma omp critical
        {
            c += t;
        }
#pragma omp barrier
#pragma omp single
        c += 10;
#pragma omp master
        c += 100;
#pragma omp for nowait
        for (int k = 0; k < 3; k++)
            c += k;
    }
    printf("%d %d\n", c, t);
#pragma omp parallel sections
    {
#pragma omp section
        {
            c += 1000;
        }
#pragma omp section
        c += 2000;
    }
    if (c > 3000)
#pragma omp simd
        for (int k = 0; k < 10; k++)
            a[k] = k;
    printf("%d %d %d %d %d\n", c, a[3], omp_get_thread_num(), omp_get_num_threads(), omp_in_parallel());
}

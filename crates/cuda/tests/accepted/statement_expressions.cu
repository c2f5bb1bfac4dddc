// GNU C's `({ … })`: statements, and the value of the last one.
#define MAX(a, b) ({ __typeof__(a) _a = (a); __typeof__(b) _b = (b); _a > _b ? _a : _b; })
struct S { int a, b; };
__global__ void k(int *p, int n)
{
    p[0] = MAX(p[1], n);
    p[2] = ({ int s = 0; for (int i = 0; i < n; i++) s += p[i]; s; }) + MAX(MAX(n, 3), p[4]);
    ({ p[3] = 1; });
    S s = ({ S t; t.a = n; t.b = 2; t; });
    p[5] = s.a + s.b;
    if (({ int q = n; q > 2; })) p[6] = 1;
    p[8] = n > 3 ? ({ int r = n * 2; r; }) : 0;
    for (int i = 0; ({ i < n; }); i += ({ 1; })) p[9]++;
    p[10] = n > 1 && ({ p[11]++; true; });
    ({ if (n == 7) return; });
}

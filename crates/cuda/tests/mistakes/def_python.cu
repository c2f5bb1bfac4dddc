def k(a, n):
    i = threadIdx.x
    a[i] = n

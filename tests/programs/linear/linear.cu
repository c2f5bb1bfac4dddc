// Linear algebra in double precision, a block a system: elimination with pivots, Cholesky, conjugate gradients, Jacobi
// rotations of a symmetric matrix, and power iteration.

// [A|b] of n by n + 1 in shared memory; threads eliminate rows together.
extern "C" __global__ void eliminate(const double *matrices, const double *rights, double *solutions, int *pivots, int n)
{
    extern __shared__ double a[];
    __shared__ int chosen;
    int w = n + 1, t = threadIdx.x;
    for (int k = t; k < n * w; k += blockDim.x)
        a[k] = k % w < n ? matrices[blockIdx.x * n * n + k / w * n + k % w] : rights[blockIdx.x * n + k / w];
    __syncthreads();
    for (int c = 0; c < n; c++) {
        if (t == 0) {
            int best = c;
            for (int r = c + 1; r < n; r++)
                if (fabs(a[r * w + c]) > fabs(a[best * w + c]))
                    best = r;
            chosen = best;
            pivots[blockIdx.x * n + c] = best;
        }
        __syncthreads();
        int p = chosen;
        if (p != c)
            for (int k = t; k < w; k += blockDim.x) {
                double kept = a[c * w + k];
                a[c * w + k] = a[p * w + k];
                a[p * w + k] = kept;
            }
        __syncthreads();
        double inverse = 1.0 / a[c * w + c];
        for (int k = t; k < (n - c - 1) * (n - c); k += blockDim.x) {
            int r = c + 1 + k / (n - c), column = c + 1 + k % (n - c);
            a[r * w + column] -= a[r * w + c] * inverse * a[c * w + column];
        }
        __syncthreads();
    }
    for (int r = n - 1; r >= 0; r--) {
        if (t == 0)
            a[r * w + n] /= a[r * w + r];
        __syncthreads();
        for (int k = t; k < r; k += blockDim.x)
            a[k * w + n] -= a[k * w + r] * a[r * w + n];
        __syncthreads();
    }
    for (int k = t; k < n; k += blockDim.x)
        solutions[blockIdx.x * n + k] = a[k * w + n];
}

// A A^T + n I = L L^T.
extern "C" __global__ void cholesky(const double *matrix, double *factor, int n)
{
    __shared__ double l[16][17];
    int i = threadIdx.y, j = threadIdx.x;
    double sum = i == j ? n : 0;
    for (int k = 0; k < n; k++)
        sum += matrix[i * n + k] * matrix[j * n + k];
    l[i][j] = sum;
    __syncthreads();
    for (int c = 0; c < n; c++) {
        if (i == c && j == c)
            l[c][c] = sqrt(l[c][c]);
        __syncthreads();
        if (j == c && i > c)
            l[i][c] /= l[c][c];
        __syncthreads();
        if (j > c && i >= j)
            l[i][j] -= l[i][c] * l[j][c];
        __syncthreads();
    }
    factor[i * n + j] = i >= j ? l[i][j] : 0;
}

template <int Threads> __device__ double sum_of_block(double v)
{
    __shared__ double parts[Threads];
    __syncthreads();
    parts[threadIdx.x] = v;
    __syncthreads();
#pragma unroll
    for (int d = Threads / 2; d > 0; d >>= 1) {
        if (threadIdx.x < d)
            parts[threadIdx.x] += parts[threadIdx.x + d];
        __syncthreads();
    }
    return parts[0];
}

// -u'' = f by conjugate gradients: one thread a point.
extern "C" __global__ void __launch_bounds__(64) conjugate_gradients(const double *f, double *u, double *residuals, int steps)
{
    __shared__ double direction[66];
    int t = threadIdx.x;
    double x = 0, r = f[t], p = r;
    if (t == 0)
        direction[0] = direction[65] = 0;
    double rr = sum_of_block<64>(r * r);
    for (int s = 0; s < steps; s++) {
        direction[t + 1] = p;
        __syncthreads();
        double ap = 2 * p - direction[t] - direction[t + 2];
        double alpha = rr / sum_of_block<64>(p * ap);
        x += alpha * p;
        r -= alpha * ap;
        double next = sum_of_block<64>(r * r);
        p = r + next / rr * p;
        rr = next;
        if (t == 0)
            residuals[s] = sqrt(rr);
    }
    u[t] = x;
}

// Sturm sequence: how many eigenvalues of a tridiagonal matrix lie below x, and by bisection the k-th of them.
extern "C" __global__ void bisect(const double *diagonal, const double *side, double *values, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k >= n)
        return;
    double low = -20, high = 20;
    while (high - low > 1e-12 * fmax(1.0, fabs(low))) {
        double x = 0.5 * (low + high), d = 1;
        int below = 0;
        for (int i = 0; i < n; i++) {
            double b = i ? side[i - 1] : 0;
            d = diagonal[i] - x - b * b / d;
            if (d == 0)
                d = 1e-300;
            below += d < 0;
        }
        if (below > k)
            high = x;
        else
            low = x;
    }
    values[k] = 0.5 * (low + high);
}

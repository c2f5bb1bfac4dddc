// What an iteration stores, the next one reads: a solution by rows, a running maximum, the nearest of many.
#define N 6
__global__ void forward(const float *lower, const float *right, float *x)
{
    float y[N];
    for (int i = 0; i < N; ++i) {
        float sum = right[i];
        for (int k = 0; k < i; ++k) sum -= lower[i * N + k] * y[k];
        y[i] = sum / lower[i * N + i];
    }
    for (int i = 0; i < N; ++i) x[i] = y[i];
}

__global__ void largest(const float *in, float *out, int n)
{
    float most[2];
    float before;
    int count;
    for (int i = 0; i < n; ++i) {
        if (i == 0) {
            most[0] = in[0];
            count = 1;
        } else {
            most[0] = fmaxf(most[0], in[i]);
            ++count;
        }
        if (i > 0 && in[i] > before) out[i] = 1;
        before = in[i];
    }
    if (n > 0) out[0] = most[0] + count;
}

__global__ void nearest(const float *in, float *out, int n)
{
    float best[4];
    int kept = 0;
    for (int i = 0; i < n; ++i) {
        int at = kept;
        while (at > 0 && best[at - 1] > in[i]) {
            if (at < 4) best[at] = best[at - 1];
            --at;
        }
        if (at < 4) best[at] = in[i];
        kept = kept < 4 ? kept + 1 : 4;
    }
    for (int i = 0; i < kept; ++i) out[i] = best[i];
}

__global__ void by_state(const int *in, int *out, int n)
{
    int last;
    for (int i = 0; i < n; ++i) {
        switch (in[i]) {
        case 0: last = i; break;
        case 1: out[i] = last; break;
        default: break;
        }
    }
}

__global__ void unused(int *out)
{
    float left[4];
    (void)left;
    int no;
    (void)no;
    out[0] = 1;
}

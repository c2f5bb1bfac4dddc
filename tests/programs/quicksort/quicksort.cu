// Much control flow in each thread: quicksort with a stack of its own, heaps, eight queens by bit masks and by
// backtracking over an array, Collatz, primes, Towers of Hanoi, binary trees in an array, and a small virtual machine.
#ifdef __clang__
#include "../clang.h"
#endif

extern "C" __global__ void quicksort(int *keys, int *deepest, int n)
{
    int *a = keys + (blockIdx.x * blockDim.x + threadIdx.x) * n;
    struct Part {
        short low, high;
    } stack[24];
    int top = 0, deep = 0;
    stack[top++] = {0, (short)(n - 1)};
    while (top > 0) {
        deep = max(deep, top);
        Part p = stack[--top];
        int low = p.low, high = p.high;
        if (high - low < 4) {
            for (int i = low + 1; i <= high; i++) {
                int v = a[i], j = i;
                for (; j > low && a[j - 1] > v; j--)
                    a[j] = a[j - 1];
                a[j] = v;
            }
            continue;
        }
        int pivot = a[(low + high) / 2], i = low, j = high;
        do {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                int swap = a[i];
                a[i++] = a[j];
                a[j--] = swap;
            }
        } while (i <= j);
        if (low < j)
            stack[top++] = {(short)low, (short)j};
        if (i < high)
            stack[top++] = {(short)i, (short)high};
    }
    deepest[blockIdx.x * blockDim.x + threadIdx.x] = deep;
}

extern "C" __global__ void heapsort(unsigned short *keys, int n)
{
    unsigned short heap[20];
    unsigned short *mine = keys + threadIdx.x * n;
    for (int k = 0; k < n; k++)
        heap[k] = mine[k];
    auto sift = [&heap](int from, int size) {
        unsigned short v = heap[from];
        for (int child; (child = 2 * from + 1) < size; from = child) {
            if (child + 1 < size && heap[child + 1] > heap[child])
                child++;
            if (heap[child] <= v)
                break;
            heap[from] = heap[child];
        }
        heap[from] = v;
    };
    for (int k = n / 2; k-- > 0;)
        sift(k, n);
    for (int size = n; size-- > 1;) {
        unsigned short top = heap[0];
        heap[0] = heap[size];
        heap[size] = top;
        sift(0, size);
    }
    for (int k = 0; k < n; k++)
        mine[k] = heap[k];
}

// Each thread fixes the first two rows.
extern "C" __global__ void queens(int *solutions, int *backtracks, int n)
{
    int first = threadIdx.x / n, second = threadIdx.x % n, count = 0, back = 0;
    if (first < n && (first - second > 1 || second - first > 1)) {
        int columns[12], row = 2;
        columns[0] = first;
        columns[1] = second;
        columns[2] = -1;
        while (row >= 2) {
            bool free = false;
            while (!free && ++columns[row] < n) {
                free = true;
                for (int r = 0; r < row && free; r++) {
                    int d = columns[r] - columns[row];
                    free = d != 0 && d != row - r && d != r - row;
                }
            }
            if (!free) {
                row--;
                back++;
            } else if (row == n - 1)
                count++;
            else
                columns[++row] = -1;
        }
    }
    solutions[threadIdx.x] = count;
    backtracks[threadIdx.x] = back;
}

extern "C" __global__ void numbers(int *out, int from)
{
    int n = from + blockIdx.x * blockDim.x + threadIdx.x, steps = 0, factors = 0, left = n;
    for (unsigned long long v = n; v != 1; steps++)
        v = v % 2 ? 3 * v + 1 : v / 2;
    for (int p = 2; p * p <= left; p++)
        for (; left % p == 0; left /= p)
            factors = factors * 100 + p;
    int a = n, b = 5040;
    while (b) {
        int r = a % b;
        a = b;
        b = r;
    }
    long long power = 1, base = n % 1009;
    for (int e = 1007; e; e >>= 1, base = base * base % 1009)
        if (e & 1)
            power = power * base % 1009;
    int *mine = out + 5 * (blockIdx.x * blockDim.x + threadIdx.x);
    mine[0] = steps;
    mine[1] = factors;
    mine[2] = left;
    mine[3] = a;
    mine[4] = (int)power;
}

// A tree of keys in three arrays; insertion, then a walk in order without a stack by threads (Morris).
extern "C" __global__ void trees(const int *keys, int *walked, int n)
{
    int key[16], left[16], right[16], t = threadIdx.x;
    for (int k = 0; k < n; k++) {
        key[k] = keys[t * n + k];
        left[k] = right[k] = -1;
        int at = 0;
        while (k > 0) {
            int *next = key[k] < key[at] ? left + at : right + at;
            if (*next < 0) {
                *next = k;
                break;
            }
            at = *next;
        }
    }
    int at = 0, count = 0;
    while (at >= 0) {
        if (left[at] < 0) {
            walked[t * n + count++] = key[at];
            at = right[at];
            continue;
        }
        int before = left[at];
        while (right[before] >= 0 && right[before] != at)
            before = right[before];
        if (right[before] < 0) {
            right[before] = at;
            at = left[at];
        } else {
            right[before] = -1;
            walked[t * n + count++] = key[at];
            at = right[at];
        }
    }
}

// Instructions of a byte; each thread starts with another accumulator.
extern "C" __global__ void machine(const unsigned char *code, int *results, int size)
{
    int stack[8] = {0}, top = 0, at = 0, acc = threadIdx.x, steps = 0;
    while (at >= 0 && at < size && steps++ < 200) {
        unsigned char op = code[at++];
        switch (op & 15) {
        case 0: acc += op >> 4; break;
        case 1: acc -= op >> 4; break;
        case 2: acc *= (op >> 4) + 2; break;
        case 3: stack[top & 7] = acc, top++; break;
        case 4: top--, acc += stack[top & 7]; break;
        case 5: if (acc & 1) at += op >> 5; break;
        case 6: if (acc % 7 == 3) at -= op >> 4; break;
        case 7: acc ^= acc << (op >> 5); break;
        case 8: acc = (int)((unsigned)acc >> (op >> 6)); break;
        case 9: acc = -acc; break;
        case 10: acc = stack[(top + (op >> 4)) & 7]; break;
        case 11: if (acc < 0) acc = ~acc; break;
        case 12: at = acc & 1 ? at : (op >> 4) * 3; break;
        case 13: acc /= (op >> 4) + 1; break;
        default: acc += steps; break;
        }
    }
    results[2 * threadIdx.x] = acc;
    results[2 * threadIdx.x + 1] = steps;
}

// Functions that call themselves and each other, each lane to a depth of its own, but none deeper than the 1 KiB of stack
// that a GPU gives a thread by default allows.

__device__ __noinline__ int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ __noinline__ int ackermann(int m, int n)
{
    if (m == 0)
        return n + 1;
    if (n == 0)
        return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

__device__ bool odd(unsigned n);
__device__ __noinline__ bool even(unsigned n)
{
    return n == 0 ? true : odd(n - 1);
}
__device__ __noinline__ bool odd(unsigned n)
{
    return n == 0 ? false : even(n - 1);
}

// Two functions that need each other's results, so that no call is a tail call.
__device__ int male(int n);
__device__ __noinline__ int female(int n)
{
    return n == 0 ? 1 : n - male(female(n - 1));
}
__device__ __noinline__ int male(int n)
{
    return n == 0 ? 0 : n - female(male(n - 1));
}

extern "C" __global__ void numbers(int *out)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    int *mine = out + 5 * t;
    mine[0] = fibonacci(t % 9);
    mine[1] = ackermann(t % 3, t % 4 / 2 + t % 2);
    mine[2] = even(t % 9) ? 2 : odd(t % 9) ? 1 : 0;
    mine[3] = female(t % 7);
    mine[4] = male(t % 7);
}

__device__ void quicksort(int *keys, int low, int high)
{
    while (low < high) {
        int pivot = keys[(low + high) / 2], i = low, j = high;
        while (i <= j) {
            while (keys[i] < pivot)
                i++;
            while (keys[j] > pivot)
                j--;
            if (i <= j) {
                int swapped = keys[i];
                keys[i++] = keys[j];
                keys[j--] = swapped;
            }
        }
        if (j - low < high - i) { // the shorter part by a call, the longer one here: the stack stays short
            quicksort(keys, low, j);
            low = i;
        } else {
            quicksort(keys, i, high);
            high = j;
        }
    }
}

// Each thread sorts an array of its own, in local memory.
extern "C" __global__ void sort_each(int *out, int n)
{
    int keys[24], t = threadIdx.x;
    unsigned seed = 12345 + 977 * t;
    for (int i = 0; i < n; i++) {
        seed = seed * 1664525 + 1013904223;
        keys[i] = seed >> 20;
    }
    quicksort(keys, 0, n - 1 - t % 4);
    for (int i = 0; i < n; i++)
        out[t * n + i] = keys[i];
}

struct Node {
    int key, left, right; // children by number; -1: none
};

__device__ int height_and_sum(const Node *nodes, int at, int *sum)
{
    if (at < 0)
        return 0;
    int left = height_and_sum(nodes, nodes[at].left, sum);
    *sum += nodes[at].key * (left + 1);
    int right = height_and_sum(nodes, nodes[at].right, sum);
    return 1 + (left > right ? left : right);
}

// A search tree each thread builds in global memory, walked by recursion and again with a stack of its own.
extern "C" __global__ void trees(Node *space, int n, int *out)
{
    int t = threadIdx.x;
    Node *nodes = space + t * n;
    unsigned seed = 99 + t;
    for (int made = 0; made < n; made++) {
        seed = seed * 1103515245 + 12345;
        int key = seed >> 16 & 1023;
        nodes[made] = {key, -1, -1};
        for (int at = 0; made > 0;) {
            int &next = key < nodes[at].key ? nodes[at].left : nodes[at].right;
            if (next < 0) {
                next = made;
                break;
            }
            at = next;
        }
    }
    int sum = 0, height = height_and_sum(nodes, 0, &sum);
    int stack[32], depth = 0, order = 0, at = 0, place = 1;
    while (at >= 0 || depth > 0) {
        while (at >= 0) {
            stack[depth++] = at;
            at = nodes[at].left;
        }
        at = stack[--depth];
        order += nodes[at].key * place++;
        at = nodes[at].right;
    }
    out[3 * t] = height;
    out[3 * t + 1] = sum;
    out[3 * t + 2] = order;
}

// Control flow that parts a warp: early returns, loops of unequal length with break and continue, nested branches,
// goto into shared tails, short-circuit conditions, and lanes that are off for whole calls.
#ifdef __clang__
#include "../clang.h"
#endif

extern "C" __global__ void loops(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i], sum = 0;
    if (v % 5 == 3) {
        out[i] = -v;
        return;
    }
    for (int a = 0; a < v % 11; a++) {
        if (a == 7)
            break;
        for (int b = a;; b += 2) {
            if (b > v % 17)
                break;
            if ((a + b) % 3 == 0)
                continue;
            sum += a * b;
            if (sum > 500)
                goto enough;
        }
        int c = v;
        do {
            c = c & 1 ? c * 3 + 1 : c / 2;
            if (c == 0)
                break;
            sum++;
        } while (c > 4);
    }
    sum += 1000;
enough:
    out[i] = sum;
}

__device__ __noinline__ int costly(int v, int depth)
{
    int r = v;
    for (int k = 0; k < depth; k++)
        r = r * 5 + (r >> 3);
    return r;
}

extern "C" __global__ void branches(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i], r;
    if (v & 1) {
        if (v & 2)
            r = costly(v, v % 6);
        else if (v & 4 && v % 3 == 0 || v > 150 && v % 7 != 1)
            r = v & 8 ? costly(v + 1, 2) : -3;
        else
            r = v > 60 ? v - 60 : (v > 30 ? v * 2 : v * 3);
    } else {
        r = 0;
        while (r * r < v) {
            r++;
            if (v % 10 == 4 && r > 5)
                goto tail;
        }
        r = costly(r, 3);
    tail:
        r ^= 0x33;
    }
    // Loops entered by some lanes, left by others at another place.
    int x = i, state = v % 3, steps = 0;
    while (steps < 40) {
        if (state == 0) {
            x = x * 2 + 1;
            state = x % 3;
        } else if (state == 1) {
            x -= 7;
            if (x < -50)
                break;
            state = 2;
        } else {
            x ^= 0x15;
            state = (x & 1) ? 0 : 1;
            if (x > 4000)
                break;
        }
        steps++;
    }
    out[i] = r * 64 + steps + x;
}

// Lanes leave one after the other; those that remain vote on.
extern "C" __global__ void dwindling(int *out)
{
    int lane = threadIdx.x & 31, alive = 0;
    for (int round = 0; round < 33; round++) {
        if (lane == round)
            return;
        unsigned left = round >= 31 ? 0u : ~0u << (round + 1);
        alive += __popc(__ballot_sync(left, lane % 2 == 0));
        out[threadIdx.x] = alive * 100 + round;
    }
}

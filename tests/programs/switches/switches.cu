// Dense switches (jump tables), a sparse one, one that falls through, and a small byte-code machine.
#ifdef __clang__
#include "../clang.h"
#endif

extern "C" __global__ void dense(const int *in, int *out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int v = in[i] * 31 >> 2, r;
    switch (v % 12) {
    case 0: r = v + 1; break;
    case 1: r = v * v; break;
    case 2: r = v ^ 0x55; break;
    case 3: r = v / 7; break;
    case 4: r = -v; break;
    case 5: r = in[(i + 5) % n]; break;
    case 6: r = v << 3; break;
    case 7: r = ~v; break;
    case 8: r = v % 1000; break;
    case 9: r = in[n - 1 - i] - v; break;
    case 10: r = v & 0xf0f; break;
    default: r = 42; break;
    }
    switch (r & 7) { // falls through
    case 7: r += 3;
    case 6: r *= 5;
    case 5: r -= in[0] + 2; break;
    case 4: r ^= r << 1;
    case 3: r += 11;
    case 2: return;
    case 1: r = r * 3 + 1;
    case 0: r >>= 1;
    }
    switch (r) { // sparse
    case -100000: r = 1; break;
    case 17: r = 2; break;
    case 4096: r = 3; break;
    case 1 << 30: r = 4; break;
    }
    out[i] = r;
}

enum Op { PUSH, ADD, SUB, MUL, DUP, SWAP, OVER, JUMP_IF, DROP, LANE, XOR, SHIFT, HALT };

__constant__ signed char program[32] = {
    LANE, PUSH, 9, ADD, PUSH, 1, SWAP,            // acc n
    DUP, PUSH, 1, SUB, SWAP, LANE, XOR,           // loop at 7
    PUSH, 3, SHIFT, DROP, DUP, PUSH, 2, SUB,
    JUMP_IF, 7, OVER, MUL, LANE, SUB, HALT,
};

// Collatz-like byte code; every lane's loop count differs.
extern "C" __global__ void machine(int *out, int limit)
{
    int stack[16], top = 0, at = 0, steps = 0;
    for (int i = 0; i < 16; i++)
        stack[i] = 0;
    int lane = blockIdx.x * blockDim.x + threadIdx.x;
    for (bool running = true; running && steps < limit; steps++) {
        int op = program[at++];
        switch (op) {
        case PUSH: stack[top++ & 15] = program[at++]; break;
        case ADD: top--; stack[top - 1 & 15] += stack[top & 15]; break;
        case SUB: top--; stack[top - 1 & 15] -= stack[top & 15]; break;
        case MUL: top--; stack[top - 1 & 15] *= stack[top & 15]; break;
        case XOR: top--; stack[top - 1 & 15] ^= stack[top & 15]; break;
        case SHIFT: top--; stack[top - 1 & 15] >>= stack[top & 15]; break;
        case DUP: stack[top & 15] = stack[top - 1 & 15]; top++; break;
        case OVER: stack[top & 15] = stack[top - 2 & 15]; top++; break;
        case SWAP: {
            int kept = stack[top - 1 & 15];
            stack[top - 1 & 15] = stack[top - 2 & 15];
            stack[top - 2 & 15] = kept;
            break;
        }
        case JUMP_IF: {
            int to = program[at++];
            if (stack[--top & 15] > 0)
                at = to;
            break;
        }
        case DROP: top--; break;
        case LANE: stack[top++ & 15] = lane; break;
        case HALT: running = false; break;
        }
    }
    int sum = steps * 1000 + top;
    for (int i = 0; i < 16; i++)
        sum = sum * 33 + stack[i];
    out[lane] = sum;
}

// A hash table with open addressing: 64-bit slots of key and value, claimed by compare-and-swap; then looked up.
// Which slot a key gets depends on the order of the threads, what is found does not.

__device__ unsigned slot_of(unsigned key, unsigned slots)
{
    key ^= key >> 16;
    key *= 0x45d9f3bu;
    key ^= key >> 16;
    return key & (slots - 1);
}

// Each key is inserted by several threads; its value is the sum of what they bring.
extern "C" __global__ void insert(unsigned long long *table, unsigned slots, int n, unsigned *distinct)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned key = i * 7 % 601 + 1, value = i;
    unsigned long long fresh = (unsigned long long)key << 32 | value;
    for (unsigned at = slot_of(key, slots);; at = (at + 1) & (slots - 1)) {
        unsigned long long seen = atomicCAS(&table[at], 0ull, fresh);
        if (seen == 0) {
            atomicAdd(distinct, 1u);
            return;
        }
        while (seen >> 32 == key) {
            unsigned long long before = seen;
            seen = atomicCAS(&table[at], before, before + value);
            if (seen == before)
                return;
        }
    }
}

extern "C" __global__ void look_up(const unsigned long long *table, unsigned slots, unsigned *found, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned key = i + 1, at = slot_of(key, slots);
    while (table[at] != 0 && table[at] >> 32 != key)
        at = (at + 1) & (slots - 1);
    found[i] = table[at] == 0 ? 0xffffffffu : (unsigned)table[at];
}

// Linked lists in an arena: heads are exchanged; the sum over each list does not depend on the order.
extern "C" __global__ void push(int *heads, int2 *nodes, int *used, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int node = atomicAdd(used, 1);
    nodes[node] = make_int2(i * i, atomicExch(&heads[i % 13], node));
}

extern "C" __global__ void sum_lists(const int *heads, const int2 *nodes, int *sums)
{
    int sum = 0;
    for (int at = heads[threadIdx.x]; at >= 0; at = nodes[at].y)
        sum += nodes[at].x;
    sums[threadIdx.x] = sum;
}

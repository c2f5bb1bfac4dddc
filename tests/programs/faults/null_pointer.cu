// Follows a list to its end, and one further: thread t takes t steps, and the list has 5 nodes.
struct Node {
    int value;
    Node *next;
};
__device__ Node e = {5, nullptr}, d = {4, &e}, c = {3, &d}, b = {2, &c}, a = {1, &b};

extern "C" __global__ void follow(int *out)
{
    const Node *at = &a;
    for (int k = 0; k < threadIdx.x; k++)
        at = at->next;
    out[threadIdx.x] = at->value; // fault
}

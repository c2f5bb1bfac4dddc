extern "C" __global__ void begin(int *level)
{
    level[0] = 0;
}
extern "C" __global__ void visit(const int *rows, const int *edges, int *level, int *more, int now, int n)
{
    int v = blockIdx.x * blockDim.x + threadIdx.x;
    if (v < n && level[v] == now)
        for (int e = rows[v] * 4; e < rows[v + 1] * 4; e++) {
            int to = edges[e];
            if (level[to] < 0) {
                level[to] = now + 1;
                *more = 1;
            }
        }
}

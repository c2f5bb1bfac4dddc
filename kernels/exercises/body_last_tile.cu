// Complete the last tile.
//
// The bodies go through shared memory in tiles of 64. Each thread of a block loads one
// body of the tile, and then each adds up the pull of the whole tile. That is right as
// long as the number of bodies is a multiple of 64.
//
// Make it right for any number of bodies. A thread may load its own body, and one body
// for each tile.

#define TILE 64

__device__ void interact(float3 &a, float4 me, float4 other)
{
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.25f); // ε² = 0.25
    float pull = other.w * inverse * inverse * inverse;          // the mass is in w
    a.x += dx * pull;
    a.y += dy * pull;
    a.z += dz * pull;
}

__global__ void accelerate(const float4 *bodies, float3 *acceleration, int n)
{
    __shared__ float4 tile[TILE];
    int i = blockIdx.x * TILE + threadIdx.x;
    //<
    float4 me = bodies[min(i, n - 1)];
    //| skeleton
    float4 me = bodies[i];
    //| no threads without a body
    if (i >= n) return;
    float4 me = bodies[i];
    //>
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int start = 0; start < n; start += TILE) {
        int j = start + threadIdx.x;
        //<
        tile[threadIdx.x] = j < n ? bodies[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        //| skeleton
        tile[threadIdx.x] = bodies[j];
        //| the last body again
        tile[threadIdx.x] = bodies[min(j, n - 1)];
        //| what the tile had before
        if (j < n) tile[threadIdx.x] = bodies[j];
        //>
        __syncthreads();
        for (int k = 0; k < TILE; k++) interact(a, me, tile[k]);
        __syncthreads();
    }
    //<
    if (i < n) acceleration[i] = a;
    //| skeleton
    acceleration[i] = a;
    //>
}

// Take the bodies through constant memory in passes.
//
// All threads go through the same list in the same order: constant memory would serve a
// whole warp at once, but it holds no more than 64 bodies here. So the host makes
// several passes. In each it copies the next bodies to `pass_bodies`, `count` of them
// starting at body `first`, and then launches the kernel. Passes follow one another; in
// the last one `count` may be less than 64. As it stands, the kernel reads all n bodies
// from global memory in every pass.
//
// Change it so that a pass adds the pull of its own bodies alone, read from constant
// memory. When the last pass is done, `acceleration` must hold the sum over all passes;
// nobody has cleared it before the first. A warp may make no more than seven requests
// of global memory in a pass.

#define PASS 64

__constant__ float4 pass_bodies[PASS];

__device__ void interact(float3 &a, float4 me, float4 other)
{
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + 0.25f); // ε² = 0.25
    float pull = other.w * inverse * inverse * inverse;          // the mass is in w
    a.x += dx * pull;
    a.y += dy * pull;
    a.z += dz * pull;
}

__global__ void accelerate(const float4 *bodies, float3 *acceleration, int n, int first,
                           int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float4 me = bodies[i];
    //<
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    if (first > 0) a = acceleration[i];
    for (int j = 0; j < count; j++) interact(a, me, pass_bodies[j]);
    //| skeleton
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < n; j++) interact(a, me, bodies[j]);
    //| the last pass alone
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    for (int j = 0; j < count; j++) interact(a, me, pass_bodies[j]);
    //| always added
    float3 a = acceleration[i];
    for (int j = 0; j < count; j++) interact(a, me, pass_bodies[j]);
    //| 64 bodies in every pass
    float3 a = make_float3(0.0f, 0.0f, 0.0f);
    if (first > 0) a = acceleration[i];
    for (int j = 0; j < PASS; j++) interact(a, me, pass_bodies[j]);
    //>
    acceleration[i] = a;
}

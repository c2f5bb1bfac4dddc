// Operators and functions of vectors, which NVIDIA's samples have in a header, on both sides.
#include <cstdio>
#include <helper_math.h>

struct Results {
    float3 a, b, c, d;
    float4 e, f;
    float2 g, h;
    int3 i, j;
    uint2 k;
    float l;
    int m;
};

__host__ __device__ void compute(Results &r, float3 p, float4 q, int3 n)
{
    r.a = p + 2.0f * make_float3(1, 2, 3) - make_float3(0.5f) / p;
    r.b = normalize(cross(p, make_float3(0, 0, 1)));
    r.c = reflect(p, make_float3(0, 1, 0));
    r.d = clamp(-p * 3.0f, -4.0f, make_float3(q).y);
    r.e = lerp(q, make_float4(p, 1), 0.25f);
    r.f = fmaxf(floorf(q), make_float4(n.x));
    r.f *= 2.0f;
    r.g = smoothstep(make_float2(0, 1), make_float2(2), make_float2(p));
    r.h = fracf(make_float2(q.x, q.y)) + fabs(make_float2(-1, 2)) + fmodf(make_float2(7.5f), make_float2(2, 4));
    r.i = min(n, make_int3(4)) + max(n, make_int3(1)) * 2 - abs(-n);
    r.j = make_int3(p);
    r.j += n;
    r.k = clamp(make_uint2(9, 2), 3u, 7u);
    r.l = length(q) + dot(p, p);
    r.m = dot(n, make_int3(1, 10, 100));
}

__global__ void kernel(Results *r, float3 p, float4 q, int3 n) { compute(*r, p, q, n); }

void print(const Results &r)
{
    printf("%g %g %g  %g %g %g  %g %g %g  %g %g %g\n", r.a.x, r.a.y, r.a.z, r.b.x, r.b.y, r.b.z, r.c.x, r.c.y, r.c.z, r.d.x,
           r.d.y, r.d.z);
    printf("%g %g %g %g  %g %g %g %g  %g %g  %g %g\n", r.e.x, r.e.y, r.e.z, r.e.w, r.f.x, r.f.y, r.f.z, r.f.w, r.g.x, r.g.y,
           r.h.x, r.h.y);
    printf("%d %d %d  %d %d %d  %u %u  %g %d\n", r.i.x, r.i.y, r.i.z, r.j.x, r.j.y, r.j.z, r.k.x, r.k.y, r.l, r.m);
}

int main()
{
    float3 p = make_float3(1, 2, 4);
    float4 q = make_float4(make_float3(0.5f, 1.25f, -3.0f), 2);
    int3 n = make_int3(make_float3(1.5f, 6.5f, 3.0f));
    Results host, *data;
    compute(host, p, q, n);
    print(host);
    cudaMalloc(&data, sizeof *data);
    kernel<<<1, 1>>>(data, p, q, n);
    cudaMemcpy(&host, data, sizeof host, cudaMemcpyDeviceToHost);
    print(host);
    cudaFree(data);
}

// A ray tracer with its spheres in constant memory: shadows, one reflection, and early exit of rays that hit nothing.
#ifdef __clang__
#include "../clang.h"
#endif

struct Sphere {
    float x, y, z, radius, r, g, b, mirror;
};
__constant__ Sphere spheres[6]; // written by the job
__constant__ float light[3] = {4, 7, -3};

struct Hit {
    float distance;
    int sphere;
};

__device__ Hit nearest(const float *from, const float *to)
{
    Hit best = {1e20f, -1};
    for (int s = 0; s < 6; s++) {
        const Sphere &ball = spheres[s];
        float ox = from[0] - ball.x, oy = from[1] - ball.y, oz = from[2] - ball.z;
        float half = ox * to[0] + oy * to[1] + oz * to[2];
        float inside = half * half - (ox * ox + oy * oy + oz * oz - ball.radius * ball.radius);
        if (inside < 0)
            continue;
        float t = -half - sqrtf(inside);
        if (t > 1e-3f && t < best.distance) {
            best.distance = t;
            best.sphere = s;
        }
    }
    return best;
}

__device__ void normalise(float *v)
{
    float length = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    v[0] /= length, v[1] /= length, v[2] /= length;
}

extern "C" __global__ void render(unsigned char *image, int width, int height)
{
    int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
    if (px >= width || py >= height)
        return;
    float from[3] = {0, 0, -5}, to[3] = {(px + 0.5f) / width * 2 - 1, 1 - (py + 0.5f) / height * 2, 2};
    normalise(to);
    float colour[3] = {0, 0, 0}, weight = 1;
    for (int bounce = 0; bounce < 3; bounce++) {
        Hit hit = nearest(from, to);
        if (hit.sphere < 0) {
            for (int c = 0; c < 3; c++)
                colour[c] += weight * (0.2f + 0.1f * c);
            break;
        }
        const Sphere &ball = spheres[hit.sphere];
        float at[3], normal[3], lamp[3];
        for (int c = 0; c < 3; c++)
            at[c] = from[c] + to[c] * hit.distance;
        normal[0] = (at[0] - ball.x) / ball.radius, normal[1] = (at[1] - ball.y) / ball.radius, normal[2] = (at[2] - ball.z) / ball.radius;
        for (int c = 0; c < 3; c++)
            lamp[c] = light[c] - at[c];
        normalise(lamp);
        float lit = fmaxf(0.0f, normal[0] * lamp[0] + normal[1] * lamp[1] + normal[2] * lamp[2]);
        if (lit > 0 && nearest(at, lamp).sphere >= 0)
            lit = 0;
        float own = weight * (1 - ball.mirror) * (0.1f + 0.9f * lit);
        colour[0] += own * ball.r, colour[1] += own * ball.g, colour[2] += own * ball.b;
        weight *= ball.mirror;
        if (weight < 0.01f)
            break;
        float into = to[0] * normal[0] + to[1] * normal[1] + to[2] * normal[2];
        for (int c = 0; c < 3; c++) {
            from[c] = at[c];
            to[c] -= 2 * into * normal[c];
        }
    }
    for (int c = 0; c < 3; c++)
        image[(py * width + px) * 3 + c] = (unsigned char)(fminf(colour[c], 1.0f) * 255);
}

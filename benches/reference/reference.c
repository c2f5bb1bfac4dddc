// The benchmarks' computations in C, as one would write them for one thread.
//
//     reference WORKLOAD N REPEATS INPUT OUTPUT
//
// reads INPUT (floats, as reference.rs lists them), computes REPEATS times, writes the last result to OUTPUT and prints the
// shortest and the total time, in nanoseconds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define RADIUS 4
#define SPHERES 20

// in: RADIUS + 1 coefficients, then n values with RADIUS more on either side.
static void stencil(const float *restrict in, float *restrict out, int n) {
    const float *coef = in, *x = in + RADIUS + 1 + RADIUS;
    for (int i = 0; i < n; i++) {
        float sum = 0.0f;
        for (int j = 1; j <= RADIUS; j++) sum += coef[j] * (x[i + j] - x[i - j]);
        out[i] = sum;
    }
}

// in: both matrices. The middle loop goes over k, so that the innermost one walks along rows.
static void product(const float *restrict in, float *restrict out, int n) {
    const float *a = in, *b = in + (size_t)n * n;
    memset(out, 0, sizeof(float) * n * n);
    for (int row = 0; row < n; row++) {
        for (int k = 0; k < n; k++) {
            float left = a[row * n + k];
            for (int column = 0; column < n; column++) out[row * n + column] += left * b[k * n + column];
        }
    }
}

// in: x, y, z and mass of each body.
static void forces(const float *restrict in, float *restrict out, int n) {
    for (int i = 0; i < n; i++) {
        const float *me = in + 4 * i;
        float ax = 0.0f, ay = 0.0f, az = 0.0f;
        for (int j = 0; j < n; j++) {
            const float *other = in + 4 * j;
            float dx = other[0] - me[0], dy = other[1] - me[1], dz = other[2] - me[2];
            float inverse = 1.0f / sqrtf(dx * dx + dy * dy + dz * dz + 0.01f);
            float pull = other[3] * inverse * inverse * inverse;
            ax += dx * pull;
            ay += dy * pull;
            az += dz * pull;
        }
        out[4 * i] = ax, out[4 * i + 1] = ay, out[4 * i + 2] = az, out[4 * i + 3] = 0.0f;
    }
}

struct Sphere {
    float red, green, blue, radius, x, y, z;
};

// in: the spheres. out: four bytes a pixel of n x n.
static void render(const float *restrict in, float *restrict out, int n) {
    const struct Sphere *spheres = (const struct Sphere *)in;
    unsigned char *image = (unsigned char *)out;
    for (int y = 0; y < n; y++) {
        for (int x = 0; x < n; x++) {
            float ray_x = x - n / 2, ray_y = y - n / 2;
            float red = 0.0f, green = 0.0f, blue = 0.0f, nearest = -1e20f;
            for (int i = 0; i < SPHERES; i++) {
                const struct Sphere *sphere = &spheres[i];
                float dx = ray_x - sphere->x, dy = ray_y - sphere->y;
                float inside = sphere->radius * sphere->radius - dx * dx - dy * dy;
                if (inside <= 0.0f) continue;
                float height = sqrtf(inside);
                float depth = height + sphere->z;
                if (depth <= nearest) continue;
                float shade = height / sphere->radius;
                red = sphere->red * shade, green = sphere->green * shade, blue = sphere->blue * shade;
                nearest = depth;
            }
            unsigned char *pixel = image + 4 * ((size_t)y * n + x);
            pixel[0] = red * 255.0f, pixel[1] = green * 255.0f, pixel[2] = blue * 255.0f, pixel[3] = 255;
        }
    }
}

static const struct {
    const char *name;
    void (*compute)(const float *restrict, float *restrict, int);
    int squared, words; // words of a result: words * n, or words * n * n
} WORKLOADS[] = {{"stencil", stencil, 0, 1}, {"product", product, 1, 1}, {"forces", forces, 0, 4}, {"render", render, 1, 1}};

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1e9 + time.tv_nsec;
}

static int fail(const char *what) {
    perror(what);
    return 1;
}

int main(int argc, char **argv) {
    if (argc != 6) return fprintf(stderr, "usage: reference WORKLOAD N REPEATS INPUT OUTPUT\n"), 2;
    int n = atoi(argv[2]), repeats = atoi(argv[3]);
    FILE *input = fopen(argv[4], "rb");
    if (!input || fseek(input, 0, SEEK_END)) return fail(argv[4]);
    long bytes = ftell(input);
    rewind(input);
    float *in = malloc(bytes);
    if (!in || fread(in, 1, bytes, input) != (size_t)bytes) return fail(argv[4]);
    for (size_t w = 0; w < sizeof WORKLOADS / sizeof *WORKLOADS; w++) {
        if (strcmp(argv[1], WORKLOADS[w].name)) continue;
        size_t words = (size_t)WORKLOADS[w].words * n * (WORKLOADS[w].squared ? n : 1);
        float *out = malloc(words * sizeof *out);
        if (!out) return fail("out");
        memset(out, 1, words * sizeof *out); // the pages are there before the clock runs
        double best = INFINITY, total = 0;
        for (int r = 0; r < repeats; r++) {
            double started = now();
            WORKLOADS[w].compute(in, out, n);
            double took = now() - started;
            total += took;
            best = fmin(best, took);
        }
        FILE *output = fopen(argv[5], "wb");
        if (!output || fwrite(out, sizeof *out, words, output) != words || fclose(output)) return fail(argv[5]);
        printf("%.0f %.0f\n", best, total);
        return 0;
    }
    return fprintf(stderr, "no workload %s\n", argv[1]), 2;
}

// N-body: the forces between all pairs in single precision, with square roots.
#include <cmath>
#include <cstdio>
#include <cstdlib>

struct Body {
    float x, y, z, mass, vx, vy, vz;
};

int main(int argc, char **argv)
{
    if (argc == 1) return 0;
    const int times = atoi(argv[1]);
    const int n = 1000;
    static Body bodies[n];
    for (int i = 0; i < n; i++) bodies[i] = {float(i % 10), float(i / 10 % 10), float(i / 100), 1.0f + i % 3, 0, 0, 0};
    for (int pass = 0; pass < times; pass++) {
        for (Body &one : bodies)
            for (const Body &other : bodies) {
                float x = other.x - one.x, y = other.y - one.y, z = other.z - one.z;
                float squared = x * x + y * y + z * z + 0.01f;
                float scale = 0.001f * other.mass / (squared * std::sqrt(squared));
                one.vx += x * scale, one.vy += y * scale, one.vz += z * scale;
            }
        for (Body &one : bodies) one.x += one.vx, one.y += one.vy, one.z += one.vz;
    }
    float sum = 0;
    for (const Body &one : bodies) sum += one.x + one.y + one.z;
    printf("%.3g\n", sum);
}

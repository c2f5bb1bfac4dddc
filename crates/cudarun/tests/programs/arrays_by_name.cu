// `new` of a type that is an array by its name is `new` of its elements.
#include <cstdio>

typedef double matrix[9];
using grid = int[2][3];

struct Part {
    int value = 7;
    ~Part() { printf("part %d ends\n", value); }
};
typedef Part pair[2];

__global__ void fill(u_int *out) {
    typedef u_int four[4];
    u_int *own = new four{1, 2};
    for (u_char i = 0; i < 4; i++) out[i] = own[i];
    delete[] own;
}

int main() {
    double *zeros = new matrix{};
    double *some = new matrix{1, 2};
    int(*rows)[3] = new grid();
    matrix *several = new matrix[2];
    several[1][8] = 4;
    printf("%g %g %g %d %g\n", zeros[8], some[1], some[8], rows[1][2], several[1][8]);
    Part *parts = new pair;
    parts[1].value = 8;
    delete[] parts;
    delete[] zeros;
    delete[] some;
    delete[] rows;
    delete[] several;
    u_int *device, host[4];
    cudaMalloc(&device, sizeof host);
    fill<<<1, 1>>>(device);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    printf("%u %u %u %u\n", host[0], host[1], host[2], host[3]);
    cudaFree(device);
}

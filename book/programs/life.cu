// Life: a glider, generation by generation, with two buffers that change places
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define CHECK(call)                                                            \
    do {                                                                       \
        cudaError_t error = (call);                                            \
        if (error != cudaSuccess) {                                            \
            fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(error));     \
            exit(1);                                                           \
        }                                                                      \
    } while (0)

const int WIDTH = 40, HEIGHT = 12;

__global__ void step(const unsigned char *now, unsigned char *next) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= WIDTH || y >= HEIGHT) return;
    int neighbours = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy) neighbours += now[(y + dy + HEIGHT) % HEIGHT * WIDTH + (x + dx + WIDTH) % WIDTH];
    next[y * WIDTH + x] = neighbours == 3 || (neighbours == 2 && now[y * WIDTH + x]);
}

int main() {
    std::vector<unsigned char> cells(WIDTH * HEIGHT);
    const int glider[][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (auto [x, y] : glider) cells[y * WIDTH + x] = 1;
    unsigned char *now, *next;
    CHECK(cudaMalloc(&now, cells.size()));
    CHECK(cudaMalloc(&next, cells.size()));
    CHECK(cudaMemcpy(now, cells.data(), cells.size(), cudaMemcpyHostToDevice));

    dim3 block(16, 16), grid((WIDTH + 15) / 16, (HEIGHT + 15) / 16);
    for (int generation = 0; generation <= 24; generation++) {
        if (generation % 8 == 0) {
            CHECK(cudaMemcpy(cells.data(), now, cells.size(), cudaMemcpyDeviceToHost));
            printf("generation %d\n", generation);
            for (int y = 0; y < HEIGHT; y++) {
                for (int x = 0; x < WIDTH; x++) putchar(cells[y * WIDTH + x] ? '#' : '.');
                putchar('\n');
            }
        }
        step<<<grid, block>>>(now, next);
        CHECK(cudaGetLastError());
        std::swap(now, next);
    }
    CHECK(cudaFree(now));
    CHECK(cudaFree(next));
}

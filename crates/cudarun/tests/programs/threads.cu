// POSIX threads run one after the other, and what would wait for another one ends the program; ranges of NVIDIA's tools extension.
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int total;
struct Part {
    int from, to;
};

static void *sum(void *argument) {
    struct Part *part = (struct Part *)argument;
    int *all = (int *)malloc(sizeof(int));
    *all = 0;
    for (int i = part->from; i < part->to; i++) *all += i;
    pthread_mutex_lock(&lock);
    total += *all;
    pthread_mutex_unlock(&lock);
    return all;
}

int main() {
    pthread_t threads[4];
    struct Part parts[4];
    printf("depth %d\n", nvtxRangePush("sum"));
    for (int i = 0; i < 4; i++) {
        parts[i].from = 25 * i;
        parts[i].to = 25 * i + 25;
        if (pthread_create(&threads[i], NULL, sum, &parts[i])) return 1;
    }
    for (int i = 0; i < 4; i++) {
        void *all;
        pthread_join(threads[i], &all);
        printf("%d\n", *(int *)all);
        free(all);
    }
    printf("depth %d, total %d\n", nvtxRangePop(), total);
    pthread_barrier_t barrier;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_barrier_wait(&barrier);
}

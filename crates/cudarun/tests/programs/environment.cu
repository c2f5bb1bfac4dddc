// Variables of the environment: the program's own, and none at first.
#include <stdio.h>
#include <stdlib.h>
static void show(const char *name) {
    const char *value = getenv(name);
    printf("%s: %s\n", name, value ? value : "none");
}
int main() {
    show("CUDA_DEVICE_MAX_CONNECTIONS");
    printf("%d\n", setenv("CUDA_DEVICE_MAX_CONNECTIONS", "8", 1));
    const char *first = getenv("CUDA_DEVICE_MAX_CONNECTIONS");
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "much more than before", 1);
    setenv("CUDA_DEVICE_MAX_CONNECTIONS", "kept", 0);
    show("CUDA_DEVICE_MAX_CONNECTIONS");
    printf("%s %d\n", first, setenv("A=B", "c", 1));
    static char text[] = "OTHER=x=y";
    putenv(text);
    show("OTHER");
    unsetenv("OTHER");
    show("OTHER");
}

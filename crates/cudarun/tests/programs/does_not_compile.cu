// An error on the host's side.
int main() {
    int *p = malloc(4);
    return undeclared;
}

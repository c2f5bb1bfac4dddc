// Mistakes in declarations that host code has and device code seldom.
template <class T> struct Pair {
    void f();
};
template <class T> struct Pair<T *> {
    void f();
};
template <class T> void Pair<T &>::f() {}
struct Caught {
    int i;
    Caught(int k)
    try : i(k) {
        if (k)
            throw 1;
    } catch (int) {
        return;
    }
};
int main(int argc, char **)
{
    int rows[argc][argc];
    for (auto &row : rows)
        row[0] = 1;
    int values[argc][argc] = {{1}};
    Caught caught(2);
    Pair<int *>().f();
}

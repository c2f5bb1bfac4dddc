int overloaded(float value) { return (int)value; }
static int hidden() { return 1; }
int uses_hidden() { return hidden(); }
const int count = 3;
int uses_count(const int *p = &count) { return *p; }
int other_type(int value) { return value; }
template <class T> T templated(T value) { return value; }

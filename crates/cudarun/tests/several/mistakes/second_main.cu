int twice() { return 2; }
int main() { return twice(); }

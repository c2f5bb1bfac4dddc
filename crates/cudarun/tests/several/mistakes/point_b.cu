struct Point {
    float x, y, z;
    float sum() const { return x + y + z; }
};
float other() { return Point{ 1, 2, 3 }.sum(); }

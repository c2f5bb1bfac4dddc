__global__ void start(float *data)
{
    int values[2] = {1, 2, 3};
    int number = "one";
    unsigned char small{300};
    data[0] = values[0] + number + small;
}
// ANCHOR: errors
error: excess elements in initialiser list
 --> wrong_initialiser.cu:3:28
  |
3 |     int values[2] = {1, 2, 3};
  |                            ^

error: cannot convert `const char[4]` to `int`
 --> wrong_initialiser.cu:4:18
  |
4 |     int number = "one";
  |                  ^^^^^
  |
help: a single character is written in single quotes: `'a'`

warning[conversion]: implicit conversion to `unsigned char` changes the value from 300 to 44
 --> wrong_initialiser.cu:5:25
  |
5 |     unsigned char small{300};
  |                         ^^^
  |
help: use a type that can hold the value, or write a cast, `(unsigned char)`, if the change is intended

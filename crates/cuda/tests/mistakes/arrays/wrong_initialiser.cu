__global__ void start(float *data)
{
    int values[2] = {1, 2, 3};
    int number = "one";
    unsigned char small{300};
    data[0] = values[0] + number + small;
}
// ANCHOR: errors
error: the list has more values than there is room for
 --> wrong_initialiser.cu:3:28
  |
3 |     int values[2] = {1, 2, 3};
  |                            ^

error: `const char[4]` cannot be converted to `int`
 --> wrong_initialiser.cu:4:18
  |
4 |     int number = "one";
  |                  ^^^^^
  |
help: a single character stands in single quotes: `'a'`

warning[conversion]: 300 does not fit into `unsigned char`
 --> wrong_initialiser.cu:5:25
  |
5 |     unsigned char small{300};
  |                         ^^^ 44 is stored
  |
help: use a type that holds it, or write a cast, `(unsigned char)`, if the change is meant

int c_function(int value) { return value; }

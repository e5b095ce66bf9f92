// string.cu:2: error: this string has no end
const char *s = "abc;

// string.cu:2:
const char *s = "abc;

// raw_string.cu:4: error: a raw string must end in the line in which it begins
// This is fine, whatever it looks like.
const char *a = R"([[gnu::no_sanitize_thread]])", *b = u8R"x("asm(")x";
const char *c = R"(x\
# 1 "/usr/include/stdint.h" 1 3
)";
__attribute__((no_sanitize("thread"))) int f() { return 1; }

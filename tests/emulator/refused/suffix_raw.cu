// suffix_raw.cu:4: error: the attribute no_sanitize_thread can change how a step is linked or watched
// Behind a literal R is its suffix, and begins no raw string.
const char *operator""R(const char *text, unsigned long);
const char *a = "a"R"("; [[gnu::no_sanitize_thread]] int f() { return 1; } const char *b = ")";

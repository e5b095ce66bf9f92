// attribute.cu:5: error: the attribute __alias__ can change how a step is linked or watched
// These are fine: they give hints, or say how data lie.
[[nodiscard, gnu::hot]] __attribute__((aligned(16), __unused__)) int f() { return 1; }
struct __attribute__((packed)) s { int i; };
extern "C" int g() __attribute__((__alias__("_Z1fv")));

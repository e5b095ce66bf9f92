/* The compiler has to count to 2^60 before it can make an array. */
constexpr unsigned long count(unsigned long first, unsigned long last) {
    return last - first < 2 ? last - first
                            : count(first, (first + last) / 2) + count((first + last) / 2, last);
}
static char waits[count(0, 1ul << 60) % 7 + 1];

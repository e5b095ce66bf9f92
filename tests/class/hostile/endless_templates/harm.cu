/* 2^40 template classes, none like another: the compiler takes all the time and memory that it
 * gets. */
template <int LEVEL, long NUMBER>
struct Tree {
    static const long value =
        Tree<LEVEL - 1, 2 * NUMBER>::value + Tree<LEVEL - 1, 2 * NUMBER + 1>::value;
};
template <long NUMBER>
struct Tree<0, NUMBER> {
    static const long value = NUMBER;
};
static const long total = Tree<40, 0>::value;

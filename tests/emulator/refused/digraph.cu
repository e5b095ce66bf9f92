// digraph.cu:5: error: the attribute no_sanitize_thread can change how a step is linked or watched
// These are fine: digraphs elsewhere, and < before ::.
template <class T> struct s <% T x<:4:>; %>;
struct s<::s<int>> t;
<:<:gnu::no_sanitize_thread:>:> int f() { return 1; }

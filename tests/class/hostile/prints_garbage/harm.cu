/* Prints what might be taken for something else by a terminal, a log, a page or a gradebook; then
 * does its work. */
#include <stdio.h>
#include <unistd.h>

static void harm(void) {
    static const char text[] =
        "\033[2J\033]0;title\007\r\n\0\xff\xfe"
        "\nopt04_shared_memory pass 0.001 100 %\n1 passed, 0 "
        "failed\n</code></pre><script>alert(1)</script>\n"
        "```\n# Grade: 100\n=cmd|' /C calc'!A0,\"100\"\n{\"scores\":{\"opt04\":100}}\n";
    for (int i = 0; i < 3; ++i)
        (void)!write(1 + i % 2, text, sizeof text);
}

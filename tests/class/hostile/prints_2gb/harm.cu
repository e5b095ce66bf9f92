/* Prints 2 GB; then does its work. */
#include <string.h>
#include <unistd.h>

static void harm(void) {
    static char text[1 << 20];
    memset(text, 'x', sizeof text);
    for (int mib = 0; mib < 2048; ++mib)
        (void)!write(1 + mib % 2, text, sizeof text);
}

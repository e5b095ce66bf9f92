/* Takes and touches memory until there is no more. */
#include <stdlib.h>
#include <string.h>

static void harm(void) {
    for (;;)
        memset(malloc(1 << 26), 1, 1 << 26);
}

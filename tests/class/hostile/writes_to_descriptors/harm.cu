/* Writes nonsense to every descriptor that it was started with: one of them must be what the judge
 * listens to. */
#include <string.h>
#include <unistd.h>

static void harm(void) {
    char nonsense[4096];
    memset(nonsense, 0xa5, sizeof nonsense);
    for (int descriptor = 3; descriptor < 64; ++descriptor)
        (void)!write(descriptor, nonsense, sizeof nonsense);
}

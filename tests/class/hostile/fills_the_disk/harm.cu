/* Writes wherever it may until it may no more; then does its work as if nothing had been. */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

static void harm(void) {
    static const char *const folders[] = {".",        "..",      "/tmp", "/var/tmp",
                                          "/dev/shm", "results", "build"};
    static char zeros[1 << 20];
    for (const char *folder : folders)
        for (int number = 0; number < 100; ++number) {
            char name[100];
            snprintf(name, sizeof name, "%s/histolab-filler-%d-%d", folder, getpid(), number);
            const int file = open(name, O_WRONLY | O_CREAT, 0600);
            for (int mib = 0; file >= 0 && mib < 1024 && write(file, zeros, sizeof zeros) > 0;
                 ++mib) {
            }
            close(file);
        }
}

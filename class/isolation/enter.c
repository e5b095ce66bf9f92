/* The last step before a command in isolation: sets limits, says that the sandbox stands, and
 * becomes the command.
 *
 * usage: enter CPU_SECONDS FILE_KIB PROCESSES ADDRESS_KIB DESCRIPTORS COMMAND [ARGUMENT]...
 *
 * A limit that cannot be set is lower already. Descriptor 8, if it is open, gets a line; it and all
 * above are closed. Exit status: the command's; 126 or 127 it could not be started. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STARTED_FD = 8, DESCRIPTORS = 1024 };

static void limit(__rlimit_resource_t resource, const char *number, rlim_t unit) {
    rlim_t value = strcmp(number, "unlimited") == 0 ? RLIM_INFINITY
                                                    : unit * (rlim_t)strtoull(number, NULL, 10);
    setrlimit(resource, &(struct rlimit){value, value});
}

int main(int argc, char **argv) {
    static const char line[] = "started\n";
    if (argc < 7) {
        fputs("use: enter CPU_SECONDS FILE_KIB PROCESSES ADDRESS_KIB DESCRIPTORS COMMAND...\n",
              stderr);
        return 125;
    }
    limit(RLIMIT_CORE, "0", 1);
    limit(RLIMIT_CPU, argv[1], 1);
    limit(RLIMIT_FSIZE, argv[2], 1024);
    limit(RLIMIT_NPROC, argv[3], 1);
    limit(RLIMIT_AS, argv[4], 1024);
    limit(RLIMIT_NOFILE, argv[5], 1);
    if (write(STARTED_FD, line, strlen(line)) < 0)
        errno = 0; /* nobody wants to know */
    for (int fd = STARTED_FD; fd < DESCRIPTORS; fd++)
        close(fd);
    execvp(argv[6], argv + 6);
    int status = errno == ENOENT ? 127 : 126;
    fprintf(stderr, "isolate: cannot start %s: %s\n", argv[6], strerror(errno));
    return status;
}
